// The public face of a model: how it is made, what its functions call, and what it says about itself. The work is done
// next door: model_start.cpp, model_learn.cpp, model_grow.cpp, model_query.cpp, model_single.cpp, model_predict.cpp,
// model_io.cpp.
#include "kinglet/model.hpp"

#include <algorithm>

#include "core/compose.hpp"
#include "core/option_texts.hpp"
#include "core/parallel.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "model/model_state.hpp"
#include "records/schema.hpp"

namespace kinglet {

// --- making one ------------------------------------------------------------------------------------------------------

Model::State::State(const Options& given) : State(complete_options(given), Complete{}) {
  metric_is_open = !given.has("metric");
}

// Novelty detection has two classes, whatever the labels of the data.
Model::State::State(const Options& given, Complete)
    : requested(given),
      options(requested),
      task(task_kind(requested)),
      only_predicts(why_only_predicting(requested)),
      query(requested) {
  if (requested.has("class-weight")) class_weights = ClassWeights(requested.text("class-weight"));
  if (requested.has("proba") && requested.flag("proba")) calibration.emplace();
  if (task != TaskKind::novelty) return;
  labels.add("-1");
  labels.add("1");
}

Model::Model(const Options& options) : state_(std::make_unique<State>(options)) { state_->require_learning(); }
Model::Model(std::unique_ptr<State> state) : state_(std::move(state)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

// --- learning --------------------------------------------------------------------------------------------------------

bool Model::learn(const Batch& batch, std::vector<Prediction>* before, const Oracle& oracle) {
  if (batch.rows() > 0) state_->end_keeping();
  return state_->learn(batch, before, oracle);
}

void Model::use_threads(unsigned threads) { state_->learning_threads = threads; }

void Model::end_pass() {
  const ThreadAllowance allowed(state_->learning_threads);
  state_->end_keeping();
  state_->end_pass();
  state_->position = {state_->position.pass + 1, 0};
}

void Model::begin_source() { state_->source.clear(); }

// --- classes ---------------------------------------------------------------------------------------------------------

std::span<const std::string> Model::labels() const { return state_->labels.texts(); }

void Model::expect_classes(std::span<const std::string> texts) {
  State& s = *state_;
  s.require_learning();
  if (s.task != TaskKind::classify) {
    throw Error({"classes are expected with ", option("task", "classify"), " only"});
  }
  for (const std::string& text : texts) {
    if (s.singles.is_keeping()) s.singles.expect_class(text);
    if (s.labels.find(text) != kNoClass) continue;
    if (s.learner == nullptr) {
      s.labels.add(text);
    } else {
      s.add_class(text);
    }
  }
}

std::span<const ClassId> Model::LabelMap::operator()(const Batch& batch) {
  texts_.insert(texts_.end(), batch.new_labels.begin(), batch.new_labels.end());
  classes_.resize(texts_.size(), kNoClass);
  rows_.resize(batch.rows());
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const std::uint32_t label = batch.labels[i];
    rows_[i] = label == kNoLabel && model_->task() == TaskKind::novelty ? kNormal : kNoClass;
    if (label >= texts_.size()) continue;
    if (classes_[label] == kNoClass) classes_[label] = model_->state_->labels.find(texts_[label]);
    rows_[i] = classes_[label];
  }
  return rows_;
}

// --- about the model -------------------------------------------------------------------------------------------------

bool Model::gives_deviations() const { return state_->learner != nullptr && state_->learner->gives_deviations(); }

bool Model::gives_probabilities() const { return state_->calibration.has_value(); }

const Reliability& Model::online_reliability() const {
  static const Reliability kNone;
  return gives_probabilities() ? state_->calibration->reliability() : kNone;
}

TaskKind Model::task() const { return state_->task; }
const Options& Model::options() const { return state_->options; }
const Options& Model::requested_options() const { return state_->requested; }
Options Model::settled_options() const {
  return has_learned() ? state_->learner->settled_options(state_->options) : state_->options;
}
Standings Model::standings() const {
  Standings all = has_learned() ? state_->learner->standings() : Standings();
  if (!state_->target_scaler) return all;
  const auto restore = [&](double& error) { error *= state_->target_scaler->transform().deviation; };
  for (MemberStanding& member : all.members) {
    restore(member.error);
    restore(member.recent_error);
  }
  for (Leadership& window : all.history) restore(window.recent_error);
  for (DriftAlarm& alarm : all.drift) {
    restore(alarm.recent_error);
    restore(alarm.usual_error);
  }
  return all;
}
std::uint64_t Model::drift_alarms() const { return has_learned() ? state_->learner->drift_alarms() : 0; }
const Progress& Model::progress() const { return state_->progress; }
bool Model::asks_for_labels() const { return state_->asks(); }
LearnerStats Model::stats() const {
  LearnerStats stats = has_learned() ? state_->learner->stats() : LearnerStats{};
  stats.only_predicts = !state_->only_predicts.empty();
  return stats;
}
std::size_t Model::outputs() const { return has_learned() ? state_->learner->outputs() : 1; }
std::optional<int> Model::index_base() const { return state_->index_base; }
const std::shared_ptr<const Columns>& Model::columns() const { return state_->columns; }
std::vector<std::string> Model::feature_names() const {
  const Columns* const columns = state_->columns.get();
  if (columns == nullptr) return {};
  return columns->schema ? names_of_features(*columns) : columns->features;
}
bool Model::has_learned() const { return state_->learner != nullptr; }
std::uint32_t Model::dimension() const { return has_learned() ? state_->scaler->dimension() : 0; }

std::vector<SupportVector> Model::support_vectors(std::size_t most) const {
  if (!has_learned()) return {};
  std::vector<std::pair<double, std::size_t>> order;
  const Learner& learner = *state_->learner;
  const std::span<const float> factors = learner.feature_factors();
  for (std::size_t i = 0; i < stats().support_vectors; ++i) {
    order.emplace_back(-learner.support_vector(i).weight(), i);
  }
  std::ranges::sort(order);
  order.resize(std::min(order.size(), most));
  std::vector<SupportVector> chosen;
  for (const auto& [weight, i] : order) {
    SupportVector& vector = chosen.emplace_back(learner.support_vector(i));
    for (std::size_t k = 0; k < factors.size(); ++k) vector.x[k] /= factors[k];
    state_->scaler->restore(vector.x);
    if (!state_->target_scaler) continue;
    for (double& coefficient : vector.coefficients) coefficient *= state_->target_scaler->transform().deviation;
  }
  return chosen;
}

}  // namespace kinglet
