// Comparing learners: all get the same rows, the ranking is right, and each option reaches the learners that have it.
#include "lab/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "data/text_source.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const Dataset> generated(const std::string& spec) {
  return std::make_shared<const Dataset>(Dataset::read(*open_source(spec, {})));
}

std::string names(const std::vector<Contestant>& list) {
  std::string text;
  for (const Contestant& one : list) {
    text += one.algorithm + (one.budget ? ":" + std::to_string(*one.budget) : "") + " ";
  }
  return text;
}

TEST(Contestants, AreAlgorithmsTimesBudgets) {
  EXPECT_EQ(names(contestants({"bpegasos", "pa1", "rbp"}, {50, 100}, {})),
            "bpegasos:50 bpegasos:100 pa1 rbp:50 rbp:100 ");
  EXPECT_EQ(names(contestants({"bpegasos", "bpegasos"}, {}, {})), "bpegasos:500 ");
  EXPECT_GT(contestants({"all"}, {100}, {}).size(), 30U);
  for (const Contestant& one : contestants({"budgeted"}, {100}, {})) EXPECT_EQ(one.budget, 100U) << one.algorithm;
}

TEST(Contestants, TakeTheOptionsThatTheyHave) {
  const auto list = contestants({"bpegasos", "pa1"}, {}, {{"lambda", "1e-4"}, {"gamma", "2"}, {"C", "3"}});
  EXPECT_EQ(list[0].options.text("lambda"), "1e-4");
  EXPECT_EQ(list[0].options.text("gamma"), "2");
  EXPECT_THAT(list[0].left_out, ElementsAre("C"));
  EXPECT_EQ(list[1].options.text("C"), "3");
  EXPECT_THAT(list[1].left_out, ElementsAre("lambda"));
}

// degree is an option only of some kernels, and the kernel is given after it.
TEST(Contestants, TakeOptionsThatDependOnOthers) {
  const auto list = contestants({"rbp"}, {}, {{"degree", "2"}, {"kernel", "poly"}});
  EXPECT_EQ(list[0].options.text("degree"), "2");
  EXPECT_THAT(list[0].left_out, IsEmpty());
}

TEST(Contestants, AreRefusedWithTheReason) {
  EXPECT_THROW(contestants({"bpegasus"}, {}, {}), Error);
  EXPECT_THROW(contestants({"bpegasos"}, {}, {{"eta", "1"}}), Error);
  EXPECT_THROW(contestants({"bpegasos"}, {}, {{"gamma", "-1"}}), Error);
  const auto some = contestants({"all"}, {20}, {{"task", "regress"}});
  const auto refused = std::ranges::count_if(some, [](const Contestant& one) { return !one.problem.empty(); });
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, static_cast<std::ptrdiff_t>(some.size()));
}

ComparePlan small_plan() {
  ComparePlan plan;
  plan.data = generated("gen:checkerboard?n=1500");
  plan.runs = 3;
  plan.threads = 2;
  return plan;
}

// Runs each trial of the comparison once more, alone and on the same shuffle, and expects the same scores.
TEST(CompareThreads, TrialsAreThoseOfTheShufflesAlone) {
  ComparePlan plan = small_plan();
  plan.test = generated("gen:checkerboard?n=500&seed=9");
  plan.seed = 5;
  const auto list = contestants({"bpegasos", "stoptron"}, {30}, {{"gamma", "4"}});
  const Comparison result = compare(list, plan);
  ASSERT_EQ(result.standings.size(), 2U);
  EXPECT_EQ(result.trials, 3U);
  for (const Standing& standing : result.standings) {
    ASSERT_EQ(standing.scores.size(), 3U);
    for (std::size_t run = 0; run < 3; ++run) {
      Trial trial{.options = list[standing.contestant].options};
      trial.options.set("seed", std::to_string(5 + run));
      trial.data = [&] { return read_rows(plan.data, shuffled(all_rows(*plan.data), 5 + run)); };
      trial.test = [&] { return read_rows(plan.test, all_rows(*plan.test)); };
      const TrialOutcome outcome = run_trial(trial, {});
      EXPECT_EQ(standing.scores[run], outcome.test->accuracy());
      EXPECT_EQ(standing.online_errors[run], outcome.progress.online_error());
    }
  }
}

