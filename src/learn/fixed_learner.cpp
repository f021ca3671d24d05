#include "learn/fixed_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

const char* scale_name(ScaleKind kind) {
  switch (kind) {
    case ScaleKind::standard:
      return "standard";
    case ScaleKind::minmax:
      return "minmax";
    case ScaleKind::unit:
      return "unit";
    case ScaleKind::none:
      break;
  }
  return "none";
}

const KernelEntry& entry_of(KernelKind kind) { return *std::ranges::find(kernel_entries(), kind, &KernelEntry::kind); }

}  // namespace

// --- options ---------------------------------------------------------------------------------------------------------

bool is_fixed(const Options& options) { return options.has("algo") && options.text("algo") == "fixed"; }

std::string why_fixed(const Options& options) {
  return fmt::format("this model can only predict ({}); train the original instead", options.text("origin"));
}

Options fixed_options(const FlatModel& plain) {
  Options options{{"algo", "fixed"},
                  {"decision", plain.decision == Decision::votes ? "votes" : "scores"},
                  {"origin", plain.origin},
                  {"scale", scale_name(plain.scale)},
                  {"storage", name_of(plain.storage)}};
  options.set("task", plain.task == TaskKind::regress   ? "regress"
                      : plain.task == TaskKind::novelty ? "novelty"
                                                        : "classify");
  const KernelEntry& kernel = entry_of(plain.kernel.kind);
  options.set("kernel", kernel.entry.name);
  for (const OptionSpec& spec : kernel.entry.options) {
    if (spec.name == "gamma") options.set("gamma", fmt::format("{}", plain.kernel.gamma));
    if (spec.name == "coef0") options.set("coef0", fmt::format("{}", plain.kernel.coef0));
    if (spec.name == "degree") options.set("degree", std::to_string(plain.kernel.degree));
  }
  return options;
}

void check_fixed_options(const Options& options) {
  std::set<std::string, std::less<>> expected = {"algo", "decision", "origin"};
  const auto check = [&](const OptionSpec& spec) {
    expected.insert(spec.name);
    const bool fine =
        options.has(spec.name) && options.text(spec.name) != "auto" && spec.problem(options.text(spec.name)).empty();
    StateReader::require(fine, "an option of a model that only predicts");
  };
  for (const OptionSpec& spec : common_options()) {
    if (spec.name == "kernel" || spec.name == "scale" || spec.name == "storage" || spec.name == "task") check(spec);
  }
  for (const KernelEntry& kernel : kernel_entries()) {
    if (kernel.entry.name != options.text("kernel")) continue;
    for (const OptionSpec& spec : kernel.entry.options) check(spec);
  }
  const bool decided =
      options.has("decision") && (options.text("decision") == "scores" ||
                                  (options.text("decision") == "votes" && options.text("task") == "classify"));
  StateReader::require(decided && options.has("origin") && options.all().size() == expected.size(),
                       "the options of a model that only predicts");
}

// --- the learner -----------------------------------------------------------------------------------------------------

Decision FixedLearner::decision_of(const Options& options, std::size_t classes) {
  if (task_kind(options) == TaskKind::regress) return Decision::value;
  if (options.text("decision") == "votes") return Decision::votes;
  return classes <= 2 ? Decision::sign : Decision::largest;
}

FixedLearner::FixedLearner(const Options& options, const Shape& shape)
    : task_(task_kind(options)),
      decision_(decision_of(options, shape.classes)),
      kernel_(make_kernel(options)),
      shape_(shape),
      classes_(shape.classes),
      support_(kernel_, shape, functions_for(decision_, shape.classes)) {}

FixedLearner::FixedLearner(const FlatModel& plain, const Options& options)
    : FixedLearner(options, {.dimension = plain.dimension,
                             .classes = static_cast<std::uint32_t>(plain.labels.size()),
                             .storage = plain.storage}) {
  const auto vectors = make_support_set(kernel_, shape_, plain.size());
  for (std::size_t j = 0; j < plain.size(); ++j) vectors->append(Features::dense(plain.vector(j)));
  take(*vectors, plain.coefficients, plain.biases);
}

void FixedLearner::take(const SupportSet& vectors, std::span<const double> coefficients,
                        std::span<const double> biases) {
  for (std::size_t j = 0; j < vectors.size(); ++j) {
    support_.set(j, vectors, coefficients.subspan(j * functions(), functions()));
  }
  for (std::size_t m = 0; m < functions(); ++m) support_.set_bias(m, biases[m]);
}

void FixedLearner::scores(const Rows& rows, std::span<float> out) const {
  if (decision_ != Decision::votes) return support_.scores(rows, out);
  thread_local std::vector<float> pairs;
  pairs.resize(rows.count * functions());
  support_.scores(rows, pairs);
  for (std::size_t i = 0; i < rows.count; ++i) {
    count_votes(std::span<const float>(pairs).subspan(i * functions(), functions()),
                out.subspan(i * classes_, classes_));
  }
}

void FixedLearner::learn_batch(const Rows&, const Targets&, std::span<const float>, const ProgressiveOutput&) {
  throw Error("this model can only predict");
}

Prediction FixedLearner::decide(std::span<const float> scores) const {
  if (task_ == TaskKind::regress) return {kNoClass, scores[0]};
  return kinglet::decision(scores, classes_);
}

void FixedLearner::grow(const Shape&) { throw Error("this model can only predict"); }

LearnerStats FixedLearner::stats() const {
  LearnerStats stats;
  stats.support_vectors = support_.size();
  stats.dimension = shape_.dimension;
  stats.classes = classes_;
  stats.memory_bytes = support_.memory_bytes();
  return stats;
}

void FixedLearner::save(StateWriter& out) const {
  support_.set().save(out);
  std::vector<double> coefficients, biases;
  for (std::size_t j = 0; j < support_.size(); ++j) {
    const auto row = support_.vector(j).coefficients;
    coefficients.insert(coefficients.end(), row.begin(), row.end());
  }
  for (std::size_t m = 0; m < functions(); ++m) biases.push_back(support_.bias(m));
  out.put_array(coefficients);
  out.put_array(biases);
}

void FixedLearner::load(StateReader& in) {
  const auto vectors = make_support_set(kernel_, shape_, 0);
  vectors->load(in);
  StateReader::require(vectors->dimension() == shape_.dimension, "its parts differ in dimension");
  const auto coefficients = in.get_array<double>();
  const auto biases = in.get_array<double>();
  const auto finite = [](double x) { return std::isfinite(static_cast<float>(x)); };
  StateReader::require(coefficients.size() == vectors->size() * functions() && biases.size() == functions(),
                       "another number of coefficients");
  StateReader::require(std::ranges::all_of(coefficients, finite) && std::ranges::all_of(biases, finite),
                       "a coefficient that is not a number");
  take(*vectors, coefficients, biases);
}

}  // namespace kinglet
