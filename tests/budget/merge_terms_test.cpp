// Merging two terms. tests/expansion/expansion_test.cpp compares the merged function with the formulas.
#include "budget/merge_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "expansion/expansion_twins.hpp"

namespace kinglet {
namespace {

TEST(MergeTerms, OutOfRangeIsAnErrorThatLeavesEverythingAsItWas) {
  Expansion f(kGaussian, {.dimension = 1, .classes = 2}, 2, 8);
  const std::vector<float> x{0.5F};
  AlignedFloats row(16, 1.0F);
  const std::vector<double> weights{0.5, 0.9e18};
  f.append({Features::dense(x), row.data(), 1, weights});
  f.append({Features::dense(x), row.data(), 1, weights});
  EXPECT_THROW(merge_terms(f, 0, 1, 1, 0.5), Error);
  ASSERT_EQ(f.size(), 2U);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(f.coefficient(j, 0), 0.5);
    EXPECT_NEAR(f.coefficient(j, 1), 0.9e18, 1e12);
  }
}

// merge_in() merges a new term directly, except if the norm is maintained: then it appends the term first. One of the
// twins maintains the norm, so that the test compares both ways.
TEST(MergeTerms, ANewTermMergesAsOneThatWasAppendedFirst) {
  for (const std::size_t outputs : {1, 3}) {
    Twins direct(outputs, 31, {.loss = true}), appended(outputs, 31, {.norm = true, .loss = true});
    for (int i = 0; i < 20; ++i) {
      direct.append();
      appended.append();
    }
    int compared = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      const double h = static_cast<double>(i % 11) / 10;
      direct.merge_in(i % 20, h);
      appended.merge_in(i % 20, h);
      ASSERT_EQ(direct.f().size(), 20U);
      ASSERT_EQ(appended.f().size(), 20U);
      const double loss = direct.function().loss->value();
      if (std::isfinite(loss)) {  // the new term is not 0
        ASSERT_NEAR(appended.function().loss->value(), loss, 1e-3 * (1 + loss)) << i;
        ++compared;
      }
      direct.expect_same();
      appended.expect_same();
      ASSERT_FALSE(HasFatalFailure());
    }
    EXPECT_GT(compared, 100);
  }
}

TEST(MergeTerms, OneMinusExpKeepsItsDigitsNearZero) {
  for (double y = -20; y < 0; y *= 0.7) {
    if (y > -1e-30) break;
    EXPECT_NEAR(one_minus_exp(y), -std::expm1(y), 1e-7 * -std::expm1(y)) << y;
  }
  EXPECT_EQ(one_minus_exp(0), 0.0);
}

}  // namespace
}  // namespace kinglet
