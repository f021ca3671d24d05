// Steps of dual variables compared with a plain loop in double precision, for every instruction set.
#include "simd/dual_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

constexpr std::size_t kCounts[] = {0, 16, 32, 48, 80, 1040};

// A random problem: variables at both bounds and between them, padding that must not move, boxes of different sizes.
struct Problem {
  AlignedDoubles values, signs, alphas, boxes, selves;
  bool unit;

  Problem(Random& random, std::size_t count, bool unit_kernel)
      : values(count), signs(count), alphas(count), boxes(count), selves(count, 1.0), unit(unit_kernel) {
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = random.normal();
      if (i + 3 >= count) continue;  // padding: y = C = α = 0
      signs[i] = random.below(2) == 0 ? 1 : -1;
      boxes[i] = 0.1 + random.uniform();
      const std::uint64_t place = random.below(3);
      alphas[i] = place == 0 ? 0.0 : place == 1 ? boxes[i] : boxes[i] * random.uniform();
      if (!unit) selves[i] = random.below(8) == 0 ? 0.0 : 3 * random.uniform();
    }
  }
  DualVariables view() {
    return {values.data(), signs.data(), alphas.data(), boxes.data(), unit ? nullptr : selves.data(), values.size()};
  }
};

// The largest gain D(α + Δ e_i) − D(α) of a step of α_i alone. Instead of clipping a Newton step, it goes to the bound
// if the derivative does not change sign on the way.
double best_gain(const Problem& problem, std::size_t i) {
  const double gradient = 1 - problem.signs[i] * problem.values[i];
  const double room = gradient > 0 ? problem.boxes[i] - problem.alphas[i] : -problem.alphas[i];
  const double curvature = problem.selves[i];
  const bool reaches_bound = std::abs(gradient) >= curvature * std::abs(room);
  const double step = reaches_bound ? room : gradient / curvature;
  return step * gradient - curvature * step * step / 2;
}

double violation(const Problem& problem, std::size_t i) {
  const double gradient = 1 - problem.signs[i] * problem.values[i];
  const bool can_move = gradient > 0 ? problem.alphas[i] < problem.boxes[i] : problem.alphas[i] > 0;
  return can_move ? std::abs(gradient) : 0;
}

void expect_best(const BestStep& found, const Problem& problem) {
  double gain = 0, most = 0;
  for (std::size_t i = 0; i < problem.values.size(); ++i) {
    gain = std::max(gain, best_gain(problem, i));
    most = std::max(most, violation(problem, i));
  }
  EXPECT_NEAR(found.gain, gain, 1e-12 * (1 + gain));
  EXPECT_NEAR(found.violation, most, 1e-12);
  if (gain == 0) return;
  ASSERT_LT(found.slot, problem.values.size());
  EXPECT_NEAR(best_gain(problem, found.slot), gain, 1e-12 * (1 + gain));
}

TEST(DualSteps, TheBestStepIsTheBestOfAPlainLoop) {
  for_every_isa([] {
    Random random(1);
    for (int round = 0; round < 20; ++round) {
      for (const std::size_t count : kCounts) {
        Problem problem(random, count, round % 2 == 0);
        expect_best(best_step(problem.view()), problem);
      }
    }
  });
}

TEST(DualSteps, AddingARowChangesTheValuesAndFindsTheBestStepAfterwards) {
  for_every_isa([] {
    Random random(2);
    for (int round = 0; round < 20; ++round) {
      for (const std::size_t count : kCounts) {
        Problem problem(random, count, round % 2 == 0);
        AlignedFloats row(count);
        for (float& value : row) value = static_cast<float>(random.normal());
        const double delta = random.normal();
        AlignedDoubles want = problem.values;
        for (std::size_t i = 0; i < count; ++i) want[i] += delta * static_cast<double>(row[i]);
        const BestStep found = add_row(problem.view(), row.data(), delta);
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_NEAR(problem.values[i], want[i], 1e-14 * (1 + std::abs(want[i])));
        expect_best(found, problem);
      }
    }
  });
}

TEST(DualSteps, AddOnlyAddsTheRowAndStopsAtItsEnd) {
  for_every_isa([] {
    Random random(3);
    for (const std::size_t count : kCounts) {
      AlignedDoubles values(count + 16);
      AlignedFloats row(count + 16);
      for (double& value : values) value = random.normal();
      for (float& value : row) value = static_cast<float>(random.normal());
      const AlignedDoubles before = values;
      add_only(values.data(), row.data(), -0.7, count);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double added = i < count ? -0.7 * static_cast<double>(row[i]) : 0;
        ASSERT_NEAR(values[i], before[i] + added, 1e-14 * (1 + std::abs(before[i])));
      }
    }
  });
}

TEST(DualSteps, TiesGoToTheFirst) {
  for_every_isa([] {
    Random random(4);
    for (int round = 0; round < 100; ++round) {
      Problem problem(random, 64, true);
      const std::size_t first = random.below(40), second = first + 1 + random.below(20);
      for (const std::size_t slot : {first, second}) {
        problem.values[slot] = -50;
        problem.signs[slot] = 1;
        problem.alphas[slot] = 0;
        problem.boxes[slot] = 2;
      }
      EXPECT_EQ(best_step(problem.view()).slot, first) << "the other is " << second;
    }
  });
}

TEST(DualSteps, AtTheOptimumNothingIsGained) {
  for_every_isa([] {
    Random random(5);
    Problem problem(random, 48, true);
    for (std::size_t i = 0; i < 48; ++i) {  // gradient 0 inside the box, pointing out of it at the bounds
      if (problem.signs[i] == 0) continue;
      const double gradient = problem.alphas[i] == 0 ? -1.0 : problem.alphas[i] == problem.boxes[i] ? 1.0 : 0.0;
      problem.values[i] = problem.signs[i] * (1 - gradient);
    }
    const BestStep found = best_step(problem.view());
    EXPECT_EQ(found.gain, 0);
    EXPECT_EQ(found.violation, 0);
  });
}

// Solvers take the same steps on every machine because not even the last bit depends on the instruction set.
TEST(DualSteps, EveryInstructionSetGivesTheSameBits) {
  std::vector<BestStep> first;
  for_every_isa([&] {
    Random random(6);
    std::vector<BestStep> found;
    for (int round = 0; round < 200; ++round) {
      Problem problem(random, 96, round % 2 == 0);
      AlignedFloats row(96);
      for (float& value : row) value = static_cast<float>(random.normal());
      found.push_back(add_row(problem.view(), row.data(), random.normal()));
      found.push_back({.gain = problem.values[random.below(96)]});
    }
    if (first.empty()) first = found;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].slot, first[i].slot);
      ASSERT_EQ(found[i].gain, first[i].gain);
      ASSERT_EQ(found[i].violation, first[i].violation);
    }
  });
}

}  // namespace
}  // namespace kinglet::simd
