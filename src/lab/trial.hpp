// Trials: a learner with its options, data to learn and data to be measured on. Many of them run side by side, one
// thread each, so that neither the result nor the time of one depends on how many there are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "kinglet/source.hpp"
#include "lab/metrics.hpp"
#include "lab/training.hpp"

namespace kinglet {

using OpenSource = std::function<std::unique_ptr<Source>()>;  // called in the thread of its trial

struct Trial {
  Options options;
  OpenSource data;
  OpenSource test;  // may be empty: then progressive validation is all there is
  std::uint64_t passes = 1;
};

struct TrialOutcome {
  std::string problem;  // why there is no result, in one line; empty: there is one
  bool stopped = false;
  Progress progress;
  LearnerStats stats;
  double seconds = 0;  // of learning: processor time of its thread
  std::vector<ProgressLine> lines;
  std::optional<Evaluation> test;
  std::optional<double> majority_error;  // of the data that were learned
  std::optional<double> baseline_rmse;   // likewise, of regression
  Options options;                       // with what the data decided
};

// `inspect`, when given, sees the model before it is dropped, in the trial's thread.
TrialOutcome run_trial(const Trial& trial, const std::function<bool()>& stopped,
                       const std::function<void(const Model&)>& inspect = {});

// All trials; `done` is called for each as it ends, one at a time. A trial whose learner refuses (Error) has a problem
// and does not stop the others. Those that did not run because of `stopped` are marked so.
std::vector<TrialOutcome> run_trials(std::span<const Trial> trials, unsigned threads,
                                     const std::function<void(std::size_t, const TrialOutcome&)>& done = {},
                                     const std::function<bool()>& stopped = {});

// Processor time of the calling thread, in seconds.
double thread_seconds();

}  // namespace kinglet
