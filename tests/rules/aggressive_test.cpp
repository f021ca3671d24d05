// The rules whose step size follows from the margin: pa, pa1, pa2, ilk, mira.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kinglet/error.hpp"
#include "rules/update_test.hpp"

namespace kinglet {
namespace {

TEST(PassiveAggressive, LeavesExamplesWithAMarginOf1Alone) {
  for (const char* name : {"pa", "pa1", "pa2"}) {
    const auto rule = make_update(name, {});
    for (const double margin : {1.0, 1.5, 100.0}) {
      EXPECT_EQ(ask(*rule, {.margin = margin}).step, 0) << name;
      EXPECT_EQ(ask(*rule, {.margin = margin}).shrink, 1) << name;
    }
  }
}

TEST(PassiveAggressive, ReachesAMarginOf1Exactly) {
  for (const double margin : {0.99, 0.0, -3.0}) {
    for (const double length : {0.5, 1.0, 2.0}) {
      const double step = ask(*make_update("pa", {}), {.margin = margin, .length = length}).step;
      EXPECT_DOUBLE_EQ(margin + step * length, 1);
      EXPECT_DOUBLE_EQ(ask(*make_update("pa1", {{"C", "100"}}), {.margin = margin, .length = length}).step, step);
    }
  }
}

TEST(PassiveAggressive, OneNeverStepsFurtherThanC) {
  const auto rule = make_update("pa1", {{"C", "0.25"}});
  EXPECT_DOUBLE_EQ(ask(*rule, {.margin = -3}).step, 0.25);
  EXPECT_DOUBLE_EQ(ask(*rule, {.margin = 0.9}).step, 0.1);
  EXPECT_DOUBLE_EQ(ask(*rule, {.margin = -3, .weight = 4}).step, 1);
}

// The step τ minimises ½ τ² length + C (1 − m − τ length)², so the derivative is 0 there.
TEST(PassiveAggressive, TwoMinimisesTheStepAndTheSquaredSlack) {
  for (const double c : {0.1, 1.0, 10.0}) {
    for (const double length : {0.7, 2.0}) {
      const auto rule = make_update("pa2", {{"C", std::to_string(c)}});
      const double step = ask(*rule, {.margin = -0.4, .length = length}).step;
      const double slack = 1.4 - step * length;
      EXPECT_NEAR(step * length, 2 * c * slack * length, 1e-12);
    }
  }
}

TEST(PassiveAggressive, CopesWithAPointThatTheKernelDoesNotSee) {
  for (const char* name : {"pa", "pa1", "pa2", "ilk", "mira", "spa"}) {
    const std::vector<float> scores(1, 0.0F);
    const double step = ask(*make_update(name, {}), {.margin = 0, .length = 0, .scores = scores, .label = 1}).step;
    EXPECT_TRUE(std::isfinite(step)) << name;
  }
}

// After the implicit step, f minimises ½‖f − f_t‖² + η (λ/2 ‖f‖² + C ℓ(f)). So a step never raises the margin above 1.
TEST(Ilk, NeverOvershoots) {
  const auto rule = make_update("ilk", {{"lambda", "0.1"}, {"eta", "2"}, {"C", "100"}});
  for (const double margin : {-5.0, 0.0, 0.5, 0.999, 1.05, 1.3, 5.0}) {
    const double shrunk = rule->shrink_first() * margin;
    const Update update = ask(*rule, {.margin = shrunk, .length = 1.5});
    EXPECT_DOUBLE_EQ(update.shrink, 1 / 1.2);
    EXPECT_DOUBLE_EQ(rule->shrink_first(), update.shrink);
    const double after = shrunk + update.step * 1.5;
    EXPECT_GE(update.step, 0);
    if (update.step > 0) {
      EXPECT_NEAR(after, 1, 1e-12);
    } else {
      EXPECT_GE(after, 1);
    }
  }
  EXPECT_DOUBLE_EQ(ask(*make_update("ilk", {{"lambda", "0.1"}, {"eta", "2"}, {"C", "0.3"}}), {.margin = -9}).step,
                   0.6 / 1.2);
}

TEST(Mira, OfTwoClassesReachesItsMarginWithAStepOfAtMost1) {
  const auto rule = make_update("mira", {{"margin", "0.1"}});
  const std::vector<float> one(1);
  EXPECT_DOUBLE_EQ(ask(*rule, {.margin = -0.3, .length = 2, .scores = one}).step, 0.2);
  EXPECT_DOUBLE_EQ(ask(*rule, {.margin = -30, .length = 2, .scores = one}).step, 1);
  EXPECT_EQ(ask(*rule, {.margin = 0.1, .length = 2, .scores = one}).step, 0);
  // The weight of an example limits the step; it does not multiply it.
  EXPECT_DOUBLE_EQ(ask(*rule, {.margin = -0.3, .length = 2, .weight = 20, .scores = one}).step, 0.2);
  EXPECT_DOUBLE_EQ(ask(*rule, {.margin = -30, .length = 2, .weight = 3, .scores = one}).step, 3);
}

// The KKT conditions of the quadratic program: Σ τ_r = 0, and τ_r ≤ δ_ry (1 for the label y, 0 for the other classes).
// Classes with τ_r below this limit all have the same slope k(x, x) τ_r + g_r, and no other class has a larger one.
TEST(Mira, OfManyClassesSolvesItsQuadraticProgram) {
  Random random(5);
  const double beta = 0.2;
  for (int round = 0; round < 300; ++round) {
    const std::size_t classes = 3 + random.below(6);
    const auto rule = make_update("mira", {{"margin", "0.2"}});
    rule->prepare(classes);
    std::vector<float> scores(classes);
    for (float& score : scores) score = static_cast<float>((round % 2 == 0 ? 0.3 : 3.0) * random.normal());
    const auto label = static_cast<ClassId>(random.below(classes));
    double rival = -1e30;
    for (ClassId r = 0; r < classes; ++r) {
      if (r != label) rival = std::max(rival, static_cast<double>(scores[r]));
    }
    const double margin = static_cast<double>(scores[label]) - rival;
    const double own = 0.5 + random.uniform();
    const Update update = ask(*rule, {.margin = margin, .length = 2 * own, .scores = scores, .label = label});
    ASSERT_EQ(update.step > 0, margin < beta);
    if (update.step == 0) continue;
    std::vector<double> tau(classes);
    ASSERT_TRUE(rule->spread(tau));
    double sum = 0, inner = -1e30, bound = 1e30;
    for (ClassId r = 0; r < classes; ++r) {
      const double limit = r == label ? 1 : 0;
      const double slope = own * tau[r] + static_cast<double>(scores[r]) + (r == label ? 0 : beta);
      sum += tau[r];
      ASSERT_LE(tau[r], limit + 1e-9);
      if (tau[r] < limit - 1e-9) {
        if (inner > -1e29) {
          ASSERT_NEAR(slope, inner, 1e-6);
        }
        inner = slope;
      } else {
        bound = std::min(bound, -slope);
      }
    }
    ASSERT_NEAR(sum, 0, 1e-9);
    if (bound < 1e29 && inner > -1e29) {
      ASSERT_GE(bound, -inner - 1e-6);
    }
  }
}

}  // namespace
}  // namespace kinglet
