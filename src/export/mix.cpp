// kinglet/mix.hpp: checks what goes together, then adds up or averages.
#include "kinglet/mix.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <optional>

#include "core/compose.hpp"
#include "core/learner.hpp"
#include "core/state.hpp"
#include "export/compress.hpp"
#include "kinglet/error.hpp"
#include "learn/flat_model.hpp"
#include "model/labels.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

// A model to mix: its name for errors, its bytes, and the hash of what it has learned, which gives the order of the
// models. Names of features and the like do not change the order, so they do not change how sums are rounded.
struct Input {
  const Model* model = nullptr;
  std::string name;
  std::string bytes;
  std::uint64_t hash = 0;

  bool has_nothing() const { return start_of(*model) && model->progress().examples == 0; }
};

std::uint64_t hash_of_learner(const Model& model) {
  StateWriter state;
  learner_of(model).save(state);
  return XXH3_64bits(state.bytes().data(), state.bytes().size());
}

// In the order in which they are mixed, without those that have learned nothing.
std::vector<Input> inputs_of(std::span<const Model* const> models, const MixOptions& options) {
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < models.size(); ++i) {
    Input input{.model = models[i],
                .name = i < options.names.size() ? options.names[i] : fmt::format("model {}", i + 1),
                .bytes = models[i]->serialize()};
    if (!models[i]->has_learned()) throw Error(fmt::format("{}: the model has learned nothing yet", input.name));
    input.hash = hash_of_learner(*input.model);
    inputs.push_back(std::move(input));
  }
  std::ranges::stable_sort(
      inputs, [](const Input& a, const Input& b) { return a.hash != b.hash ? a.hash < b.hash : a.bytes < b.bytes; });
  for (std::size_t i = 1; i < inputs.size() && !options.may_repeat; ++i) {
    if (inputs[i].bytes != inputs[i - 1].bytes || inputs[i].has_nothing()) continue;
    throw Error(fmt::format("{} and {} are the same model: its examples would count twice", inputs[i - 1].name,
                            inputs[i].name));
  }
  std::erase_if(inputs, [](const Input& input) { return input.has_nothing(); });
  if (inputs.empty()) throw Error("none of the models has learned an example");
  for (Input& input : inputs) input.bytes = {};
  return inputs;
}

[[noreturn]] void refuse(const Input& a, const Input& b, const Message& what) {
  throw Error(compose("{} and {} cannot be mixed: {}", a.name, b.name, what));
}

Message from_one_start() { return compose("train all models from one shared start ({})", function("make_start")); }

std::string text_of(const Kernel& kernel) {
  for (const KernelEntry& entry : kernel_entries()) {
    if (entry.kind != kernel.kind) continue;
    return kernel.kind == KernelKind::linear ? entry.entry.name
                                             : fmt::format("{} with gamma {}", entry.entry.name, kernel.gamma);
  }
  return {};
}

bool same(const Kernel& a, const Kernel& b) {
  return a.kind == b.kind && a.gamma == b.gamma && a.coef0 == b.coef0 && a.degree == b.degree;
}

void require_same_columns(const Input& a, const FlatModel& f, const Input& b, const FlatModel& g) {
  if (f.dimension != g.dimension) {
    refuse(a, b, compose("they have {} and {} features; {}", f.dimension, g.dimension, from_one_start()));
  }
  if (!f.columns || !g.columns) return;
  const auto schema = [](const FlatModel& of) { return of.columns->schema ? *of.columns->schema : Schema(); };
  if (schema(f) != schema(g)) refuse(a, b, compose("they encode records differently; {}", from_one_start()));
  const auto& mine = f.columns->features;
  const auto& theirs = g.columns->features;
  if (mine.empty() || theirs.empty()) return;
  const auto differ = std::ranges::mismatch(mine, theirs);
  if (differ.in1 == mine.end()) return;
  refuse(a, b,
         fmt::format("feature {} is {} in one and {} in the other", differ.in1 - mine.begin() + 1, *differ.in1,
                     *differ.in2));
}

void require_together(const Input& a, const FlatModel& f, const Input& b, const FlatModel& g) {
  const auto task = [](const Input& of) { return of.model->options().text("task"); };
  if (f.task != g.task) refuse(a, b, fmt::format("the task of one is {}, that of the other {}", task(a), task(b)));
  if (!same(f.kernel, g.kernel)) {
    refuse(a, b,
           compose("the kernel of one is {}, that of the other {}; {}", text_of(f.kernel), text_of(g.kernel),
                   from_one_start()));
  }
  require_same_columns(a, f, b, g);
  if (f.scale != g.scale || f.shift != g.shift || f.factor != g.factor || f.is_shifted() != g.is_shifted() ||
      (f.storage == Storage::dense) != (g.storage == Storage::dense) ||
      ((f.has_missing || g.has_missing) && f.fillers != g.fillers)) {
    refuse(a, b, compose("their features are scaled differently; {}", from_one_start()));
  }
  const auto votes = [](const FlatModel& of) { return of.decision == Decision::votes; };
  if (votes(f) != votes(g) || (votes(f) && f.labels != g.labels)) {
    refuse(a, b, "one of them votes over pairs of classes, and the other has other functions");
  }
}

// Both name the same start.
void require_start(const Input& a, const Input& b) {
  const Message difference = difference_from_start(*a.model, *b.model);
  if (difference.empty()) return;
  refuse(a, b,
         compose("both were trained from start {}, but {}", fmt::format("{:016x}", *start_of(*a.model)), difference));
}

