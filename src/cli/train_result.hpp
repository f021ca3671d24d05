// The result of `train`, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/json.hpp"
#include "cli/train_flags.hpp"
#include "kinglet/model.hpp"
#include "lab/metrics.hpp"
#include "lab/stream_metrics.hpp"
#include "lab/stream_record.hpp"
#include "lab/training.hpp"

namespace kinglet::cli {

// With --metrics or --delay.
struct StreamResult {
  StreamMetrics metrics;
  Judged judged;

  double error() const { return judged.loss / static_cast<double>(judged.examples); }  // of classes
  double rmse() const;
};

struct Outcome {
  TrainingResult training;
  std::uint64_t skipped = 0;  // bad rows, with --skip-bad
  DataGaps gaps;              // missing values and labels
  std::string model;          // the file with the model; empty: it was not saved
  std::optional<Evaluation> test;
  std::optional<StreamRecord> test_record;  // with --report and --test
  std::optional<StreamResult> stream;
};

// Why no prediction along the stream was judged.
std::string not_judged_text(const TrainFlags& flags, const Model& model);

std::string result_text(const TrainFlags& flags, const Outcome& outcome, const Model& model);
Json result_json(const TrainFlags& flags, const Outcome& outcome, const Model& model);

}  // namespace kinglet::cli
