// The rule project compared with its definition: the error of a projection is orthogonal to the remaining terms.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "budget/budget_test.hpp"
#include "budget/rule_at_work.hpp"

namespace kinglet {
namespace {

TEST(Project, ChangesNoScoreAtTheVectorsThatStay) {
  // f − Pf is orthogonal to k(x_j, ·) for every remaining x_j: the values at x_j do not change.
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
  placed.place({3, 5}, 1);  // the feature space has only two dimensions
  EXPECT_EQ(placed.f().size(), 2U);
  EXPECT_NEAR(placed.score({0, 1}), 6, 1e-4);
}

TEST(Project, KeepsItsInverseGoodOverALongStream) {
  // With a wrong inverse, a projection would change the values at the kept vectors (see the first test).
  Random random(2);
  Placed placed("project", 20);
  for (int i = 0; i < 3000; ++i) placed.place(random_vector(random, 2, 2), random.normal() * 0.1);
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
  // Two rules with the same history save the same bytes: uninitialised memory is never saved.
  const auto state = [] {
    Placed placed("project", 10);
    placed.place({1, 2}, 1);
    placed.place({2, 1}, 1);
    StateWriter out;
    placed.rule().save(out);
    return out.bytes();
  };
  const std::string first = state();
  { const std::vector<double> junk(10'000, 1.5); }  // the next rule may get this memory
  EXPECT_EQ(state(), first);
}

TEST(Project, OfTheBestChoiceLosesLeast) {
  for (const std::size_t outputs : {1U, 4U}) {
    Random random(outputs);
    RuleAtWork work({{"maintain", "project"}, {"budget", "9"}, {"project-choice", "best"}}, gaussian(0.3), 3, outputs);
    const Vectors probes = random_vectors(random, 20, 3);
    int compared = 0, new_ones = 0, not_the_smallest = 0;
    for (int i = 0; i < 150; ++i) {
      const std::vector<float> x = random_vector(random, 3);
      const std::vector<double> weights = random_step(random, outputs, 0.2 + random.uniform());
      PlainModel expected = work.plain();
      const bool full = expected.terms.size() == 9;
      const bool in_span = expected.residual(x, expected.all()) < 2e-4;
      work.place(x, weights);
      if (!full || in_span) continue;
      expected.terms.push_back({x, weights, 0});
      std::vector<double> losses;
      std::size_t smallest = 0;
      for (std::size_t p = 0; p < 10; ++p) {
        const PlainTerm& term = expected.terms[p];
        losses.push_back(term.squared() * expected.residual(term.x, expected.all_but(p)));
        if (term.squared() < expected.terms[smallest].squared()) smallest = p;
      }
      const auto least = std::min_element(losses.begin(), losses.end());
      const auto best = static_cast<std::size_t>(least - losses.begin());
      std::vector<double> others = losses;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(best));
      if (*std::min_element(others.begin(), others.end()) < *least * (1 + 1e-4)) continue;
      expected.project_out(best);
      ASSERT_LE(work.error(expected, probes), 1e-4) << i;
      ++compared;
      new_ones += best == 9 ? 1 : 0;
      not_the_smallest += best != smallest ? 1 : 0;
    }
    EXPECT_GT(compared, 50);
    EXPECT_GT(new_ones, 0);
    EXPECT_GT(not_the_smallest, 0);
  }
}

}  // namespace
}  // namespace kinglet
