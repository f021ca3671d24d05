// Finds settings, gamma and the searchable options of an algorithm's rules, for one or several budgets.
//
//   1. For the first budget, settings spread over the whole space race along the stream (lab/race.hpp).
//   2. The best setting and its neighbours, half a step away on one or two axes, race; settings are dropped from a quarter
//      of the stream on. If a neighbour wins, it becomes the new centre; if none does, the steps are halved, once.
//   3. The next budget starts with step 2 from the best setting of the previous one, so a whole ladder of budgets costs
//      little more than its two ends.
//
// This costs about twenty passes for one budget; a grid of 77 settings with tenfold cross-validation costs about 700.
// Results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "lab/dataset.hpp"

namespace kinglet {

struct TunePlan {
  Options learner;                      // options that are not searched
  std::vector<std::string> algorithms;  // empty: the one in `learner`, or algorithm_to_search()
  std::vector<std::int64_t> budgets;    // empty: the one in `learner`, or a default ladder
  std::uint64_t memory_limit = 0;       // memory of a learner in bytes; 0: no limit
  double latency_limit = 0;             // time of a single prediction in seconds; 0: no limit
  std::uint64_t seed = 1;               // for the order of the rows
  bool in_order = false;                // keep the order of the rows, for streams that drift
  unsigned threads = 0;                 // 0: all cores
};

struct RungResult {
  std::size_t rows = 0;
  double error = 0;  // progressive error over the latest half of these rows, or RMSE; infinite if it diverged
};

struct TriedSetting {
  Options searched;
  std::vector<RungResult> rungs;  // the rungs that it reached
  Message problem;                // why it failed; empty if it did not
};

// The best setting of one algorithm with one budget.
struct Tuned {
  std::string algorithm;
  std::optional<std::int64_t> budget;  // nullopt if the algorithm has no budget
  std::string left_out;                // why it is excluded, in a few words; empty: it is not
  Options options;                     // all options to pass to train
  Options searched;                    // the options among them that were searched
  std::optional<double> error;         // nullopt if nothing was measured
  std::size_t support_vectors = 0;
  std::uint64_t memory_bytes = 0;
  double latency = 0;  // median time of a single prediction in seconds; 0 if it was not measured
  std::vector<TriedSetting> tried;
};

struct TuneResult {
  TaskKind task = TaskKind::classify;
  std::vector<Tuned> learners;      // by algorithm, then by budget
  std::optional<std::size_t> best;  // position in `learners`: the smallest error; ties go to the smaller budget
  double baseline = 0;              // the error of always predicting the most frequent class or the mean
  std::size_t rows = 0;
  std::uint64_t learned = 0;  // number of examples learned, over all settings
  double seconds = 0;         // processor time
  bool stopped = false;
};

struct RungReport {
  std::string algorithm;
  std::optional<std::int64_t> budget;
  std::size_t rows = 0;
  std::size_t left = 0;  // number of remaining settings
  Options best;
  double error = 0;  // error of the best setting
};

struct TuneEvents {
  std::function<bool()> stopped;
  std::function<void(const RungReport&)> rung;
};

// Throws Error if the options are invalid or the data cannot be used to compare settings. If `stopped` returns true,
// the result is the best so far.
TuneResult tune(std::shared_ptr<const Dataset> data, const TunePlan& plan, const TuneEvents& events = {});

}  // namespace kinglet
