// Finding settings: gamma and what the rules of an algorithm leave to choose, for one budget or several.
//
//   1. The first budget: settings spread over the whole space race along the stream (lab/race.hpp).
//   2. The best and its neighbours, half a step away on one axis or two, race from a quarter of the stream on. Where a
//      neighbour wins it is the new middle; where none does, the steps are halved, once.
//   3. The next budget starts with 2. from the best of the one before, so a whole ladder of budgets costs little more than
//      each of its ends.
//
// All in all that is the work of some twenty passes for a budget, where a grid of 77 settings with tenfold cross-validation
// takes about 700. Nobody's result depends on the number of threads.
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
  std::vector<std::string> algorithms;  // empty: the one of `learner`, or the default
  std::vector<std::int64_t> budgets;    // empty: the one of `learner`, or a ladder of them
  std::uint64_t memory_limit = 0;       // bytes that a learner may hold; 0: no limit
  double latency_limit = 0;             // seconds that a single prediction may take; 0: no limit
  std::uint64_t seed = 1;               // of the order of the rows
  bool in_order = false;                // the rows as they come, for streams that drift
  unsigned threads = 0;                 // 0: all cores
};

struct RungResult {
  std::size_t rows = 0;
  double error = 0;  // progressive, of the latest half of these rows: share of mistakes, or RMSE. Infinite: diverged
};

struct TriedSetting {
  Options searched;
  std::vector<RungResult> rungs;  // as far as it came
  std::string problem;            // why it could not go on; empty: it could
};

// The best setting of one algorithm with one budget.
struct Tuned {
  std::string algorithm;
  std::optional<std::int64_t> budget;  // none where the algorithm takes none
  std::string left_out;                // why it may not win, in a few words; empty: it may
  Options options;                     // all that is to be given to train
  Options searched;                    // the part of it that was searched
  std::optional<double> error;         // none where nothing was measured
  std::size_t support_vectors = 0;
  std::uint64_t memory_bytes = 0;
  double latency = 0;  // seconds of a single prediction, the median; 0 where nothing was measured
  std::vector<TriedSetting> tried;
};

struct TuneResult {
  TaskKind task = TaskKind::classify;
  std::vector<Tuned> learners;      // by algorithm, then by budget
  std::optional<std::size_t> best;  // of `learners`: the least error, then the smaller budget
  double baseline = 0;              // the error of always naming the most frequent class, or the mean
  std::size_t rows = 0;
  std::uint64_t learned = 0;  // examples, over all settings
  double seconds = 0;         // processor time
  bool stopped = false;
};

struct RungReport {
  std::string algorithm;
  std::optional<std::int64_t> budget;
  std::size_t rows = 0;
  std::size_t left = 0;  // settings that go on
  Options best;
  double error = 0;  // of the best
};

struct TuneEvents {
  std::function<bool()> stopped;
  std::function<void(const RungReport&)> rung;
};

// Throws Error where the options cannot be, or the data have nothing to judge by. When `stopped` says so it returns with
// the best so far.
TuneResult tune(std::shared_ptr<const Dataset> data, const TunePlan& plan, const TuneEvents& events = {});

}  // namespace kinglet
