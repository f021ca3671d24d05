// Makes the observers that the flags ask for, and connects them: queries and judgements depend on when a label is
// known.
#include "cli/train_observers.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/model_access.hpp"

namespace kinglet::cli {
namespace {

// Predicts a batch of one row.
std::function<Prediction(const Batch&)> one_by_one(const Model& model) {
  return [&model, predictions = std::vector<Prediction>()](const Batch& row) mutable {
    predict_into(model, row, predictions);
    return predictions[0];
  };
}

// The rows of these data whose labels are known from an earlier run: not that of an open query, whose label is asked
// for again. Nullopt: the model has learned other data.
std::optional<std::uint64_t> rows_learned(const Model& model) {
  const std::uint64_t row = position_of(model).row;
  if (row == 0) return model.has_learned() ? std::nullopt : std::optional(row);
  return row - (open_query(model) ? 1 : 0);
}

// With --delay: asks for the label of a row as soon as it arrives.
void ask_on_arrival(Labeller& labeller, DelayedLabels& delayed, const Model& model) {
  const std::uint64_t first = model.progress().examples - position_of(model).row + 1;  // the id of the pass's first row
  delayed.on_arrival([&, first](const Batch& row, std::uint64_t before, const std::optional<Prediction>& prediction) {
    labeller.ask_early(row, first + before, prediction);
  });
}

// Asks the labeller. The judge gets its answers with the predictions that the queries showed; `delayed` is null without
// --delay.
Oracle oracle_of(Labeller& labeller, StreamJudge* judge, DelayedLabels* delayed) {
  return [&labeller, judge, delayed](const Query& query) {
    if (delayed != nullptr && delayed->all_arrived()) labeller.end_early();
    std::optional<std::string> label = labeller(query);
    std::optional<Prediction> prediction = query.prediction;
    // A query about other data, which an earlier run left open, has no prediction of its arrival.
    if (delayed != nullptr) prediction = labeller.has_asked_early(query.example) ? delayed->take() : std::nullopt;
    if (judge != nullptr && prediction && label && !label->empty()) judge->add(*prediction, *label);
    return label;
  };
}

}  // namespace

TrainObservers::TrainObservers(const TrainFlags& flags, const Model& model, Source& source) : data(source) {
  if (has_labeller(flags)) labeller.emplace(flags.query_out, flags.labels_in, model);
  if (!flags.report.empty()) record.emplace(model, flags.delay == 0);
  if (flags.delay > 0) delayed.emplace(source, flags.delay, rows_learned(model), one_by_one(model));
  if (delayed || flags.metrics) judge.emplace(model, flags.delay, delayed && !labeller ? &*delayed : nullptr);
  if (record && delayed) {
    judge->on_judgement([&](double loss, ClassId truth, ClassId predicted) { record->judge(loss, truth, predicted); });
  }
  if (labeller && delayed) ask_on_arrival(*labeller, *delayed, model);
}

Oracle TrainObservers::oracle() {
  if (!labeller) return {};
  return oracle_of(*labeller, judge ? &*judge : nullptr, delayed ? &*delayed : nullptr);
}

}  // namespace kinglet::cli