// Which function of the mixture a function of a model goes to, and with which factor.
struct Share {
  std::size_t from;
  std::size_t to;
  double factor;
};

std::vector<Share> shares_of(const FlatModel& part, const FlatModel& all, const Labels& labels) {
  std::vector<Share> shares;
  const auto id = [&](std::size_t c) { return static_cast<std::size_t>(labels.find(part.labels[c])); };
  if (part.decision == Decision::sign && all.decision == Decision::sign) {
    shares.push_back({0, 0, id(0) == 0 ? 1.0 : -1.0});
  } else if (part.decision == Decision::sign) {  // as where a third class appears (expansion/output_rows.hpp)
    shares.push_back({0, id(0), -0.5});
    shares.push_back({0, id(1), 0.5});
  } else {
    for (std::size_t m = 0; m < part.functions; ++m) {
      shares.push_back({m, part.decision == Decision::largest ? id(m) : m, 1.0});
    }
  }
  return shares;
}

// The weighted mean of functions that go together.
FlatModel mean_of(std::span<const FlatModel> parts, std::span<const double> weights) {
  FlatModel mean = parts[0];
  Labels labels;
  std::vector<std::string> texts;
  for (const FlatModel& part : parts) texts.insert(texts.end(), part.labels.begin(), part.labels.end());
  labels.add_sorted(std::move(texts));
  mean.labels.assign(labels.texts().begin(), labels.texts().end());
  if (mean.decision == Decision::sign && labels.size() > 2) mean.decision = Decision::largest;
  mean.functions = functions_for(mean.decision, mean.labels.size());
  mean.vectors.clear();
  mean.coefficients.clear();
  mean.biases.assign(mean.functions, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto shares = shares_of(parts[i], mean, labels);
    for (const Share& share : shares) mean.biases[share.to] += weights[i] * share.factor * parts[i].biases[share.from];
    std::vector<double> row(mean.functions);
    for (std::size_t j = 0; j < parts[i].size(); ++j) {
      std::ranges::fill(row, 0.0);
      for (const Share& share : shares) row[share.to] += weights[i] * share.factor * parts[i].row(j)[share.from];
      mean.append(parts[i].vector(j), row);
    }
    mean.has_missing = mean.has_missing || parts[i].has_missing;
  }
  return mean;
}

// In proportion to the examples learned; where a model does not know them, all alike.
std::vector<double> weights_of_models(std::span<const Input> inputs) {
  std::vector<double> weights;
  double sum = 0;
  for (const Input& input : inputs) {
    weights.push_back(static_cast<double>(input.model->progress().examples));
    sum += weights.back();
  }
  const bool unknown = std::ranges::any_of(weights, [](double weight) { return weight == 0; });
  for (double& weight : weights) weight = unknown ? 1 / static_cast<double>(weights.size()) : weight / sum;
  return weights;
}

std::size_t largest_model(std::span<const Input> inputs) {
  std::size_t most = 1;
  for (const Input& input : inputs) {
    const LearnerStats stats = input.model->stats();
    most = std::max({most, stats.budget, stats.support_vectors});
  }
  return most;
}

Progress sum_of_progress(std::span<const Input> inputs) {
  Progress sum;
  for (const Input& input : inputs) sum += input.model->progress();
  sum.labels = inputs[0].model->task() == TaskKind::classify ? sum.examples : 0;
  sum.unlabelled = 0;
  return sum;
}

Mixture average(std::span<const Input> inputs, const MixOptions& options) {
  std::vector<FlatModel> parts;
  for (const Input& input : inputs) {
    try {
      parts.push_back(flatten(*input.model));
    } catch (const Error& error) {
      throw Error(compose("{}: {}", input.name, error.message()));
    }
    require_together(inputs[0], parts[0], input, parts.back());
  }
  FlatModel mean = mean_of(parts, weights_of_models(inputs));
  mean.origin = fmt::format("average of {} models", inputs.size());
  const std::size_t budget = options.budget > 0 ? options.budget : largest_model(inputs);
  CompressOptions compression{
      .budget = budget, .rounds = options.rounds.value_or(kDefaultRounds), .threads = options.threads};
  compression.stopped = options.stopped;
  compression.progress = options.progress;
  Compression small = compress(mean, compression);
  Mixture mixture{.model = fixed_model(small.model), .vectors_before = mean.size()};
  set_progress(mixture.model, sum_of_progress(inputs));
  mixture.norm = small.norm;
  mixture.distance = small.distance;
  mixture.stopped = small.stopped;
  return mixture;
}

// A sum is not reduced.
void require_no_reduction(const MixOptions& options) {
  if (options.budget == 0 && !options.rounds) return;
  throw Error(compose("{} has no effect: models of one start add up and keep its centres; to reduce their sum, use {}",
                      option(options.budget > 0 ? "budget" : "rounds"), function("compress")));
}

}  // namespace

Mixture mix(std::span<const Model* const> models, const MixOptions& options) {
  if (models.empty()) throw Error("there is no model to mix");
  const std::vector<Input> inputs = inputs_of(models, options);
  const auto shares_start = [&](const Input& input) {
    return adds_up(*input.model) && start_of(*input.model) == start_of(*inputs[0].model);
  };
  if (!std::ranges::all_of(inputs, shares_start)) return average(inputs, options);
  for (const Input& input : inputs) require_start(inputs[0], input);
  require_no_reduction(options);
  std::vector<const Model*> sorted(inputs.size());
  std::ranges::transform(inputs, sorted.begin(), &Input::model);
  return {.model = sum_of(sorted), .is_sum = true};
}

}  // namespace kinglet
