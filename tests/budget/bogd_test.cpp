// BOGD and BOGD++ compared with the formulas of the paper in double precision, and their properties: the function stays
// the same in expectation, terms are drawn with the right probabilities, no weight exceeds γη.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "budget/rule_at_work.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

class BoundedDescentRules : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Rules, BoundedDescentRules, testing::Values("bogd", "bogd++"),
                         [](const auto& rule) { return rule.param == "bogd" ? "Bogd" : "BogdPlusPlus"; });

Options options_of(const std::string& rule, std::size_t budget, const std::string& clip) {
  return {{"maintain", rule}, {"budget", std::to_string(budget)}, {"clip", clip}};
}

// The probabilities with which the paper removes each term; those of BOGD++ are clamped to 0 and normalised.
std::vector<double> chances(const std::string& rule, const PlainModel& plain) {
  const auto count = static_cast<double>(plain.terms.size());
  std::vector<double> p;
  double sum = 0, total = 0;
  for (const PlainTerm& term : plain.terms) sum += std::sqrt(term.squared() * plain.kernel(term.x, term.x));
  for (const PlainTerm& term : plain.terms) {
    const double weight = std::sqrt(term.squared() * plain.kernel(term.x, term.x));
    p.push_back(rule == "bogd" || sum == 0 ? 1 / count : std::max(0.0, 1 - (count - 1) * weight / sum));
    total += p.back();
  }
  for (double& chance : p) chance /= total;
  return p;
}

PlainModel survivors(const std::string& rule, const PlainModel& before, double limit) {
  PlainModel after = before;
  const std::vector<double> p = chances(rule, before);
  for (std::size_t j = 0; j < p.size(); ++j) {
    for (double& weight : after.terms[j].weights) {
      const double grown = std::abs(weight) / (1 - p[j]);
      weight = std::copysign(std::min(grown, limit), weight);
    }
  }
  return after;
}

TEST_P(BoundedDescentRules, AgreeWithThePaper) {
  const std::string rule = GetParam();
  for (const std::size_t outputs : {1U, 4U}) {
    for (const std::size_t budget : {2U, 5U, 20U}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const std::uint32_t dimension = seed % 2 == 0 ? 11 : 3;
        RuleAtWork work(options_of(rule, budget, "2"), gaussian(0.2), dimension, outputs);
        work.random = Random(seed);
        Random random(100 + seed);
        const double eta = 0.5;
        for (int i = 0; i < 120; ++i) {
          const std::vector<float> x = random_vector(random, dimension);
          work.f().shrink(0.97);  // as the update rule does before each step
          const PlainModel before = work.plain();
          const PlainModel grown = survivors(rule, before, 2 * eta);
          const std::vector<double> weights = random_step(random, outputs, eta);
          EXPECT_EQ(work.place(x, weights, eta), before.terms.size() == budget);
          const PlainModel after = work.plain();
          ASSERT_EQ(after.terms.size(), std::min(budget, before.terms.size() + 1));
          std::size_t kept = 0;
          for (const PlainTerm& term : after.terms) {
            const bool is_new = term.x == x;
            kept += is_new ? 0 : 1;
            for (std::size_t j = 0; j < before.terms.size(); ++j) {
              if (before.terms[j].birth != term.birth) continue;
              const PlainModel& from = before.terms.size() == budget ? grown : before;
              for (std::size_t c = 0; c < outputs; ++c) {
                ASSERT_NEAR(term.weights[c], from.terms[j].weights[c], 1e-5) << rule << ' ' << budget << ' ' << i;
              }
            }
            if (is_new) {
              for (std::size_t c = 0; c < outputs; ++c) ASSERT_NEAR(term.weights[c], weights[c], 1e-6);
            }
          }
          EXPECT_EQ(kept + 1, after.terms.size());
        }
      }
    }
  }
}

TEST_P(BoundedDescentRules, KeepTheFunctionOnAverage) {
  const std::string rule = GetParam();
  for (const std::size_t outputs : {1U, 3U}) {
    Random random(7);
    const Vectors x = random_vectors(random, 7, 2);
    const Vectors probes = random_vectors(random, 5, 2);
    std::vector<std::vector<double>> weights;
    for (std::size_t i = 0; i < x.size(); ++i) {
      weights.push_back(random_step(random, outputs, 0.3 + 0.1 * static_cast<double>(i % 5)));
    }
    constexpr int kDraws = 20000;
    std::vector<std::vector<double>> mean(probes.size(), std::vector<double>(outputs, 0.0));
    std::vector<std::vector<double>> squares = mean;
    PlainModel all(gaussian(0.5), outputs);
    for (std::size_t i = 0; i < x.size(); ++i) all.terms.push_back({x[i], weights[i], i});
    Random draws(11);
    for (int draw = 0; draw < kDraws; ++draw) {
      RuleAtWork work(options_of(rule, 6, "inf"), gaussian(0.5), 2, outputs);
      work.random = draws;
      for (std::size_t i = 0; i < x.size(); ++i) work.place(x[i], weights[i], 0.5);
      draws = work.random;
      for (std::size_t k = 0; k < probes.size(); ++k) {
        const std::vector<double> scores = work.scores(probes[k]);
        for (std::size_t c = 0; c < outputs; ++c) {
          mean[k][c] += scores[c] / kDraws;
          squares[k][c] += scores[c] * scores[c] / kDraws;
        }
      }
    }
    for (std::size_t k = 0; k < probes.size(); ++k) {
      const std::vector<double> want = all.scores(probes[k]);
      for (std::size_t c = 0; c < outputs; ++c) {
        const double deviation = std::sqrt(std::max(0.0, squares[k][c] - mean[k][c] * mean[k][c]) / kDraws);
        EXPECT_NEAR(mean[k][c], want[c], 5 * deviation + 1e-5) << rule << ' ' << k << ' ' << c;
      }
    }
  }
}

