// What all learners share: one example at a time as a batch of one.
#include "kinglet/learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/assert.hpp"
#include "learn/additive_learner.hpp"
#include "learn/fixed_learner.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet {
namespace {

Rows one_row(const Features& x, const std::uint64_t (&offsets)[2]) {
  if (!x.is_sparse()) return {.count = 1, .dimension = x.count, .values = x.values, .stride = x.count};
  return {.count = 1, .dimension = x.extent(), .values = x.values, .indices = x.indices, .offsets = offsets};
}

}  // namespace

TaskKind task_kind(const Options& options) {
  const std::string& name = options.text("task");
  return name == "regress" ? TaskKind::regress : name == "novelty" ? TaskKind::novelty : TaskKind::classify;
}

double SupportVector::weight() const {
  double sum = 0;
  for (const double a : coefficients) sum += a * a;
  return std::sqrt(sum);
}

Prediction Learner::learn(const Example& example) {
  const std::uint64_t offsets[2] = {0, example.x.count};
  Prediction before;
  Targets target(&example.label, 1);
  target.numbers = &example.number;
  learn_batch(one_row(example.x, offsets), target, {&example.weight, 1}, {&before, 1});
  return before;
}

Prediction Learner::predict(const Features& x) const {
  const std::uint64_t offsets[2] = {0, x.count};
  thread_local std::vector<float> out;
  out.resize(outputs());
  scores(one_row(x, offsets), out);
  return decide(out);
}

double Learner::certainty(std::span<const float> scores) const {
  if (classes() < 2) return 0;
  if (scores.size() == 1) return std::abs(static_cast<double>(scores[0]));
  double first = -std::numeric_limits<double>::infinity();
  double second = first;
  for (const float score : scores) {
    const auto value = static_cast<double>(score);
    second = std::max(second, std::min(first, value));
    first = std::max(first, value);
  }
  return first - second;
}

std::unique_ptr<Learner> make_learner(const Options& options, const Shape& shape) {
  if (is_fixed(options)) return std::make_unique<FixedLearner>(options, shape);
  if (const DualEntry* dual = dual_entry(options)) return dual->make(options, shape);
  return std::make_unique<AdditiveLearner>(options, shape);
}

std::size_t learner_memory(const Options& options, const Shape& shape) {
  if (is_fixed(options)) return 0;  // no more than its file says
  if (const DualEntry* dual = dual_entry(options)) return dual->memory == nullptr ? 0 : dual->memory(options, shape);
  return AdditiveLearner::bytes(options, shape);
}

}  // namespace kinglet
