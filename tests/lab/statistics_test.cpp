// Means and the paired t-test, compared with numbers computed by hand and from tables of Student's distribution.
#include "lab/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace kinglet {
namespace {

TEST(Statistics, MeanAndDeviationOfASample) {
  const Summary summary = summary_of(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(summary.count, 8U);
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.deviation, std::sqrt(32.0 / 7));
  EXPECT_TRUE(std::isnan(summary_of({}).mean));
  EXPECT_TRUE(std::isnan(summary_of(std::vector<double>{3}).deviation));
  EXPECT_EQ(summary_of(std::vector<double>{3}).mean, 3);
}

// With one degree of freedom p = 1 − (2/π)·atan(t); with two p = 1 − t/√(2 + t²).
TEST(Statistics, PairedTestAgreesWithClosedForms) {
  const double one = paired_t_test(std::vector<double>{3, 1}, std::vector<double>{0, 0});  // t = 2
  EXPECT_NEAR(one, 1 - 2 / std::acos(-1.0) * std::atan(2.0), 1e-12);
  const double two = paired_t_test(std::vector<double>{3, 4, 5}, std::vector<double>{1, 1, 1});  // t = 3·√3
  const double t = 3 * std::sqrt(3.0);
  EXPECT_NEAR(two, 1 - t / std::sqrt(2 + t * t), 1e-12);
}

// With four degrees of freedom, |t| > 2.776 has probability 5 %.
TEST(Statistics, PairedTestAgreesWithTheTable) {
  const double t = 2.776445105;
  std::vector<double> differences = {-2, -1, 0, 1, 2};  // deviation √2.5
  for (double& difference : differences) difference += t * std::sqrt(2.5) / std::sqrt(5.0);
  EXPECT_NEAR(paired_t_test(differences, std::vector<double>(5, 0.0)), 0.05, 1e-9);
  EXPECT_NEAR(paired_t_test(std::vector<double>(5, 0.0), differences), 0.05, 1e-9);
}

TEST(Statistics, PairedTestOfTheExtremes) {
  const std::vector<double> a = {1, 2, 3};
  EXPECT_EQ(paired_t_test(a, a), 1);
  EXPECT_EQ(paired_t_test(a, std::vector<double>{0, 1, 2}), 0);
  EXPECT_TRUE(std::isnan(paired_t_test(std::vector<double>{1}, std::vector<double>{2})));
}

// With n = 2 pairs and overlap ½, the corrected t is 2/√(1 + n·½) = √2. With one degree of freedom, p is
// 1 − (2/π)·atan(t).
TEST(PairedTTest, FoldsThatShareWhatTheyLearnTellLess) {
  const double p = paired_t_test(std::vector<double>{3, 1}, std::vector<double>{0, 0}, 0.5);
  EXPECT_NEAR(p, 1 - 2 / std::numbers::pi * std::atan(std::sqrt(2)), 1e-9);
}

}  // namespace
}  // namespace kinglet
