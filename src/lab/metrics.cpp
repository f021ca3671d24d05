// How well a model predicts a labelled set.
#include "lab/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Counts one batch. `texts` are the source's labels by their ids.
void count_batch(Evaluation& into, const Batch& batch, std::span<const ClassId> truth,
                 std::span<const Prediction> predictions, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const ClassId predicted = predictions[i].label;
    if (truth[i] == kNoClass) {
      ++into.unknown[texts[batch.labels[i]]];
    } else if (predicted != kNoClass) {
      ++into.confusion[truth[i] * into.labels.size() + predicted];
      into.correct += truth[i] == predicted;
    }
  }
  into.examples += batch.rows();
}

void require_labels(const Batch& batch, const Source& source, std::uint64_t rows_before) {
  const auto absent = std::find(batch.labels.begin(), batch.labels.end(), kNoLabel);
  if (absent == batch.labels.end()) return;
  const auto row = rows_before + static_cast<std::uint64_t>(absent - batch.labels.begin()) + 1;
  throw Error(fmt::format("{}: example {} has no label; an accuracy needs one", source.name(), row));
}

}  // namespace

std::uint64_t Evaluation::actual(std::size_t label) const {
  std::uint64_t sum = 0;
  for (std::size_t other = 0; other < labels.size(); ++other) sum += count(label, other);
  return sum;
}

std::uint64_t Evaluation::predicted(std::size_t label) const {
  std::uint64_t sum = 0;
  for (std::size_t other = 0; other < labels.size(); ++other) sum += count(other, label);
  return sum;
}

double Evaluation::precision(std::size_t label) const { return ratio(count(label, label), predicted(label)); }

double Evaluation::recall(std::size_t label) const { return ratio(count(label, label), actual(label)); }

double Evaluation::accuracy() const { return ratio(correct, examples); }

double Evaluation::majority_error() const {
  std::uint64_t most = 0;
  for (std::size_t label = 0; label < labels.size(); ++label) most = std::max(most, actual(label));
  for (const auto& [text, count] : unknown) most = std::max(most, count);
  return ratio(examples - most, examples);
}

Evaluation evaluate(const Model& model, Source& source, unsigned threads, const std::function<bool()>& stopped,
                    const std::function<void(const Batch&)>& each) {
  const auto begin = std::chrono::steady_clock::now();
  Evaluation result;
  result.labels.assign(model.labels().begin(), model.labels().end());
  result.confusion.assign(result.labels.size() * result.labels.size(), 0);
  Model::LabelMap classes_of(model);
  std::vector<std::string> texts;
  std::vector<Prediction> predictions;
  Batch batch;
  while (!stopped() && source.next(batch)) {
    if (each) each(batch);
    require_labels(batch, source, result.examples);
    texts.insert(texts.end(), batch.new_labels.begin(), batch.new_labels.end());
    result.ignored_values += model.predict(batch, predictions, threads);
    count_batch(result, batch, classes_of(batch), predictions, texts);
  }
  result.stopped = stopped();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace kinglet
