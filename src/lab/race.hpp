// A race of settings along a stream: all learn the same rows side by side, and at rungs, each twice as far as the one
// before, the worse half goes (successive halving: Jamieson, Talwalkar: Non-stochastic Best Arm Identification and
// Hyperparameter Optimization, AISTATS 2016). A setting is judged by progressive validation, that is by its predictions of
// rows before it learned them, and only by those of the latest half: first steps are wild and say little about the end.
//
//   error at rung t = mean loss over rows t/2 … t;   mistakes, or for regression the root of the mean square
//
// Learners that know nothing before the end of a pass learn the first t rows afresh for each rung and are judged on rows
// held out. With few rows luck decides, so racers may run along several streams, which are the same rows in other orders.
//
// A result depends on the setting, the rows and their order alone: not on who else runs, nor on the number of threads. So
// whoever ran in one race can be compared with those of the next.
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

// What all settings run along.
struct RaceTrack {
  std::shared_ptr<const Dataset> data;
  std::vector<RowList> streams;    // the same rows in different orders, each without `held_out`
  RowList held_out;                // for learners that learn at the end; else empty
  std::vector<std::size_t> rungs;  // rising counts of rows; the last one is all of a stream
};

// `streams` orders that depend on the seed alone; with `in_order` there is one, that of the data.
RaceTrack make_track(std::shared_ptr<const Dataset> data, std::size_t streams, std::uint64_t seed, bool in_order,
                     bool learns_at_end);

// One setting along one stream.
class Racer {
 public:
  Racer(const Options& options, const RaceTrack& track, std::size_t stream);

  // Learns up to a rung, unless it is there or has failed. Stops between batches when `stopped` says so.
  void run_to(std::size_t rung, const std::function<bool()>& stopped);

  bool reached(std::size_t rung) const { return losses_.size() > rung || failed(); }
  bool failed() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }  // why it cannot go on
  double loss(std::size_t rung) const;                // mean over the rows it is judged by; infinite where it failed
  std::uint64_t learned() const { return learned_; }  // rows, all in all
  double seconds() const { return seconds_; }         // processor time
  const Model* model() const { return model_.get(); }
  void retire() { model_.reset(); }  // it will not run on

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
  std::string problem_;
  std::size_t at_ = 0;      // row of the stream
  double sum_ = 0;          // of the losses since the last rung,
  std::size_t judged_ = 0;  // and of how many rows
  std::uint64_t learned_ = 0;
  double seconds_ = 0;
};

// A setting with its racers.
struct Entrant {
  Options options;
  std::vector<Racer> racers;  // one for each stream that it has run along, the first streams first

  double loss(std::size_t rung) const;  // mean over its racers; infinite where one failed
  std::size_t rungs() const;            // how many all of its racers have reached
};

struct RaceRules {
  std::size_t first_rung = 0;  // where the first go
  std::size_t streams = 1;
  std::size_t least = 2;              // how many run to the end
  const Entrant* champion = nullptr;  // one of them who runs to the end in any case: those who beat it must do so there
  unsigned threads = 0;
  std::function<bool()> stopped;
  // After each rung, with those who go on, the best first.
  std::function<void(std::size_t rung, std::span<Entrant* const> order)> rung;
};

// Those who reached the end, the best first; models of the others are dropped. Where `stopped` cut it short: those who were
// still in, ranked by the last rung that all of them had reached.
std::vector<Entrant*> race(std::vector<Entrant*> entrants, const RaceTrack& track, const RaceRules& rules);

}  // namespace kinglet
