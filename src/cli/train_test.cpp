// Reading --test, and predicting it.
#include "cli/train_test.hpp"

#include <fmt/format.h>

#include "cli/data_flags.hpp"
#include "cli/model_flags.hpp"
#include "kinglet/error.hpp"
#include "lab/metrics.hpp"

namespace kinglet::cli {

std::unique_ptr<Source> open_test(const TrainFlags& flags, const Model& model) {
  DataFlags data = flags.data;
  fit_to(model, data);
  data.may_not_fit = true;
  data.skip_bad = 0;
  data.shuffle.reset();
  if (data.labels_may_be_absent && data.label_column == "none") data.label_column.reset();
  data.labels_may_be_absent = false;
  return open_data(flags.test, data);
}

void require_usable_test(const TrainFlags& flags, const Model& model) {
  const auto source = open_test(flags, model);
  Batch batch;
  source->next(batch);
  if (batch.rows() == 0) throw Error(fmt::format("{} holds no examples to test on", source->name()));
  if (Batch more; batch.rows() < kBatchRows)
    source->next(more);  // throws the error of the row after them, if it has one
  require_labels(model.task(), batch, *source, 0);
  require_fitting(model, *source, batch);
}

std::optional<double> accuracy_now(const TrainFlags& flags, const Model& model, const StopOnSignal& stop) {
  const auto test = open_test(flags, model);
  const Evaluation result = evaluate(model, *test, threads_of(flags), [&] { return stop.requested(); });
  return result.stopped ? std::nullopt : std::optional(result.accuracy());
}

void test_model(const TrainFlags& flags, Outcome& outcome, const Model& model, Source& test, StopOnSignal& stop) {
  stop.watch(test);
  const auto fits = [&](const Batch& batch) { require_fitting(model, test, batch); };
  if (!flags.report.empty()) outcome.test_record.emplace(model);
  outcome.test = evaluate(model, test, threads_of(flags), [&] { return stop.requested(); }, fits,
                          {.record = outcome.test_record ? &*outcome.test_record : nullptr});
  if (outcome.test->ignored_values > 0 && !flags.quiet) note_ignored(model, test);
  if (!outcome.training.curve.empty()) outcome.training.curve.back().test_accuracy = outcome.test->accuracy();
}

}  // namespace kinglet::cli
