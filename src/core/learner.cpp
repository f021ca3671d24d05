// What all learners share: learning and predicting one example as a batch of one row.
#include "core/learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/assert.hpp"

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

void Learner::deviations(const Rows&, std::span<float>) const {
  KINGLET_ASSERT(!"this learner does not estimate deviations");
}

void Learner::rescale_features(std::span<const float>) { KINGLET_ASSERT(!"this learner does not collect gradients"); }

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

}  // namespace kinglet