TEST(CompareThreads, TheBestIsFirstAndOthersAreTestedAgainstIt) {
  const ComparePlan plan = small_plan();
  const Comparison result = compare(contestants({"stoptron", "bpegasos", "pa1"}, {30}, {{"gamma", "4"}}), plan);
  EXPECT_TRUE(result.progressive);
  EXPECT_NEAR(result.baseline, 0.5, 0.05);
  ASSERT_EQ(result.standings.size(), 3U);
  for (std::size_t i = 0; i + 1 < result.standings.size(); ++i) {
    EXPECT_GE(summary_of(result.standings[i].scores).mean, summary_of(result.standings[i + 1].scores).mean);
  }
  EXPECT_FALSE(result.standings[0].p);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(result.standings[i].p, paired_t_test(result.standings[i].scores, result.standings[0].scores));
  }
}

TEST(CompareThreads, FoldsTestEveryRowOnce) {
  ComparePlan plan = small_plan();
  plan.folds = 4;
  plan.runs = 2;
  const Comparison result = compare(contestants({"bpegasos"}, {30}, {{"gamma", "4"}}), plan);
  EXPECT_EQ(result.trials, 8U);
  std::uint64_t tested = 0;
  for (const TrialOutcome& outcome : result.outcomes[0]) tested += outcome.test->examples;
  EXPECT_EQ(tested, 2 * plan.data->rows());
}

TEST(CompareThreads, InOrderLearnsTheRowsAsTheyStand) {
  ComparePlan plan = small_plan();
  plan.in_order = true;
  plan.runs = 1;
  const Comparison result = compare(contestants({"bpegasos"}, {30}, {{"gamma", "4"}}), plan);
  Model model({{"algo", "bpegasos"}, {"budget", "30"}, {"gamma", "4"}});
  train(model, *open_source("gen:checkerboard?n=1500", {}), {}, {});
  EXPECT_EQ(result.outcomes[0][0].progress.mistakes, model.progress().mistakes);
}

TEST(CompareThreads, OfNumbersTheLeastErrorIsBest) {
  ComparePlan plan;
  plan.data =
      std::make_shared<const Dataset>(Dataset::read(*open_source("gen:friedman?n=600", {.numeric_labels = true})));
  plan.runs = 2;
  const Comparison result = compare(contestants({"bmp", "bnorma"}, {100}, {{"task", "regress"}}), plan);
  EXPECT_TRUE(result.regression);
  EXPECT_LE(summary_of(result.standings[0].scores).mean, summary_of(result.standings[1].scores).mean);
  EXPECT_GT(result.baseline, summary_of(result.standings[0].scores).mean);
}

TEST(CompareThreads, ALearnerThatCannotBeJudgedSaysWhy) {
  const Comparison result = compare(contestants({"svm", "bpegasos"}, {30}, {{"gamma", "4"}}), small_plan());
  EXPECT_EQ(result.standings.back().contestant, 0U);
  EXPECT_THAT(result.standings.back().problem.text(), HasSubstr("test or folds"));
  EXPECT_TRUE(result.standings.front().problem.empty());
}

TEST(CompareThreads, StoppedCountsOnlyTrialsThatEverybodyHas) {
  ComparePlan plan = small_plan();
  plan.threads = 1;
  std::atomic<std::size_t> seen = 0;
  const Comparison result = compare(
      contestants({"bpegasos", "rbp"}, {30}, {{"gamma", "4"}}), plan,
      [&](const Comparison&, std::size_t done, std::size_t total) {
        EXPECT_EQ(total, 6U);
        seen = done;
      },
      [&] { return seen >= 3; });
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.trials, 1U);
  for (const Standing& standing : result.standings) EXPECT_EQ(standing.scores.size(), 1U);
}

}  // namespace
}  // namespace kinglet
