// The rules that remove or reject a term: none, stop, random, oldest, smallest.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "budget/budget_test.hpp"

namespace kinglet {
namespace {

std::vector<float> point(int i) { return {static_cast<float>(i), 0}; }

TEST(None, KeepsEveryTerm) {
  Placed placed("none", 0);
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(placed.place(point(i), 1));
  EXPECT_EQ(placed.f().size(), 200U);
}

TEST(Stop, KeepsTheFirstTermsAndDropsTheRest) {
  Placed placed("stop", 3);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(placed.place(point(i), 1), i >= 3);
  EXPECT_EQ(placed.firsts(), (std::vector<float>{0, 1, 2}));
}

TEST(Oldest, KeepsTheLastTerms) {
  Placed placed("oldest", 4);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(placed.place(point(i), 1 + i % 3), i >= 4);
    if (i >= 3) {
      EXPECT_EQ(placed.firsts(), (std::vector<float>{i - 3.0F, i - 2.0F, i - 1.0F, i - 0.0F}));
    }
  }
}

TEST(Smallest, KeepsTheHeaviestTerms) {
  Placed placed("smallest", 3);
  const double weights[] = {5, -1, 3, -4, 0.5, 2, -6, 3};
  for (int i = 0; i < 8; ++i) placed.place(point(i), weights[i]);
  EXPECT_EQ(placed.firsts(), (std::vector<float>{0, 3, 6}));  // weights 5, −4, −6
}

TEST(Smallest, DropsTheOldestOfEquals) {
  Placed placed("smallest", 3);
  for (int i = 0; i < 8; ++i) placed.place(point(i), i % 2 == 0 ? 1 : -1);
  EXPECT_EQ(placed.firsts(), (std::vector<float>{5, 6, 7}));
}

TEST(Smallest, MeasuresTheTermAndNotItsCoefficient) {
  Placed placed("smallest", 2, {.kind = KernelKind::linear});
  placed.place({10, 0}, 0.1);  // size 0.01 · 100
  placed.place({1, 0}, 0.9);   // size 0.81 · 1
  placed.place({2, 0}, 0.6);   // size 0.36 · 4
  EXPECT_EQ(placed.firsts(), (std::vector<float>{10, 2}));
}

TEST(Random, DropsEveryOldTermEquallyOftenAndNeverTheNewOne) {
  std::map<float, int> kept;
  constexpr int kRounds = 4000;
  Random random(7);
  for (int round = 0; round < kRounds; ++round) {
    Placed placed("random", 4);
    placed.random = random;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(placed.place(point(i), 1), i == 4);
    random = placed.random;
    for (const float first : placed.firsts()) ++kept[first];
  }
  EXPECT_EQ(kept[4], kRounds);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(kept[static_cast<float>(i)], 0.75 * kRounds, 6 * std::sqrt(kRounds * 0.1875));
}

}  // namespace
}  // namespace kinglet
