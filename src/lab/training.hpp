// A training run: passes over a source with progressive validation (predict, then learn), checkpoints, and resuming
// from a checkpoint. The final model does not depend on when the run was stopped and resumed. With active learning, a
// curve shows the accuracy as a function of the number of labels.
//
// A checkpoint has a hash of the rows learned in the current pass. A run that resumes reads these rows again, checks
// their hash, and goes on with the rows after them. The last checkpoint is written at the end of the data, before
// end_pass(): so a run resumed with data that have grown goes on as if they had been complete from the beginning.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "kinglet/model.hpp"
#include "kinglet/source.hpp"
#include "lab/label_order.hpp"

namespace kinglet {

struct TrainingPlan {
  std::uint64_t passes = 1;
  std::filesystem::path checkpoint;  // the checkpoint file; empty: none
  std::uint64_t every = 0;           // examples between checkpoints
  Oracle oracle;                     // answers queries instead of the labels in the data; empty: use the data
  double line_seconds = 10;          // a progress line comes at the latest after so many seconds, if rows came
};

// Progressive validation up to some number of examples. The error is the share of mistakes, or the RMSE in regression.
// It is NaN if no label was known.
struct ProgressLine {
  std::uint64_t examples = 0;
  double error_since = 0;  // among the examples since the last line
  double error_so_far = 0;
  std::optional<std::uint64_t> labels;  // unknown inside the first batch, like the next one
  std::optional<std::size_t> support_vectors;
  std::optional<double> examples_per_second;  // since the last line
};

// A point of the curve of accuracy against labels: at 10, 20, 40, … labels (when one more is asked for) and at the end.
struct CurvePoint {
  std::uint64_t labels = 0;
  std::uint64_t examples = 0;
  double error_since = 0;  // progressive error since the last point; NaN if no label was known
  std::optional<double> test_accuracy;
};

// Rows that were learned together.
struct LearnedPart {
  const Batch& rows;                   // the original rows
  std::span<const Prediction> before;  // predictions of the rows before they were learned
  double seconds = 0;
  bool timed_alone = false;  // a single row, learned alone to measure its time
};

// What was judged so far: examples with a known label, and the sum from which their error is computed: mistakes, or
// squared errors in regression.
struct Judged {
  std::uint64_t examples = 0;
  double loss = 0;
};

// Callbacks of a run; each may be empty. `stopped` is called before every batch, and within a batch if learning is
// slow.
struct TrainingEvents {
  std::function<bool()> stopped;
  std::function<void()> started;                  // the first batch was learned, so all options are resolved
  std::function<void(bool)> unsaved;              // work begins, or ends, of which nothing could be saved
  std::function<void(const Message&)> notice;     // Model::take_notices()
  std::function<void(const ProgressLine&)> line;  // at 128, 256, 512, … examples, at the end, and by time
  std::function<void(const DriftAlarm&)> drift;   // after the rows that were learned together with the one of the alarm
  // About once a second while no rows come; with Source::rows_read().
  std::function<void(std::optional<std::uint64_t>)> waiting;
  std::function<void(const LabelOrder&)> sorted;    // once, when the rows turn out to be sorted by class
  std::function<void()> batch;                      // after every batch, or part of one
  std::function<void(const LearnedPart&)> learned;  // likewise
  bool times_rows = false;         // some rows of each batch are learned one by one to measure their time
  std::function<Judged()> judged;  // where progress lines take their errors from, instead of the model's own count
  std::function<std::optional<double>()> test;  // returns the test accuracy at points of the curve before its end
};

struct TrainingResult {
  std::uint64_t learned = 0;  // examples learned in this run
  double seconds = 0;
  bool stopped = false;
  bool labels_ended = false;      // the oracle has no more answers
  std::vector<CurvePoint> curve;  // of this run; empty without active learning
  // The error of always predicting the most frequent class, in the last pass; nullopt if no label was read.
  std::optional<double> majority_error;
  // In regression: the RMSE of always predicting the mean, in the last pass; nullopt if nothing was read.
  std::optional<double> baseline_rmse;
};

// Goes on at position_of(model), which is the beginning for a new model. If it throws, the model keeps what it has
// learned.
TrainingResult train(Model& model, Source& source, const TrainingPlan& plan, const TrainingEvents& events);

}  // namespace kinglet
