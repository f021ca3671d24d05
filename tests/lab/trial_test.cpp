// Trials: the result does not depend on other trials running in parallel, and a learner that fails stops no other.
#include "lab/trial.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

OpenSource generated(const std::string& spec) {
  return [spec] { return open_source(spec, {}); };
}

std::vector<Trial> trials() {
  std::vector<Trial> list;
  for (const char* algorithm : {"bpegasos", "rbp", "bmp", "bogd"}) {
    list.push_back({.options = {{"algo", algorithm}, {"budget", "30"}, {"gamma", "4"}},
                    .data = generated("gen:checkerboard?n=3000"),
                    .test = generated("gen:checkerboard?n=1000&seed=2")});
  }
  return list;
}

TEST(TrialThreads, OutcomesDoNotDependOnTheThreads) {
  const auto alone = run_trials(trials(), 1);
  std::size_t done = 0;
  const auto together = run_trials(trials(), 3, [&](std::size_t, const TrialOutcome&) { ++done; });
  EXPECT_EQ(done, 4U);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i].problem, "");
    EXPECT_EQ(alone[i].progress.mistakes, together[i].progress.mistakes);
    EXPECT_EQ(alone[i].test->correct, together[i].test->correct);
    EXPECT_EQ(alone[i].stats.support_vectors, 30U);
    EXPECT_EQ(alone[i].lines.back().examples, 3000U);
    EXPECT_GT(alone[i].seconds, 0);
  }
}

TEST(TrialThreads, ARefusalIsThatTrialsAlone) {
  auto list = trials();
  list[1].options.set("lambda", "-1");
  const auto outcomes = run_trials(list, 2);
  EXPECT_NE(outcomes[1].problem, "");
  EXPECT_EQ(outcomes[0].problem, "");
  EXPECT_EQ(outcomes[3].problem, "");
}

TEST(TrialThreads, NoTrialBeginsOnceStopped) {
  std::atomic<bool> stop = false;
  const auto outcomes = run_trials(
      trials(), 1, [&](std::size_t, const TrialOutcome&) { stop = true; }, [&] { return stop.load(); });
  EXPECT_FALSE(outcomes[0].stopped);
  EXPECT_TRUE(outcomes[1].stopped);
  EXPECT_TRUE(outcomes[3].stopped);
}

TEST(Trial, ShowsItsModelBeforeDroppingIt) {
  std::uint64_t learned = 0;
  run_trial(trials()[0], {}, [&](const Model& model) { learned = model.progress().examples; });
  EXPECT_EQ(learned, 3000U);
}

}  // namespace
}  // namespace kinglet
