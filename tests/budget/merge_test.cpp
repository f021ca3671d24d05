// The rule merge compared with its definition on small sets. tests/expansion/merge_table_test.cpp tests the search for
// a partner.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "budget/budget_test.hpp"
#include "budget/rule_at_work.hpp"
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
  placed.place({-0.5F, 0}, 0.4);  // is merged with the first, not the second
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
  placed.place({0, 0}, -8e17);  // the rule still works
  EXPECT_EQ(placed.f().size(), 2U);
}

TEST(Merge, NeedsTheGaussianKernel) {
  for (const Entry* kernel : kernels()) {
    const Options options{{"algo", "bpegasos"}, {"kernel", kernel->name}};
    if (kernel->name == "rbf") {
      EXPECT_NO_THROW(complete_options(options));
    } else {
      EXPECT_THROW(complete_options(options), Error);
    }
  }
}

Options pairs_of(std::size_t budget, std::size_t pairs) {
  return {{"update", "pegasos"},
          {"maintain", "merge"},
          {"budget", std::to_string(budget)},
          {"merge-pairs", std::to_string(pairs)}};
}

TEST(MergePairs, MakeRoomForSeveralTermsAtOnce) {
  for (const std::size_t outputs : {1U, 4U}) {
    for (const std::size_t budget : {3U, 16U, 17U, 40U}) {
      for (const std::size_t pairs : {1U, 2U, 7U, 39U}) {
        if (pairs >= budget) continue;
        Random random(budget + pairs);
        RuleAtWork work(pairs_of(budget, pairs), gaussian(0.5), 2, outputs);
        std::size_t size = 0;
        for (int i = 0; i < 200; ++i) {
          const bool full = size == budget;
          EXPECT_EQ(work.place(random_vector(random, 2), random_step(random, outputs, random.uniform())), full);
          size = full ? budget + 1 - pairs : size + 1;
          ASSERT_EQ(work.f().size(), size);
          for (const double score : work.scores({0, 0})) EXPECT_TRUE(std::isfinite(score));
        }
      }
    }
  }
}

double plain_loss(double a, double b, double kappa, double h) {
  const double merged = std::pow(kappa, (1 - h) * (1 - h)) * a + std::pow(kappa, h * h) * b;
  return a * a + b * b + 2 * kappa * a * b - merged * merged;
}
// The h ∈ [0, 1] with the smallest loss, by exhaustive search.
double plain_place(double a, double b, double kappa) {
  double best = 0;
  for (int i = 0; i <= 4000; ++i) {
    const double h = i / 4000.0;
    if (plain_loss(a, b, kappa, h) < plain_loss(a, b, kappa, best)) best = h;
  }
  return best;
}

// Merges the lightest term with its best partner. Returns whether the choice of the partner is clear. The rule's own
// search is accurate to 2 %, and less accurate if merging loses almost as much as removal.
bool merge_lightest(PlainModel& plain) {
  std::size_t m = 0;
  for (std::size_t j = 1; j < plain.terms.size(); ++j) {
    if (plain.terms[j].squared() < plain.terms[m].squared()) m = j;
  }
  std::vector<std::pair<double, std::size_t>> partners;
  for (std::size_t j = 0; j < plain.terms.size(); ++j) {
    if (j == m) continue;
    const double a = plain.terms[m].weights[0], b = plain.terms[j].weights[0];
    const double kappa = plain.kernel(plain.terms[m].x, plain.terms[j].x);
    partners.emplace_back(plain_loss(a, b, kappa, plain_place(a, b, kappa)), j);
  }
  std::sort(partners.begin(), partners.end());
  PlainTerm merged = plain.terms[m];
  const PlainTerm other = plain.terms[partners[0].second];
  const double kappa = plain.kernel(merged.x, other.x);
  const double h = plain_place(merged.weights[0], other.weights[0], kappa);
  merged.weights[0] =
      std::pow(kappa, (1 - h) * (1 - h)) * merged.weights[0] + std::pow(kappa, h * h) * other.weights[0];
  for (std::size_t f = 0; f < merged.x.size(); ++f) {
    merged.x[f] = static_cast<float>(h * static_cast<double>(merged.x[f]) + (1 - h) * static_cast<double>(other.x[f]));
  }
  plain.remove(std::max(m, partners[0].second));
  plain.remove(std::min(m, partners[0].second));
  plain.terms.push_back(merged);
  return partners.size() < 2 || partners[1].first > 1.1 * partners[0].first;
}

TEST(MergePairs, JoinOneLightestAfterTheOtherWithItsBestPartner) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const std::size_t pairs = 2 + seed % 3;
    RuleAtWork work(pairs_of(9, pairs), gaussian(0.3), 2);
    PlainModel plain(gaussian(0.3));
    for (std::size_t i = 0; i < 10; ++i) {
      const double sign = seed % 2 == 0 && random.coin(0.3) ? -1 : 1;
      // For half of the seeds, the last term is the lightest.
      const double weight = i == 9 && seed % 4 < 2 ? 0.2 : 0.3 + random.uniform();
      plain.terms.push_back({random_vector(random, 2, 2), {sign * weight}, i});
      work.place(plain.terms.back().x, plain.terms.back().weights);
    }
    bool clear = true;
    for (std::size_t pair = 0; pair < pairs; ++pair) clear = merge_lightest(plain) && clear;
    ASSERT_EQ(work.f().size(), plain.terms.size());
    if (!clear) continue;
    EXPECT_LE(work.error(plain, random_vectors(random, 20, 2, 2)), 5e-3) << seed;
    ++compared;
  }
  EXPECT_GE(compared, 15);
}

TEST(MergePairs, AddUpDuplicates) {
  RuleAtWork work(pairs_of(6, 4), gaussian(0.5), 2);
  for (int i = 0; i < 100; ++i) work.place({1, 2}, {0.5});
  EXPECT_NEAR(work.scores({1, 2})[0], 50, 1e-3);
}

TEST(MergePairs, KeepTheNormRight) {
  RuleAtWork work(pairs_of(10, 4), gaussian(0.3), 2, 1, true);
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    work.place(random_vector(random, 2), random_step(random, 1, 0.5));
    const double squared = work.plain().squared_norm();
    ASSERT_NEAR(work.squared_norm(), squared, 1e-3 * (1 + squared)) << i;
  }
}

TEST(MergePairs, MustBeFewerThanTheBudget) {
  EXPECT_NO_THROW(complete_options(pairs_of(5, 4)));
  EXPECT_NO_THROW(complete_options(pairs_of(1, 1)));
  EXPECT_THROW(complete_options(pairs_of(5, 5)), Error);
  const Options by_memory{{"algo", "bpegasos"}, {"memory", "1M"}, {"merge-pairs", "4"}};
  Options full = complete_options(by_memory);
  full.set("budget", "4");
  EXPECT_THROW(budget_rule_entry("merge").make(full), Error);
}

TEST(MergePairs, OutOfTheRangeOfNumbersLeaveTheOldTerms) {
  RuleAtWork work(pairs_of(3, 2), gaussian(0.5), 2);
  work.place({0, 0}, {9e17});
  work.place({0.1F, 0}, {9e17});
  work.place({0, 0.1F}, {9e17});
  EXPECT_THROW(work.place({0, 0}, {8e17}), Error);
  EXPECT_EQ(work.f().size(), 3U);
  EXPECT_NEAR(work.f().coefficient(0, 0), 9e17, 1e12);
}

}  // namespace
}  // namespace kinglet
