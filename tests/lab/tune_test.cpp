// Tuning: it improves on the defaults, has a known cost, respects limits, and does not depend on the number of threads.
#include "lab/tune.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "data/text_source.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "lab/trial.hpp"
#include "learn/make_learner.hpp"

namespace kinglet {
namespace {

std::shared_ptr<const Dataset> generated(const std::string& spec, bool numbers = false) {
  return std::make_shared<const Dataset>(Dataset::read(*open_source(spec, {.numeric_labels = numbers})));
}

double test_error(const Options& options, const std::shared_ptr<const Dataset>& data, const std::string& fresh) {
  const Trial trial{.options = options,
                    .data = [&] { return read_rows(data, shuffled(all_rows(*data), 5)); },
                    .test = [&] { return open_source(fresh, {}); }};
  const TrialOutcome outcome = run_trial(trial, {});
  EXPECT_EQ(outcome.problem, "");
  return 1 - outcome.test->accuracy();
}

TEST(Tune, BeatsTheDefaultOnTheCheckerboard) {
  const auto data = generated("gen:checkerboard?n=16384");
  const TuneResult result = tune(data, {.budgets = {100}});
  ASSERT_TRUE(result.best);
  const Tuned& best = result.learners[*result.best];
  EXPECT_EQ(best.algorithm, "bpegasos");
  EXPECT_EQ(best.budget, 100);
  const std::string fresh = "gen:checkerboard?n=10000&seed=2";
  const double tuned = test_error(best.options, data, fresh);
  const double untuned = test_error({{"algo", "bpegasos"}, {"budget", "100"}}, data, fresh);
  EXPECT_LT(tuned, 0.06);
  EXPECT_LT(tuned, untuned / 2);
  EXPECT_NEAR(*best.error, tuned, 0.03);
  EXPECT_NEAR(result.baseline, 0.5, 0.02);
  EXPECT_LE(best.support_vectors, 100U);
  EXPECT_GT(best.latency, 0);
}

TEST(Tune, CostsLittleMoreThanSomeTwentyPasses) {
  const auto data = generated("gen:checkerboard?n=40000");
  const TuneResult result = tune(data, {.budgets = {30}});
  EXPECT_LT(result.learned, 35 * data->rows());
  EXPECT_GT(result.learned, 5 * data->rows());
  EXPECT_EQ(result.rows, 40000U);
}

TEST(TuneThreads, TheThreadsMakeNoDifference) {
  const auto data = generated("gen:checkerboard?n=6000&noise=0.1");
  TuneResult results[2];
  for (const unsigned threads : {1U, 3U}) {
    results[threads / 2] = tune(data, {.budgets = {20, 40}, .threads = threads});
  }
  EXPECT_EQ(results[0].learned, results[1].learned);
  EXPECT_EQ(results[0].best, results[1].best);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(results[0].learners[i].options.all(), results[1].learners[i].options.all());
    EXPECT_EQ(results[0].learners[i].error, results[1].learners[i].error);
    EXPECT_EQ(results[0].learners[i].tried.size(), results[1].learners[i].tried.size());
  }
}

TEST(Tune, KeepsWhatIsGiven) {
  const auto data = generated("gen:checkerboard?n=3000");
  const TuneResult result = tune(data, {.learner = {{"gamma", "3"}, {"budget", "20"}, {"scale", "minmax"}}});
  const Tuned& best = result.learners.at(0);
  EXPECT_EQ(best.options.text("gamma"), "3");
  EXPECT_EQ(best.options.text("budget"), "20");
  EXPECT_EQ(best.options.text("scale"), "minmax");
  EXPECT_EQ(best.searched.all().size(), 1U);
  for (const TriedSetting& tried : best.tried) EXPECT_TRUE(tried.searched.has("lambda"));
}

TEST(Tune, RulesThatAreNoPresetHaveTheirOwnName) {
  const auto data = generated("gen:gauss?n=500");
  const TuneResult result = tune(data, {.learner = {{"update", "pegasos"}, {"maintain", "project"}}, .budgets = {10}});
  EXPECT_EQ(result.learners[0].algorithm, "pegasos + project");
  EXPECT_EQ(result.learners[0].options.text("maintain"), "project");
  EXPECT_NO_THROW(make_learner(complete_options(result.learners[0].options), {.dimension = 2, .classes = 2}));
}

TEST(Tune, NothingToSearchIsOneRun) {
  const TuneResult result =
      tune(generated("gen:checkerboard?n=3000"), {.learner = {{"gamma", "8"}, {"lambda", "1e-4"}, {"budget", "20"}}});
  EXPECT_EQ(result.learners.at(0).tried.size(), 1U);
  EXPECT_TRUE(result.learners[0].error);
}

TEST(Tune, ALargerBudgetStartsFromTheSmallerOne) {
  const auto data = generated("gen:checkerboard?n=24000");
  const TuneResult result = tune(data, {.budgets = {60, 30, 60}});
  ASSERT_EQ(result.learners.size(), 2U);
  EXPECT_EQ(result.learners[0].budget, 30);
  EXPECT_LT(result.learners[1].tried.size(), result.learners[0].tried.size());
  EXPECT_LT(*result.learners[1].error, *result.learners[0].error);
  EXPECT_EQ(result.best, 1U);
}

TEST(Tune, MemoryLimitsTheBudget) {
  const auto data = generated("gen:checkerboard?n=2000");
  const TuneResult given = tune(data, {.budgets = {20, 100000}, .memory_limit = 20'000});
  EXPECT_EQ(given.learners[0].left_out, "");
  EXPECT_NE(given.learners[1].left_out, "");
  EXPECT_TRUE(given.learners[1].tried.empty());
  EXPECT_EQ(given.best, 0U);
  const TuneResult ladder = tune(data, {.memory_limit = 20'000});
  for (const Tuned& tuned : ladder.learners) {
    EXPECT_EQ(tuned.left_out, "");
    EXPECT_LE(tuned.memory_bytes, 20'000U);
  }
  const Tuned& largest = ladder.learners.back();
  EXPECT_GT(largest.memory_bytes, 18'000U) << "the last one takes what there is";
  EXPECT_THROW(tune(data, {.memory_limit = 100}), Error);
}

TEST(Tune, LatencyLimitsTheBudget) {
  const TuneResult result = tune(generated("gen:checkerboard?n=2000"), {.budgets = {10, 20}, .latency_limit = 1e-12});
  EXPECT_FALSE(result.best);
  EXPECT_NE(result.learners[0].left_out, "");
  EXPECT_TRUE(result.learners[1].tried.empty()) << "a larger one is not faster";
}

TEST(Tune, ComparesAlgorithms) {
  const TuneResult result =
      tune(generated("gen:checkerboard?n=4000"), {.algorithms = {"rbp", "bpegasos"}, .budgets = {20}});
  ASSERT_EQ(result.learners.size(), 2U);
  EXPECT_EQ(result.learners[0].algorithm, "rbp");
  EXPECT_EQ(result.learners[1].options.text("algo"), "bpegasos");
  EXPECT_EQ(result.best, 1U);
}

TEST(Tune, LearnersWithoutABudget) {
  const TuneResult result = tune(generated("gen:checkerboard?n=1000"), {.algorithms = {"svm"}});
  ASSERT_TRUE(result.best);
  EXPECT_FALSE(result.learners[0].budget);
  EXPECT_LT(*result.learners[0].error, 0.15);
}

// The rows of `data` with all labels multiplied by `unit`, written as CSV text and read again.
std::shared_ptr<const Dataset> in_another_unit(const Dataset& data, double unit) {
  std::string text;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    text += std::to_string(unit * static_cast<double>(data.batch().targets[i]));
    for (std::size_t f = 0; f < data.dimension(); ++f) {
      text += "," + std::to_string(data.batch().values[i * data.dimension() + f]);
    }
    text += "\n";
  }
  return std::make_shared<const Dataset>(Dataset::read(*read_memory(text, {.numeric_labels = true})));
}

TEST(Tune, NumbersOfAnyUnit) {
  const auto data = generated("gen:friedman?n=4000", true);
  for (const char* scale : {"standard", "none"}) {
    for (const double unit : {1.0, 1000.0}) {
      const Options options{{"task", "regress"}, {"budget", "50"}, {"target-scale", scale}};
      const TuneResult result = tune(in_another_unit(*data, unit), {.learner = options});
      EXPECT_LT(*result.learners.at(0).error, 0.6 * result.baseline) << unit << " " << scale;
    }
  }
}

TEST(Tune, RefusesWhatHasNothingToJudgeBy) {
  const auto normal = std::make_shared<const Dataset>(Dataset::read(*read_memory("1 1:1\n1 1:2\n1 1:3\n", {})));
  EXPECT_THROW(tune(normal, {.learner = {{"task", "novelty"}}}), Error);
  EXPECT_THROW(tune(normal, {.algorithms = {"nosuch"}}), Error);
  EXPECT_THROW(tune(normal, {.learner = {{"lambda", "-1"}}}), Error);
}

TEST(Tune, StopsWithTheBestSoFar) {
  std::atomic<int> rungs = 0;
  TuneEvents events;
  events.stopped = [&] { return rungs == 3; };
  events.rung = [&](const RungReport& report) {
    ++rungs;
    EXPECT_GT(report.left, 0U);
    EXPECT_TRUE(report.best.has("gamma"));
  };
  const TuneResult result = tune(generated("gen:checkerboard?n=20000"), {.budgets = {20, 50}}, events);
  EXPECT_TRUE(result.stopped);
  ASSERT_EQ(result.learners.size(), 1U);
  EXPECT_TRUE(result.best);
  EXPECT_EQ(rungs, 3);
}

}  // namespace
}  // namespace kinglet
