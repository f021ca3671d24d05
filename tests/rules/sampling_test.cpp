// The rules that sample the examples they learn from: spa and oskl.
#include <gtest/gtest.h>

#include <cmath>

#include "kinglet/error.hpp"
#include "learn/make_learner.hpp"
#include "random_vectors.hpp"
#include "rules/update_test.hpp"

namespace kinglet {
namespace {

double share_of_steps(const std::string& name, const Options& options, double margin, double* step) {
  const auto rule = make_update(name, options);
  Random random(3);
  int steps = 0;
  for (int i = 0; i < 20000; ++i) {
    const Update update = rule->on({.margin = margin, .length = 1}, random);
    if (update.step > 0) *step = update.step;
    steps += update.step > 0;
  }
  return steps / 20000.0;
}

TEST(Spa, DrawsByTheLossAndStepsAsFarAsItAsksFor) {
  const Options options{{"alpha", "1"}, {"beta", "4"}, {"eta", "0.1"}};
  double step = 0;
  EXPECT_NEAR(share_of_steps("spa", options, -7, &step), 0.25, 0.01);  // min(α, ℓ)/β
  EXPECT_DOUBLE_EQ(step, 0.1 / 0.25);
  EXPECT_NEAR(share_of_steps("spa", options, 0.6, &step), 0.1, 0.01);
  EXPECT_DOUBLE_EQ(step, 0.4);  // the loss, which is below η/ρ = 1
  EXPECT_EQ(share_of_steps("spa", options, 1, &step), 0);
}

TEST(Oskl, DrawsByTheSlopeOfTheLogisticLoss) {
  double step = 0;
  for (const double margin : {-2.0, 0.0, 1.5}) {
    EXPECT_NEAR(share_of_steps("oskl", {{"eta", "0.7"}}, margin, &step), 1 / (1 + std::exp(margin)), 0.015);
    EXPECT_DOUBLE_EQ(step, 0.7);
    EXPECT_NEAR(share_of_steps("oskl", {{"eta", "0.7"}, {"G", "4"}}, margin, &step), 1 / (1 + std::exp(margin)) / 4,
                0.015);
    EXPECT_DOUBLE_EQ(step, 2.8);
  }
}

TEST(Spa, TakesItsBetaFromTheExpectedBudget) {
  double step = 0;
  const Options options{{"expected-budget", "50"}, {"stream-length", "1000"}, {"alpha", "0.5"}};
  EXPECT_NEAR(share_of_steps("spa", options, -7, &step), 0.05, 0.006);  // β = 0.5 · 1000/50
  EXPECT_THROW(make_update("spa", {{"expected-budget", "50"}}), Error);
  EXPECT_THROW(make_update("spa", {{"alpha", "3"}, {"beta", "2"}}), Error);
}

// The paper proves E|S| ≤ αT/β. The mean over many seeds must respect this bound, and come near it on a stream of
// random labels, where the loss stays large.
TEST(Spa, KeepsAtMostTheExpectedNumberOfVectors) {
  constexpr std::size_t kExamples = 400;
  double sum = 0;
  constexpr int kSeeds = 60;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto learner = make_learner(
        complete_options(
            {{"update", "spa"}, {"maintain", "none"}, {"beta", "8"}, {"gamma", "1"}, {"seed", std::to_string(seed)}}),
        {.dimension = 3, .classes = 2});
    for (std::size_t i = 0; i < kExamples; ++i) {
      const auto x = random_vector(random, 3);
      learner->learn({Features::dense(x), static_cast<ClassId>(random.below(2)), 1});
    }
    sum += static_cast<double>(learner->stats().support_vectors);
  }
  const double bound = kExamples / 8.0;
  EXPECT_LE(sum / kSeeds, bound + 3 * std::sqrt(bound / kSeeds));
  EXPECT_GE(sum / kSeeds, 0.5 * bound);
}

}  // namespace
}  // namespace kinglet
