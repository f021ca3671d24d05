// A start that models share, and the sum of models that learned from it.
#include <xxhash.h>

#include <algorithm>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/state.hpp"
#include "kinglet/error.hpp"
#include "kinglet/mix.hpp"
#include "learn/make_learner.hpp"
#include "model/model_state.hpp"
#include "simd/isa.hpp"

namespace kinglet {
namespace {

Model copy_of(const Model& model) { return Model::deserialize(model.serialize(), "a copy of the model"); }

// Forgets what the model has counted along its stream.
void begin_counting(ModelAccess::State& s) {
  s.progress = {};
  s.position = {};
  s.beginning = {};
  s.rows_hash.reset();
  s.head_left = 0;
  s.query = QueryRule(s.requested);
  s.start_sample();
  if (s.calibration) s.calibration.emplace().grow(static_cast<std::uint32_t>(s.labels.size()));
  if (s.class_weights.is_balanced()) s.class_weights.set_counts({});
  s.class_weights.grow(s.labels.texts());
}

void require_no_queries(const ModelAccess::State& s) {
  if (s.asks()) throw Error(compose("{} cannot be combined with a shared start", option("query")));
}

OptionMention start_algorithm(const Model& model) {
  return option("algo", default_start_algorithm(model.options().text("task")));
}

// The labels of the start, then those that the models have met, sorted.
Labels united_labels(std::span<const Model* const> models, std::size_t of_start) {
  Labels labels;
  for (std::size_t c = 0; c < of_start; ++c) labels.add(models[0]->labels()[c]);
  std::vector<std::string> others;
  for (const Model* model : models) {
    const auto texts = model->labels().subspan(of_start);
    others.insert(others.end(), texts.begin(), texts.end());
  }
  labels.add_sorted(std::move(others));
  return labels;
}

template <class Part>
std::string bytes_of(const Part& part) {
  StateWriter state;
  part.save(state);
  return std::string(state.bytes());
}

}  // namespace

Model make_start(const Model& model, bool keeps_coefficients) {
  if (!model.has_learned()) throw Error("the model has learned nothing yet, so it cannot be a start");
  if (model.stats().only_predicts) throw Error("a model that only predicts cannot be a start");
  if (model.options().text("algo") == "auto") {
    throw Error(
        compose("a start needs one algorithm, not {}: take {}", option("algo", "auto"), start_algorithm(model)));
  }
  Model start = copy_of(model);
  ModelAccess::State& s = ModelAccess::state(start);
  require_no_queries(s);
  auto learner = s.learner->start(keeps_coefficients);
  if (learner == nullptr && adds_up(s.options)) {
    throw Error("the sample gave no support vectors: take a larger sample, and one with more than one class");
  }
  if (learner == nullptr && keeps_coefficients) {
    throw Error(compose("only models of {} can start again from what they have learned", start_algorithm(model)));
  }
  if (learner == nullptr) {
    learner = make_learner(
        s.options, {.dimension = s.scaler->dimension(), .classes = s.learner->classes(), .storage = s.storage()});
  }
  s.learner = std::move(learner);
  s.scaler->hold();
  if (s.target_scaler) s.target_scaler->hold();
  begin_counting(s);
  s.shared = {.id = 0, .labels = static_cast<std::uint32_t>(s.labels.size()), .isa = simd::current_isa()};
  const std::string bytes = start.serialize();
  s.shared->id = XXH3_64bits(bytes.data(), bytes.size());
  return start;
}

std::optional<std::uint64_t> start_of(const Model& model) {
  const auto& start = ModelAccess::state(model).shared;
  return start ? std::optional(start->id) : std::nullopt;
}

std::string isa_of_start(const Model& model) {
  const auto& start = ModelAccess::state(model).shared;
  return start ? start->isa : std::string();
}

Message difference_from_start(const Model& a, const Model& b) {
  const ModelAccess::State &mine = ModelAccess::state(a), &theirs = ModelAccess::state(b);
  const auto labels = [](const ModelAccess::State& s) { return s.labels.texts().first(s.shared->labels); };
  if (!std::ranges::equal(labels(mine), labels(theirs))) return "the labels of their starts differ";
  for (const auto& [name, value] : mine.options.all()) {
    if (name == "budget") continue;  // a memory limit may lower it
    if (!theirs.options.has(name) || theirs.options.text(name) != value) {
      return compose("they have different values of {}", option(name));
    }
  }
  if (bytes_of(*mine.scaler) != bytes_of(*theirs.scaler)) return "their features are scaled differently";
  if (mine.target_scaler && bytes_of(*mine.target_scaler) != bytes_of(*theirs.target_scaler)) {
    return "their targets are scaled differently";
  }
  if (!mine.learner->shares_start(*theirs.learner)) return "their centres or first coefficients differ";
  return {};
}

bool adds_up(const Model& model) { return start_of(model) && adds_up(model.options()); }

Model sum_of(std::span<const Model* const> models) {
  KINGLET_ASSERT(!models.empty());
  Model sum = copy_of(*models[0]);
  ModelAccess::State& s = ModelAccess::state(sum);
  s.labels = united_labels(models, s.shared->labels);
  s.source.clear();
  std::vector<const Learner*> learners;
  std::vector<std::vector<ClassId>> classes;
  for (const Model* model : models) {
    const ModelAccess::State& part = ModelAccess::state(*model);
    KINGLET_ASSERT(part.shared && part.shared->id == s.shared->id);
    require_no_queries(part);
    learners.push_back(part.learner.get());
    auto& map = classes.emplace_back();
    for (const std::string& text : part.labels.texts()) map.push_back(s.labels.find(text));
  }
  s.learner = s.learner->sum(learners, classes, static_cast<std::uint32_t>(s.labels.size()));
  begin_counting(s);
  std::vector<std::uint64_t> counts(s.labels.size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    const ModelAccess::State& part = ModelAccess::state(*models[i]);
    s.progress += part.progress;
    if (s.calibration) s.calibration->add(*part.calibration, classes[i]);
    for (std::size_t c = 0; c < part.class_weights.counts().size(); ++c) {
      counts[classes[i][c]] += part.class_weights.counts()[c];
    }
  }
  if (s.class_weights.is_balanced()) s.class_weights.set_counts(std::move(counts));
  return sum;
}

void set_progress(Model& model, const Progress& progress) {
  KINGLET_ASSERT(model.stats().only_predicts);
  ModelAccess::state(model).progress = progress;
}

}  // namespace kinglet
