// Races of settings: which settings are eliminated and by which error, independent of the number of threads.
#include "lab/race.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <list>

#include "lab/training.hpp"

namespace kinglet {
namespace {

std::shared_ptr<const Dataset> generated(const std::string& spec, bool numbers = false) {
  return std::make_shared<const Dataset>(Dataset::read(*open_source(spec, {.numeric_labels = numbers})));
}

std::list<Entrant> entrants() {
  std::list<Entrant> list;
  for (const char* gamma : {"0.01", "0.1", "1", "8", "100", "1000"}) {
    list.push_back({.options = {{"algo", "bpegasos"}, {"gamma", gamma}, {"budget", "50"}}, .racers = {}});
  }
  return list;
}

std::vector<Entrant*> addresses(std::list<Entrant>& list) {
  std::vector<Entrant*> all;
  for (Entrant& entrant : list) all.push_back(&entrant);
  return all;
}

TEST(Race, RungsDoubleUpToAllRows) {
  const auto data = generated("gen:checkerboard?n=20000");
  const RaceTrack track = make_track(data, 2, 1, false, false);
  EXPECT_EQ(track.rungs, (std::vector<std::size_t>{1250, 2500, 5000, 10000, 20000}));
  EXPECT_EQ(track.streams.size(), 2U);
  EXPECT_NE(track.streams[0], track.streams[1]);
  const RaceTrack small = make_track(generated("gen:checkerboard?n=300"), 1, 1, false, false);
  EXPECT_EQ(small.rungs, std::vector<std::size_t>{300});
  const RaceTrack ordered = make_track(data, 3, 1, true, true);
  EXPECT_EQ(ordered.streams.size(), 1U);
  EXPECT_EQ(ordered.rungs.back(), 16000U);
  EXPECT_EQ(ordered.held_out.front(), 16000U);
}

TEST(Race, ARacerIsJudgedByTheLatestHalf) {
  const auto data = generated("gen:checkerboard?n=4096");
  const RaceTrack track = make_track(data, 1, 1, true, false);
  const Options options = {{"gamma", "8"}, {"budget", "50"}};
  Racer racer(options, track, 0);
  racer.run_to(track.rungs.size() - 1, {});
  Model model(options);
  const auto source = read_rows(data, all_rows(*data));
  std::vector<ProgressLine> lines;
  TrainingEvents events;
  events.line = [&](const ProgressLine& line) { lines.push_back(line); };
  train(model, *source, {}, events);
  for (std::size_t rung = 0; rung < track.rungs.size(); ++rung) {
    const auto line = std::ranges::find(lines, track.rungs[rung], &ProgressLine::examples);
    EXPECT_DOUBLE_EQ(racer.loss(rung), line->error_since) << "lines of train stand at doubling counts, too";
  }
  EXPECT_EQ(racer.model()->stats().support_vectors, model.stats().support_vectors);
}

TEST(RaceThreads, TheBestIsFoundAndTheThreadsMakeNoDifference) {
  const auto data = generated("gen:checkerboard?n=8192");
  const RaceTrack track = make_track(data, 2, 1, false, false);
  auto one = entrants();
  auto two = entrants();
  std::vector<std::size_t> left;
  const auto rung = [&](std::size_t, std::span<Entrant* const> order) { left.push_back(order.size()); };
  const auto alone = race(addresses(one), track, {.threads = 1, .rung = rung});
  const auto together = race(addresses(two), track, {.threads = 3});
  EXPECT_EQ(left, (std::vector<std::size_t>{3, 2, 2, 2}));
  ASSERT_EQ(alone.size(), together.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i]->options.text("gamma"), together[i]->options.text("gamma"));
    EXPECT_EQ(alone[i]->loss(3), together[i]->loss(3));
  }
  EXPECT_EQ(alone[0]->options.text("gamma"), "8");
  EXPECT_NE(alone[0]->racers[0].model(), nullptr);
  EXPECT_EQ(alone[1]->racers[0].model(), nullptr);
}

TEST(Race, TheChampionIsBeatenAtTheEndOrNotAtAll) {
  const RaceTrack track = make_track(generated("gen:checkerboard?n=8192"), 1, 1, false, false);
  auto list = entrants();
  const Entrant* worst = &list.back();
  const auto order = race(addresses(list), track, {.champion = worst});
  EXPECT_EQ(order.size(), 3U) << "besides the two that run to the end";
  EXPECT_EQ(order.back(), worst);
  EXPECT_EQ(worst->rungs(), track.rungs.size());
}

TEST(Race, WhoRanBeforeRunsOnlyWhatIsMissing) {
  const RaceTrack track = make_track(generated("gen:checkerboard?n=4096"), 2, 1, false, false);
  auto list = entrants();
  auto order = race(addresses(list), track, {.streams = 1});
  order = race(order, track, {.streams = 2});
  for (const Entrant* entrant : order) {
    ASSERT_EQ(entrant->racers.size(), 2U);
    EXPECT_EQ(entrant->racers[0].learned(), 4096U);
    EXPECT_EQ(entrant->racers[1].learned(), 4096U);
  }
}

TEST(Race, NumbersThatDivergeAreLast) {
  const auto data = generated("gen:friedman?n=4096", true);
  const RaceTrack track = make_track(data, 1, 1, false, false);
  std::list<Entrant> list;
  // The values of this polynomial kernel overflow.
  list.push_back({.options = {{"task", "regress"},
                              {"update", "ogd"},
                              {"eta", "1e30"},
                              {"lambda", "1e-31"},
                              {"kernel", "poly"},
                              {"degree", "9"},
                              {"gamma", "1e4"}},
                  .racers = {}});
  list.push_back({.options = {{"task", "regress"}}, .racers = {}});
  const auto order = race(addresses(list), track, {});
  EXPECT_EQ(order[0], &list.back());
  EXPECT_TRUE(std::isfinite(order[0]->loss(2)));
  EXPECT_GT(list.front().loss(0), order[0]->loss(0));
}

TEST(Race, LearnersThatLearnAtTheEndAreJudgedOnRowsHeldOut) {
  const RaceTrack track = make_track(generated("gen:checkerboard?n=3000"), 1, 1, false, true);
  std::list<Entrant> list;
  for (const char* gamma : {"0.001", "8"})
    list.push_back({.options = {{"algo", "svm"}, {"gamma", gamma}}, .racers = {}});
  const auto order = race(addresses(list), track, {});
  EXPECT_EQ(order[0], &list.back());
  EXPECT_LT(order[0]->loss(1), 0.1);
  EXPECT_EQ(order[0]->racers[0].learned(), 1200U + 2400U);
}

TEST(Race, StopsWithTheRankingSoFar) {
  const RaceTrack track = make_track(generated("gen:checkerboard?n=8192"), 1, 1, false, false);
  auto list = entrants();
  std::atomic<bool> stop = false;
  const auto order = race(addresses(list), track,
                          {.threads = 2,
                           .stopped = [&] { return stop.load(); },
                           .rung = [&](std::size_t rung, std::span<Entrant* const>) { stop = rung == 1; }});
  EXPECT_EQ(order[0]->rungs(), 2U);
  EXPECT_LE(order[0]->loss(1), order[1]->loss(1));
}

}  // namespace
}  // namespace kinglet
