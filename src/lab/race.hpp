// A race of settings along a stream: all settings learn the same rows, and at each rung, twice as far as the one
// before, the worse half is dropped (successive halving: Jamieson, Talwalkar: Non-stochastic Best Arm Identification
// and Hyperparameter Optimization, AISTATS 2016). A setting is evaluated by progressive validation, that is, by its
// predictions of rows before it learns them. Only the latest half of the rows counts, because the first predictions say
// little:
//
//   error at rung t = mean loss over rows t/2 … t;   mistakes, or in regression the root mean square
//
// Learners that learn at the end of a pass are trained anew on the first t rows for each rung and evaluated on held-out
// rows. With few rows, chance has a large effect, so racers may run along several streams: the same rows in other
// orders.
//
// A result depends only on the setting, the rows and their order, not on other settings or the number of threads. So
// results of different races can be compared.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "lab/dataset.hpp"

namespace kinglet {

// The rows of a race.
struct RaceTrack {
  std::shared_ptr<const Dataset> data;
  std::vector<RowList> streams;    // the same rows in different orders, each without `held_out`
  RowList held_out;                // test rows for learners that learn at the end; else empty
  std::vector<std::size_t> rungs;  // increasing numbers of rows; the last is the length of a stream
};

// `streams` random orders that depend only on the seed; with `in_order`, only the order of the data.
RaceTrack make_track(std::shared_ptr<const Dataset> data, std::size_t streams, std::uint64_t seed, bool in_order,
                     bool learns_at_end);

// One setting along one stream.
class Racer {
 public:
  Racer(const Options& options, const RaceTrack& track, std::size_t stream);

  // Learns up to a rung, unless it has reached it or has failed. Stops between batches if `stopped` returns true.
  void run_to(std::size_t rung, const std::function<bool()>& stopped);

  bool reached(std::size_t rung) const { return losses_.size() > rung || failed(); }
  bool failed() const { return !problem_.empty(); }
  const Message& problem() const { return problem_; }  // why it failed; empty if it did not
  double loss(std::size_t rung) const;                 // mean over the rows that count; infinite if it failed
  std::uint64_t learned() const { return learned_; }   // total number of rows
  double seconds() const { return seconds_; }          // processor time
  const Model* model() const { return model_.get(); }
  void retire() { model_.reset(); }  // releases the model of a racer that will not continue

 private:
  void learn_along(std::size_t rung, const std::function<bool()>& stopped);
  void learn_afresh(std::size_t rung, const std::function<bool()>& stopped);
  double judge(const Batch& batch, std::span<const Prediction> predictions, std::size_t from);

  const RaceTrack& track_;
  Options options_;
  std::size_t stream_;
  std::unique_ptr<Model> model_;
  std::optional<Model::LabelMap> classes_of_;
  std::vector<double> losses_;  // by rung
  Message problem_;
  std::size_t at_ = 0;      // position in the stream
  double sum_ = 0;          // sum of the losses since the last rung
  std::size_t judged_ = 0;  // number of rows in that sum
  std::uint64_t learned_ = 0;
  double seconds_ = 0;
};

// A setting with its racers.
struct Entrant {
  Options options;
  std::vector<Racer> racers;  // one per stream, in the order of the streams

  double loss(std::size_t rung) const;  // mean over its racers; infinite if one failed
  std::size_t rungs() const;            // number of rungs that all its racers have reached
};

struct RaceRules {
  std::size_t first_rung = 0;  // the first rung at which settings are dropped
  std::size_t streams = 1;
  std::size_t least = 2;              // number of settings that run to the end
  const Entrant* champion = nullptr;  // never dropped: others can beat it only at the end
  unsigned threads = 0;
  std::function<bool()> stopped;
  // Called after each rung with the remaining settings, best first.
  std::function<void(std::size_t rung, std::span<Entrant* const> order)> rung;
};

// The settings that reached the end, best first; models of the others are released. If `stopped` ended the race early:
// the remaining settings, ranked by the last rung that all of them had reached.
std::vector<Entrant*> race(std::vector<Entrant*> entrants, const RaceTrack& track, const RaceRules& rules);

}  // namespace kinglet
