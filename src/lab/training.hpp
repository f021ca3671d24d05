// One training run: passes over a source with progressive validation (predict, then learn), checkpoints, and going on
// from one. The model that comes out does not depend on when the run was stopped and resumed. Where labels are asked for
// (active learning), a curve tells what they were good for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "kinglet/model.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

struct TrainingPlan {
  std::uint64_t passes = 1;
  std::filesystem::path checkpoint;  // the file; empty: none
  std::uint64_t every = 0;           // examples between checkpoints
  Oracle oracle;                     // who knows the labels: then those of the data are left aside. Empty: the data
};

// Progressive validation up to one count of examples. The error is the share of mistakes; of regression, the RMSE. It is
// NaN where no label was known.
struct ProgressLine {
  std::uint64_t examples = 0;
  double error_since = 0;  // among the examples since the last line
  double error_so_far = 0;
  std::optional<std::uint64_t> labels;  // these are not known inside the first batch
  std::optional<std::size_t> support_vectors;
  std::optional<double> examples_per_second;  // since the last line
};

// The curve of accuracy against labels, at 10, 20, 40, … of them (each when one more is asked for) and at the end.
struct CurvePoint {
  std::uint64_t labels = 0;
  std::uint64_t examples = 0;
  double error_since = 0;  // online, among the examples since the last point; NaN where no label was known
  std::optional<double> test_accuracy;
};

// Rows that were learned in one go.
struct LearnedPart {
  const Batch& rows;                   // as they stand in the data
  std::span<const Prediction> before;  // what was predicted of each before it was learned; of those that were taken
  double seconds = 0;
  bool timed_alone = false;  // one row, learned by itself so that the time it takes is known
};

// What a run tells its caller; each may be empty. `stopped` is asked before every batch, and within one where learning is slow.
struct TrainingEvents {
  std::function<bool()> stopped;
  std::function<void()> started;                  // the first batch is learned: all that the data decide is decided
  std::function<void(const ProgressLine&)> line;  // at 128, 256, 512, … examples and at the end
  std::function<void()> batch;                    // after every batch, or part of one
  // Likewise. Some rows of each batch are then learned one by one, so that the time one takes is known.
  std::function<void(const LearnedPart&)> learned;
  std::function<std::optional<double>()> test;  // asked for the test accuracy at the points of the curve before its end
};

struct TrainingResult {
  std::uint64_t learned = 0;  // examples in this run
  double seconds = 0;
  bool stopped = false;
  bool labels_ended = false;      // the oracle has no more answers
  std::vector<CurvePoint> curve;  // of this run; empty where all labels are learned
  // The error of always naming the most frequent class, over the last pass; none when no label was read.
  std::optional<double> majority_error;
  // Regression: the RMSE of always naming the mean, over the last pass; none when nothing was read.
  std::optional<double> baseline_rmse;
};

// Goes on at position_of(model), which is the beginning for a new model.
TrainingResult train(Model& model, Source& source, const TrainingPlan& plan, const TrainingEvents& events);

// Rows [begin, begin + n) of `batch`; new_labels are left to the caller.
void copy_rows(const Batch& batch, std::size_t begin, std::size_t n, Batch& out);

}  // namespace kinglet
