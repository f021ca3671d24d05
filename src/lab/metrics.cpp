// Measures the predictions of a model on labelled data.
#include "lab/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

double ratio(double part, double whole) { return whole == 0 ? std::numeric_limits<double>::quiet_NaN() : part / whole; }

double ratio(std::uint64_t part, std::uint64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

void add_errors(Evaluation& into, const Batch& batch, std::span<const Prediction> predictions) {
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const double error = static_cast<double>(batch.targets[i]) - static_cast<double>(predictions[i].score);
    into.squared_error += error * error;
    into.absolute_error += std::abs(error);
  }
  into.targets.add(batch.targets);
  into.examples += batch.rows();
}

// Counts one batch. `texts` are the labels of the source by id.
void count_batch(Evaluation& into, const Batch& batch, std::span<const ClassId> truth,
                 std::span<const Prediction> predictions, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const ClassId predicted = predictions[i].label;
    if (truth[i] == kNoClass) {
      ++into.unknown[texts[batch.labels[i]]];
      if (predicted != kNoClass) ++into.predicted_for_unknown[predicted];
    } else if (predicted != kNoClass) {
      ++into.confusion[truth[i] * into.labels.size() + predicted];
      into.correct += truth[i] == predicted;
    }
  }
  into.examples += batch.rows();
}

// Computes predictions, the reliability of probabilities, and the ranking if it is wanted. `truth` is empty in
// regression.
Predictions predict_batch(const Model& model, const Batch& batch, std::span<const ClassId> truth, unsigned threads,
                          Reliability& reliability, Ranking* ranking) {
  const bool needs_scores = model.gives_probabilities() || (ranking != nullptr && !truth.empty());
  if (!needs_scores || !model.has_learned()) return model.predict(batch, threads);
  const RowValues scores = model.scores(batch, threads);
  std::vector<float> probabilities(model.labels().size());
  Predictions predictions{.rows = {}, .ignored_values = scores.ignored_values};
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const Prediction& prediction = predictions.rows.emplace_back(learner_of(model).decide(scores[i]));
    if (truth[i] == kNoClass) continue;
    if (ranking != nullptr) ranking->add(scores[i], truth[i]);
    if (!model.gives_probabilities()) continue;
    probabilities_of(model, scores[i], probabilities);
    reliability.add(probabilities, prediction.label, truth[i]);
  }
  return predictions;
}

}  // namespace

void require_labels(TaskKind task, const Batch& batch, const Source& source, std::uint64_t rows_before) {
  if (task == TaskKind::novelty) {
    if (batch.targets.empty()) return;
    throw Error(compose("{}: labels must be 1 (normal) or -1 (novel) with {}, not other numbers", source.name(),
                        option("task", "novelty")));
  }
  if (task == TaskKind::regress) {
    if (batch.targets.size() == batch.rows()) return;
    throw Error(fmt::format("{}: example {} has no numeric label, which is needed to measure regression errors",
                            source.name(), rows_before + 1));
  }
  const auto absent = std::find(batch.labels.begin(), batch.labels.end(), kNoLabel);
  if (absent == batch.labels.end()) return;
  const auto row = rows_before + static_cast<std::uint64_t>(absent - batch.labels.begin()) + 1;
  throw Error(fmt::format("{}: example {} has no label, which is needed to measure the accuracy", source.name(), row));
}

std::uint64_t Evaluation::actual(std::size_t label) const {
  std::uint64_t sum = 0;
  for (std::size_t other = 0; other < labels.size(); ++other) sum += count(label, other);
  return sum;
}

std::uint64_t Evaluation::predicted(std::size_t label) const {
  std::uint64_t sum = predicted_for_unknown.empty() ? 0 : predicted_for_unknown[label];
  for (std::size_t other = 0; other < labels.size(); ++other) sum += count(other, label);
  return sum;
}

double Evaluation::precision(std::size_t label) const { return ratio(count(label, label), predicted(label)); }

double Evaluation::recall(std::size_t label) const { return ratio(count(label, label), actual(label)); }

double Evaluation::f1(std::size_t label) const {
  return ratio(2 * count(label, label), actual(label) + predicted(label));
}

double Evaluation::accuracy() const { return ratio(correct, examples); }

double Evaluation::balanced_accuracy() const {
  double sum = 0;
  std::uint64_t occurring = unknown.size();
  for (std::size_t label = 0; label < labels.size(); ++label) {
    if (actual(label) == 0) continue;
    sum += recall(label);
    ++occurring;
  }
  return ratio(sum, static_cast<double>(occurring));
}

std::optional<std::size_t> Evaluation::positive() const {
  if (labels.size() != 2) return std::nullopt;
  return task == TaskKind::novelty ? 0 : 1;
}

double Evaluation::f1() const {
  if (const auto label = positive()) return f1(*label);
  double sum = 0;
  std::uint64_t counted = unknown.size();
  for (std::size_t label = 0; label < labels.size(); ++label) {
    if (actual(label) + predicted(label) == 0) continue;
    sum += f1(label);
    ++counted;
  }
  return ratio(sum, static_cast<double>(counted));
}

double Evaluation::majority_error() const {
  std::uint64_t most = 0;
  for (std::size_t label = 0; label < labels.size(); ++label) most = std::max(most, actual(label));
  for (const auto& [text, count] : unknown) most = std::max(most, count);
  return ratio(examples - most, examples);
}

double Evaluation::rmse() const { return std::sqrt(ratio(squared_error, static_cast<double>(examples))); }

double Evaluation::mae() const { return ratio(absolute_error, static_cast<double>(examples)); }

double Evaluation::r2() const { return 1 - ratio(squared_error, targets.squares()); }

double Evaluation::baseline_rmse() const {
  return std::sqrt(ratio(targets.squares(), static_cast<double>(targets.count())));
}

Evaluation evaluate(const Model& model, Source& source, unsigned threads, const std::function<bool()>& stopped,
                    const std::function<void(const Batch&)>& each, const EvaluationExtras& extras) {
  const auto begin = std::chrono::steady_clock::now();
  Evaluation result;
  result.task = model.task();
  result.labels.assign(model.labels().begin(), model.labels().end());
  result.confusion.assign(result.labels.size() * result.labels.size(), 0);
  result.predicted_for_unknown.assign(result.labels.size(), 0);
  Model::LabelMap classes_of(model);
  std::vector<std::string> texts;
  Batch batch;
  while (!(stopped && stopped()) && source.next(batch)) {
    if (each) each(batch);
    require_labels(model.task(), batch, source, result.examples);
    texts.insert(texts.end(), batch.new_labels.begin(), batch.new_labels.end());
    const bool regresses = model.task() == TaskKind::regress;
    const auto truth = regresses ? std::span<const ClassId>() : classes_of(batch);
    const Predictions predictions = predict_batch(model, batch, truth, threads, result.reliability, extras.ranking);
    if (extras.record != nullptr) extras.record->add({.rows = batch, .before = predictions.rows});
    result.ignored_values += predictions.ignored_values;
    if (regresses) {
      add_errors(result, batch, predictions.rows);
    } else {
      count_batch(result, batch, truth, predictions.rows, texts);
    }
  }
  result.stopped = stopped && stopped();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace kinglet
