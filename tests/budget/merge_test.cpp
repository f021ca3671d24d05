// Merge, against its definition on small sets; the search for a partner is tested in tests/model/merge_table_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "budget/budget_test.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

TEST(Merge, NeverExceedsTheBudget) {
  Random random(1);
  for (const std::size_t budget : {1, 2, 15, 16, 17}) {
    Placed placed("merge", budget);
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(placed.place(random_vector(random, 2), random.normal()), static_cast<std::size_t>(i) >= budget);
      EXPECT_LE(placed.f().size(), budget);
    }
  }
}

TEST(Merge, PutsTwoEqualTermsInTheirMiddle) {
  Placed placed("merge", 1);
  placed.place({0, 0}, 1);
  placed.place({0.2F, 0.4F}, 1);
  ASSERT_EQ(placed.f().size(), 1U);
  std::vector<float> z(2);
  placed.f().set().copy_to(0, z);
  EXPECT_NEAR(z[0], 0.1F, 1e-3F);
  EXPECT_NEAR(z[1], 0.2F, 1e-3F);
  EXPECT_NEAR(placed.f().coefficient(0, 0), 2 * std::exp(-0.5 * 0.05), 1e-4);
}

TEST(Merge, AddsTheCoefficientsOfDuplicates) {
  Placed placed("merge", 2);
  placed.place({5, 5}, 10);
  for (int i = 0; i < 20; ++i) placed.place({1, 2}, 0.5);
  ASSERT_EQ(placed.f().size(), 2U);
  EXPECT_NEAR(placed.score({1, 2}), 10, 1e-4);
  EXPECT_NEAR(placed.score({5, 5}), 10, 1e-4);
}

TEST(Merge, PrefersASmallLossToANearVectorOfTheOtherSign) {
  Placed placed("merge", 2);
  placed.place({0, 0}, 1);
  placed.place({0.5F, 0}, -1);
  placed.place({-0.5F, 0}, 0.4);  // joins the first, not the second
  ASSERT_EQ(placed.f().size(), 2U);
  EXPECT_EQ(placed.firsts().back(), 0.5F);
  EXPECT_LT(placed.firsts().front(), 0);
}

TEST(Merge, LeavesTheHeavierOfTwoOppositesWhereItIs) {
  Placed placed("merge", 1);
  placed.place({0, 0}, 1);
  placed.place({1, 0}, -0.25);
  EXPECT_EQ(placed.firsts(), std::vector<float>{0});
  EXPECT_NEAR(placed.f().coefficient(0, 0), 1 - 0.25 * std::exp(-0.5), 1e-5);
}

TEST(Merge, OutOfTheRangeOfNumbersIsAnErrorThatLeavesTheOldTerms) {
  Placed placed("merge", 2);
  placed.place({0, 0}, 9e17);
  placed.place({1, 0}, -9e17);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(placed.place({0, 0}, 8e17), Error);
    EXPECT_EQ(placed.firsts(), (std::vector<float>{0, 1}));
    EXPECT_NEAR(placed.f().coefficient(0, 0), 9e17, 1e12);
  }
  placed.place({0, 0}, -8e17);  // and life goes on
  EXPECT_EQ(placed.f().size(), 2U);
}

TEST(Merge, NeedsTheGaussianKernel) {
  for (const Entry* kernel : kernels()) {
    const Options options{{"maintain", "merge"}, {"kernel", kernel->name}};
    if (kernel->name == "rbf") {
      EXPECT_NO_THROW(complete(options));
    } else {
      EXPECT_THROW(complete(options), Error);
    }
  }
}

}  // namespace
}  // namespace kinglet
