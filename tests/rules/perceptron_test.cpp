#include <gtest/gtest.h>

#include "kinglet/error.hpp"
#include "rules/update_test.hpp"

namespace kinglet {
namespace {

TEST(Perceptron, StepsBy1OnMistakesAndTies) {
  const auto rule = make_update("perceptron", {});
  EXPECT_EQ(ask(*rule, {.margin = -0.1}).step, 1);
  EXPECT_EQ(ask(*rule, {.margin = 0}).step, 1);
  EXPECT_EQ(ask(*rule, {.margin = 1e-9}).step, 0);
  EXPECT_EQ(ask(*rule, {.margin = -2, .weight = 3}).step, 3);
}

TEST(Perceptron, WithAMarginAlsoOnExamplesThatAreJustRight) {
  const auto rule = make_update("perceptron", {{"margin", "0.5"}});
  EXPECT_EQ(ask(*rule, {.margin = 0.5}).step, 1);
  EXPECT_EQ(ask(*rule, {.margin = 0.51}).step, 0);
}

TEST(Ogd, TakesStepsOfEtaAndShrinksByAConstantFactor) {
  const auto rule = make_update("ogd", {{"lambda", "0.1"}, {"eta", "0.5"}});
  for (int t = 0; t < 5; ++t) {
    EXPECT_DOUBLE_EQ(ask(*rule, {.margin = 0.9}).step, 0.5);
    EXPECT_DOUBLE_EQ(ask(*rule, {.margin = 0.9}).shrink, 0.95);
    EXPECT_EQ(ask(*rule, {.margin = 1}).step, 0);
    EXPECT_DOUBLE_EQ(ask(*rule, {.margin = 1}).shrink, 0.95);
  }
  EXPECT_THROW(make_update("ogd", {{"lambda", "1"}, {"eta", "1"}}), Error);
}

TEST(UpdateRules, ThatLearnClassesOnlyRefuseOtherTasks) {
  for (const char* name : {"perceptron", "mira", "oskl"}) {
    for (const char* task : {"regress", "novelty"}) {
      EXPECT_THROW(complete_options({{"update", name}, {"maintain", "stop"}, {"task", task}}), Error)
          << name << ' ' << task;
    }
  }
}

}  // namespace
}  // namespace kinglet
