// A race of settings: runs racers on all cores and drops the worse half at each rung.
#include "lab/race.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"
#include "core/parallel.hpp"
#include "kinglet/error.hpp"
#include "lab/trial.hpp"

namespace kinglet {
namespace {

constexpr double kLost = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostRungs = 5;

// Rungs begin with the first batch, which a model learns as a whole.
std::vector<std::size_t> rungs_of(std::size_t rows) {
  std::vector<std::size_t> rungs = {rows};
  while (rungs.size() < kMostRungs && rungs.back() / 2 >= kBatchRows) rungs.push_back(rungs.back() / 2);
  std::ranges::reverse(rungs);
  return rungs;
}

}  // namespace

RaceTrack make_track(std::shared_ptr<const Dataset> data, std::size_t streams, std::uint64_t seed, bool in_order,
                     bool learns_at_end) {
  RaceTrack track;
  const RowList all = all_rows(*data);
  RowList rows = in_order ? all : shuffled(all, seed);
  if (learns_at_end) {
    const std::size_t held_out = rows.size() / 5;
    if (held_out == 0) throw Error(data->name() + ": too few rows to hold some out for testing");
    track.held_out.assign(rows.end() - static_cast<std::ptrdiff_t>(held_out), rows.end());
    rows.resize(rows.size() - held_out);
  }
  track.rungs = rungs_of(rows.size());
  track.streams.push_back(rows);
  while (!in_order && track.streams.size() < streams) {
    track.streams.push_back(shuffled(rows, seed + track.streams.size()));
  }
  track.data = std::move(data);
  return track;
}

// --- a racer ---------------------------------------------------------------------------------------------------------

Racer::Racer(const Options& options, const RaceTrack& track, std::size_t stream)
    : track_(track), options_(options), stream_(stream) {
  KINGLET_ASSERT(stream < track.streams.size());
}

double Racer::loss(std::size_t rung) const {
  if (failed()) return kLost;
  KINGLET_ASSERT(rung < losses_.size());
  return std::isfinite(losses_[rung]) ? losses_[rung] : kLost;
}

void Racer::run_to(std::size_t rung, const std::function<bool()>& stopped) {
  const double begin = thread_seconds();
  try {
    while (!reached(rung) && !(stopped && stopped())) {
      track_.held_out.empty() ? learn_along(losses_.size(), stopped) : learn_afresh(losses_.size(), stopped);
    }
  } catch (const Error& error) {  // for example, numbers overflow with this setting
    problem_ = error.message();
  }
  seconds_ += thread_seconds() - begin;
}

void Racer::learn_along(std::size_t rung, const std::function<bool()>& stopped) {
  if (model_ == nullptr) {
    model_ = std::make_unique<Model>(options_);
    classes_of_.emplace(*model_);
  }
  const RowList& rows = track_.streams[stream_];
  const std::size_t end = track_.rungs[rung];
  const auto source = read_rows(
      track_.data, {rows.begin() + static_cast<std::ptrdiff_t>(at_), rows.begin() + static_cast<std::ptrdiff_t>(end)});
  std::vector<Prediction> before;
  Batch batch;
  while (!(stopped && stopped()) && source->next(batch)) {
    if (at_ > 0) batch.new_labels.clear();
    model_->learn(batch, &before);
    const std::size_t judged_from = std::max(end / 2, at_) - at_;
    sum_ += judge(batch, before, std::min(judged_from, batch.rows()));
    at_ += batch.rows();
    learned_ += batch.rows();
  }
  if (at_ < end) return;
  losses_.push_back(sum_ / static_cast<double>(judged_));
  sum_ = 0;
  judged_ = 0;
}

void Racer::learn_afresh(std::size_t rung, const std::function<bool()>& stopped) {
  model_ = std::make_unique<Model>(options_);
  classes_of_.emplace(*model_);
  const RowList& rows = track_.streams[stream_];
  const std::size_t end = track_.rungs[rung];
  Batch batch;
  const auto source = read_rows(track_.data, {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(end)});
  while (!(stopped && stopped()) && source->next(batch)) {
    model_->learn(batch);
    learned_ += batch.rows();
  }
  if (stopped && stopped()) return;
  model_->end_pass();
  const auto test = read_rows(track_.data, track_.held_out);
  double sum = 0;
  while (test->next(batch)) sum += judge(batch, model_->predict(batch).rows, 0);
  losses_.push_back(sum / static_cast<double>(judged_));
  judged_ = 0;
}

// The sum of the losses of the rows starting at `from`.
double Racer::judge(const Batch& batch, std::span<const Prediction> predictions, std::size_t from) {
  double sum = 0;
  const auto truth = (*classes_of_)(batch);
  for (std::size_t i = from; i < batch.rows(); ++i) {
    if (model_->task() == TaskKind::regress) {
      const double error = static_cast<double>(batch.targets[i]) - static_cast<double>(predictions[i].score);
      sum += error * error;
    } else {
      sum += predictions[i].label != truth[i] ? 1 : 0;
    }
  }
  judged_ += batch.rows() - from;
  return sum;
}

// --- all of them -----------------------------------------------------------------------------------------------------

double Entrant::loss(std::size_t rung) const {
  double sum = 0;
  for (const Racer& racer : racers) sum += racer.loss(rung);
  return sum / static_cast<double>(racers.size());
}

std::size_t Entrant::rungs() const {
  std::size_t rung = 0;
  const auto all_reached = [&] {
    return std::ranges::all_of(racers, [&](const Racer& racer) { return !racer.failed() && racer.reached(rung); });
  };
  while (!racers.empty() && all_reached()) ++rung;
  return rung;
}

namespace {

void retire(Entrant& entrant) {
  for (Racer& racer : entrant.racers) racer.retire();
}

// `entrants` are sorted, best first.
void drop_the_worse(std::vector<Entrant*>& entrants, const RaceRules& rules) {
  std::size_t kept = std::max((entrants.size() + 1) / 2, std::min(rules.least, entrants.size()));
  const auto border = entrants.begin() + static_cast<std::ptrdiff_t>(kept);
  const auto champion = std::find(border, entrants.end(), rules.champion);
  if (champion != entrants.end()) {
    std::rotate(border, champion, champion + 1);
    ++kept;
  }
  for (std::size_t i = kept; i < entrants.size(); ++i) retire(*entrants[i]);
  entrants.resize(kept);
}

}  // namespace

std::vector<Entrant*> race(std::vector<Entrant*> entrants, const RaceTrack& track, const RaceRules& rules) {
  const auto is_stopped = [&] { return rules.stopped && rules.stopped(); };
  const std::size_t streams = std::min(rules.streams, track.streams.size());
  for (Entrant* entrant : entrants) {
    while (entrant->racers.size() < streams)
      entrant->racers.emplace_back(entrant->options, track, entrant->racers.size());
  }
  for (std::size_t rung = std::min(rules.first_rung, track.rungs.size() - 1); rung < track.rungs.size(); ++rung) {
    std::vector<Racer*> running;
    for (Entrant* entrant : entrants) {
      for (Racer& racer : entrant->racers) running.push_back(&racer);
    }
    parallel_for(
        running.size(), rules.threads, [&](std::size_t i) { running[i]->run_to(rung, rules.stopped); }, rules.stopped);
    if (is_stopped()) return entrants;
    std::ranges::stable_sort(entrants, {}, [&](const Entrant* entrant) { return entrant->loss(rung); });
    const bool last = rung + 1 == track.rungs.size();
    if (!last) drop_the_worse(entrants, rules);
    for (std::size_t i = 1; last && i < entrants.size(); ++i) retire(*entrants[i]);
    if (rules.rung) rules.rung(rung, entrants);
  }
  return entrants;
}

}  // namespace kinglet
