// Trials: a learner with its options, training data and test data. Many trials run in parallel, one thread each;
// neither the result nor the processor time of a trial depends on how many there are.
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
  OpenSource test;  // may be empty: then there is only progressive validation
  std::uint64_t passes = 1;
};

struct TrialOutcome {
  Message problem;  // why there is no result, in one line; empty: no problem
  bool stopped = false;
  Progress progress;
  LearnerStats stats;
  double seconds = 0;  // processor time of learning, of its thread
  std::vector<ProgressLine> lines;
  std::optional<Evaluation> test;
  std::optional<double> majority_error;  // of the training data
  std::optional<double> baseline_rmse;   // likewise, in regression
  Options options;                       // with values chosen from the data
};

// `inspect`, if given, is called with the model before it is released, in the thread of the trial.
TrialOutcome run_trial(const Trial& trial, const std::function<bool()>& stopped,
                       const std::function<void(const Model&)>& inspect = {});

// Runs all trials. `done` is called after each, one call at a time. A trial that throws Error gets a problem and does
// not affect the others. Trials that did not run because of `stopped` are marked as stopped.
std::vector<TrialOutcome> run_trials(std::span<const Trial> trials, unsigned threads,
                                     const std::function<void(std::size_t, const TrialOutcome&)>& done = {},
                                     const std::function<bool()>& stopped = {});

// Processor time of the calling thread, in seconds.
double thread_seconds();

}  // namespace kinglet
