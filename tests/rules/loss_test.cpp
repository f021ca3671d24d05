#include "rules/loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "rules/update_test.hpp"

namespace kinglet {
namespace {

const std::map<std::string, std::function<double(double)>> kLosses{
    {"hinge", [](double m) { return std::max(0.0, 1 - m); }},
    {"squared-hinge", [](double m) { return 0.5 * std::max(0.0, 1 - m) * std::max(0.0, 1 - m); }},
    {"logistic", [](double m) { return std::log1p(std::exp(-m)); }},
    {"ramp", [](double m) { return std::min(2.0, std::max(0.0, 1 - m)); }},
};

TEST(Loss, SlopeIsTheDerivative) {
  for (const auto& [name, loss] : kLosses) {
    const Loss slope_of(complete_options({{"algo", "ogd"}, {"loss", name}}));
    for (double m = -4.03; m < 4; m += 0.1) {
      EXPECT_NEAR(slope_of.slope(m), -(loss(m + 1e-6) - loss(m - 1e-6)) / 2e-6, 1e-6) << name << ' ' << m;
    }
  }
}

TEST(Loss, GoesWithItsTask) {
  EXPECT_NO_THROW(complete_options({{"algo", "ogd"}, {"task", "regress"}, {"loss", "squared"}}));
  EXPECT_THROW(complete_options({{"algo", "ogd"}, {"task", "regress"}, {"loss", "hinge"}}), Error);
  EXPECT_THROW(complete_options({{"algo", "ogd"}, {"loss", "epsilon"}}), Error);
  EXPECT_EQ(complete_options({{"algo", "ogd"}}).text("loss"), "hinge");
  EXPECT_EQ(complete_options({{"algo", "ogd"}, {"task", "regress"}}).text("loss"), "epsilon");
}

// In regression the margin is 1 − |y − f|. The loss ½ (y − f)² has the slope |y − f|.
TEST(Loss, OfRegressionIsTheSquaredError) {
  const Loss squared(complete_options({{"algo", "ogd"}, {"task", "regress"}, {"loss", "squared"}}));
  EXPECT_DOUBLE_EQ(squared.slope(1 - 2.5), 2.5);
  EXPECT_DOUBLE_EQ(squared.slope(1), 0);
}

}  // namespace
}  // namespace kinglet