TEST_P(BoundedDescentRules, DrawByTheChances) {
  const std::string rule = GetParam();
  Random random(3);
  // In the first set, no probability is clamped. In the second, one term is too heavy ever to be removed.
  for (const auto& sizes : {std::vector<double>{1, 1.1, 0.9, 1.2, 0.8}, {1, 0.2, 0.1, 0.5, 9}}) {
    const Vectors x = random_vectors(random, 6, 3);
    PlainModel plain(gaussian(0.5));
    for (std::size_t i = 0; i < 5; ++i) plain.terms.push_back({x[i], {sizes[i]}, i});
    const std::vector<double> p = chances(rule, plain);
    std::map<std::uint64_t, int> gone;
    constexpr int kDraws = 20000;
    Random draws(5);
    for (int draw = 0; draw < kDraws; ++draw) {
      RuleAtWork work(options_of(rule, 5, "inf"), gaussian(0.5), 3);
      work.random = draws;
      for (std::size_t i = 0; i < 5; ++i) work.place(x[i], {sizes[i]});
      work.place(x[5], {1});
      draws = work.random;
      std::uint64_t births = 15;
      for (const PlainTerm& term : work.plain().terms) births -= term.birth;
      ++gone[births];
    }
    EXPECT_EQ(gone[5], 0);  // the new term is never removed
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(gone[i], kDraws * p[i], 5 * std::sqrt(kDraws * p[i] * (1 - p[i])) + 1e-9) << rule << ' ' << i;
    }
  }
}

TEST_P(BoundedDescentRules, LetNoWeightExceedTheLimit) {
  for (const std::size_t outputs : {1U, 4U}) {
    for (const double clip : {1.0, 3.0}) {
      RuleAtWork work(options_of(GetParam(), 4, std::to_string(clip)), gaussian(0.5), 2, outputs);
      Random random(9);
      for (int i = 0; i < 500; ++i) {
        work.place(random_vector(random, 2), random_step(random, outputs, 0.25), 0.25);
        for (const PlainTerm& term : work.plain().terms) {
          for (const double weight : term.weights) ASSERT_LE(std::abs(weight), clip * 0.25 * (1 + 1e-6));
        }
      }
    }
  }
}

TEST_P(BoundedDescentRules, DoNotForgetEverythingAfterAShortStep) {
  RuleAtWork work(options_of(GetParam(), 20, "4"), gaussian(5), 2);
  Random random(10);
  for (int i = 0; i < 60; ++i) work.place(random_vector(random, 2), {1}, 1);
  work.place(random_vector(random, 2), {1e-6}, 1e-6);
  double sum = 0;
  for (const PlainTerm& term : work.plain().terms) sum += term.weights[0];
  EXPECT_GT(sum, 10);
}

TEST_P(BoundedDescentRules, LiveWithOneTermAndWithTermsOfNoWeight) {
  for (const std::size_t budget : {1U, 2U, 3U}) {
    for (const Kernel& kernel : {gaussian(1), Kernel{.kind = KernelKind::linear}}) {
      RuleAtWork work(options_of(GetParam(), budget, "4"), kernel, 2);
      for (int i = 0; i < 30; ++i) {
        const float size = i % 3 == 0 ? 0.0F : 1.0F;
        work.place({size, 0}, {i % 5 == 0 ? 0.0 : 1.0}, 1);
        EXPECT_LE(work.f().size(), budget);
        EXPECT_TRUE(std::isfinite(work.scores({1, 1})[0]));
      }
    }
  }
}

TEST_P(BoundedDescentRules, LeaveAllAsItWasAfterAnError) {
  RuleAtWork work(options_of(GetParam(), 3, "inf"), gaussian(1), 2);
  for (int i = 0; i < 3; ++i) work.place({static_cast<float>(10 * i), 0}, {9e17}, 1);
  const PlainModel before = work.plain();
  StateWriter state, later;
  work.rule().save(state);
  const RandomState random = work.random.state();
  EXPECT_THROW(work.place({5, 5}, {1}, 1), Error);
  const PlainModel after = work.plain();
  ASSERT_EQ(after.terms.size(), 3U);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(after.terms[j].weights, before.terms[j].weights);
  work.rule().save(later);
  EXPECT_EQ(state.bytes(), later.bytes());
  EXPECT_TRUE(work.random.state() == random);
}

}  // namespace
}  // namespace kinglet
