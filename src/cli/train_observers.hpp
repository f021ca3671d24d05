// What `train` does with the rows besides learning them, as its flags ask: record them for the report (--report), judge
// their predictions (--metrics), ask another program for their labels (--query-out), make their labels come late
// (--delay).
#pragma once

#include <optional>

#include "cli/labeller.hpp"
#include "cli/train_flags.hpp"
#include "kinglet/model.hpp"
#include "kinglet/source.hpp"
#include "lab/delayed_labels.hpp"
#include "lab/stream_metrics.hpp"
#include "lab/stream_record.hpp"

namespace kinglet::cli {

struct TrainObservers {
  // The model and the source of DATA must outlive this object.
  TrainObservers(const TrainFlags& flags, const Model& model, Source& source);
  TrainObservers(const TrainObservers&) = delete;  // they refer to each other
  TrainObservers& operator=(const TrainObservers&) = delete;

  Oracle oracle();  // asks the labeller; empty without one
  // The source of the rows to learn: that of DATA, or the one that makes their labels come late.
  Source& rows() { return delayed ? static_cast<Source&>(*delayed) : data; }

  Source& data;
  std::optional<Labeller> labeller;      // with --query-out
  std::optional<StreamRecord> record;    // with --report
  std::optional<DelayedLabels> delayed;  // with --delay
  std::optional<StreamJudge> judge;      // with --metrics or --delay
};

}  // namespace kinglet::cli
