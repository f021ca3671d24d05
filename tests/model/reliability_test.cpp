// Reliability: scores compared with values computed by hand.
#include "kinglet/reliability.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace kinglet {
namespace {

TEST(Reliability, KnowsNothingAtFirst) {
  const Reliability reliability;
  EXPECT_TRUE(std::isnan(reliability.brier()));
  EXPECT_TRUE(std::isnan(reliability.log_loss()));
  EXPECT_TRUE(std::isnan(reliability.calibration_error()));
  EXPECT_TRUE(std::isnan(reliability.bins[0].mean()));
}

TEST(Reliability, OfTwoClassesIsAboutTheSecond) {
  Reliability reliability;
  reliability.add(std::vector<float>{0.75F, 0.25F}, 0, 0);
  reliability.add(std::vector<float>{0.75F, 0.25F}, 0, 1);
  reliability.add(std::vector<float>{0, 1}, 1, 1);
  EXPECT_DOUBLE_EQ(reliability.brier(), (0.0625 + 0.5625) / 3);
  EXPECT_NEAR(reliability.log_loss(), -(std::log(0.75) + std::log(0.25)) / 3, 1e-12);
  EXPECT_EQ(reliability.bins[2].examples, 2u);
  EXPECT_EQ(reliability.bins[2].came_true, 1u);
  EXPECT_EQ(reliability.bins[9].examples, 1u);
  EXPECT_DOUBLE_EQ(reliability.calibration_error(), 2 * 0.25 / 3);
}

TEST(Reliability, OfMoreClassesIsAboutThePredictedOne) {
  Reliability reliability;
  reliability.add(std::vector<float>{0.5F, 0.25F, 0.25F}, 0, 2);
  EXPECT_DOUBLE_EQ(reliability.brier(), 0.25 + 0.0625 + 0.5625);
  EXPECT_EQ(reliability.bins[5].examples, 1u);
  EXPECT_EQ(reliability.bins[5].came_true, 0u);
  EXPECT_DOUBLE_EQ(reliability.calibration_error(), 0.5);
}

TEST(Reliability, SparesWhatWasSaidToBeImpossible) {
  Reliability reliability;
  reliability.add(std::vector<float>{1, 0}, 0, 1);
  EXPECT_NEAR(reliability.log_loss(), -std::log(1e-15), 1e-9);
}

}  // namespace
}  // namespace kinglet
