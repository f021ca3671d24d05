// Project, against the definition: the error of a projection is orthogonal to what it projects on.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "budget/budget_test.hpp"

namespace kinglet {
namespace {

TEST(Project, ChangesNoScoreAtTheVectorsThatStay) {
  // f − Pf is orthogonal to k(x_j, ·) for every x_j that is left: the values there are those of before.
  Random random(1);
  for (int round = 0; round < 30; ++round) {
    Placed placed("project", 8);
    Vectors seen;
    while (placed.f().size() < 8) {
      seen.push_back(random_vector(random, 2, 2));
      placed.place(seen.back(), random.normal());
    }
    for (int i = 0; i < 20; ++i) {
      const std::vector<float> x = random_vector(random, 2, 2);
      const double weight = random.normal();
      std::vector<double> before;
      for (const auto& z : seen) {
        const double k = Kernel{.kind = KernelKind::rbf, .gamma = 0.5}(Features::dense(x), Features::dense(z));
        before.push_back(placed.score(z) + weight * k);
      }
      seen.push_back(x);
      const double own = placed.score(x) + weight;
      before.push_back(own);
      EXPECT_TRUE(placed.place(x, weight));
      ASSERT_EQ(placed.f().size(), 8U);
      std::vector<float> kept(2);
      for (std::size_t j = 0; j < placed.f().size(); ++j) {
        placed.f().set().copy_to(j, kept);
        for (std::size_t s = 0; s < seen.size(); ++s) {
          if (seen[s] == kept) {
            EXPECT_NEAR(placed.score(kept), before[s], 2e-3 * (1 + std::abs(before[s])));
          }
        }
      }
    }
  }
}

TEST(Project, AbsorbsDuplicatesWithoutATrace) {
  Placed placed("project", 5);
  const std::vector<float> x{0.3F, -0.4F};
  for (int i = 0; i < 50; ++i) placed.place(x, 1);
  EXPECT_EQ(placed.f().size(), 1U);
  EXPECT_NEAR(placed.score(x), 50, 1e-3);
}

TEST(Project, IgnoresVectorsThatTheKernelCannotSee) {
  Placed placed("project", 3, {.kind = KernelKind::linear});
  placed.place({0, 0}, 1);
  EXPECT_EQ(placed.f().size(), 0U);
  placed.place({1, 0}, 1);
  placed.place({0, 0}, 5);
  placed.place({2, 0}, 1);  // in the span of the first
  EXPECT_EQ(placed.f().size(), 1U);
  EXPECT_NEAR(placed.score({1, 0}), 3, 1e-5);
  placed.place({1, 1}, 1);
  EXPECT_EQ(placed.f().size(), 2U);
  placed.place({3, 5}, 1);  // two dimensions are all there is
  EXPECT_EQ(placed.f().size(), 2U);
  EXPECT_NEAR(placed.score({0, 1}), 6, 1e-4);
}

TEST(Project, KeepsItsInverseGoodOverALongStream) {
  // Values at the kept vectors would drift if it did not: see the first test.
  Random random(2);
  Placed placed("project", 20);
  for (int i = 0; i < 3000; ++i) placed.place(random_vector(random, 2, 2), random.normal() * 0.1);
  const std::vector<float> x = random_vector(random, 2, 2);
  std::vector<float> kept(2);
  std::vector<double> before;
  const std::vector<float> y = random_vector(random, 2, 2);
  const double weight = 0.7;
  Vectors vectors;
  for (std::size_t j = 0; j < placed.f().size(); ++j) {
    placed.f().set().copy_to(j, kept);
    vectors.push_back(kept);
    const double k = Kernel{.kind = KernelKind::rbf, .gamma = 0.5}(Features::dense(y), Features::dense(kept));
    before.push_back(placed.score(kept) + weight * k);
  }
  placed.place(y, weight);
  for (std::size_t j = 0; j < placed.f().size(); ++j) {
    placed.f().set().copy_to(j, kept);
    for (std::size_t s = 0; s < vectors.size(); ++s) {
      if (vectors[s] == kept) {
        EXPECT_NEAR(placed.score(kept), before[s], 1e-3 * (1 + std::abs(before[s])));
      }
    }
  }
}

TEST(Project, SavesNothingThatWasNeverWritten) {
  // Two rules with the same history save the same bytes, whatever was in their memory before.
  const auto state = [] {
    Placed placed("project", 10);
    placed.place({1, 2}, 1);
    placed.place({2, 1}, 1);
    StateWriter out;
    placed.rule().save(out);
    return out.bytes();
  };
  const std::string first = state();
  const std::vector<double> junk(10'000, 1.5);
  EXPECT_EQ(state(), first);
  EXPECT_EQ(junk[5000], 1.5);
}

}  // namespace
}  // namespace kinglet
