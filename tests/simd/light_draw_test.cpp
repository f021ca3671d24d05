// The random draw of light terms compared with plain loops, for every instruction set.
#include "simd/light_draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

template <class Body>
void for_many_draws(Body body) {
  for_every_isa([&] {
    Random random(1);
    for (const std::size_t n : {1U, 2U, 7U, 8U, 9U, 16U, 17U, 48U, 100U}) {
      for (int i = 0; i < 10; ++i) {
        AlignedFloats sizes(round_up(n, 16), 1e6F);  // padding: outweighs all terms if it is used
        for (std::size_t j = 0; j < n; ++j) sizes[j] = static_cast<float>(std::exp(2 * random.normal()));
        AlignedFloats weights(sizes.size(), 7.0F);
        const double sum = square_roots(sizes.data(), n, weights.data());
        LightDraw draw{weights.data(), n, static_cast<double>(n - 1) / sum};
        draw.excess = excess_of(draw);
        body(random, sizes, draw, sum);
      }
    }
  });
}

TEST(LightDraw, MakesUpForTheChances) {
  for_many_draws([](Random&, const AlignedFloats& sizes, const LightDraw& draw, double sum) {
    double want_sum = 0;
    for (std::size_t j = 0; j < draw.count; ++j) want_sum += std::sqrt(static_cast<double>(sizes[j]));
    ASSERT_NEAR(sum, want_sum, 1e-6 * want_sum);
    double excess = 0;
    double chances = 0;
    for (std::size_t j = 0; j < draw.count; ++j) {
      const double share = draw.scale * static_cast<double>(draw.weights[j]);
      excess += std::max(0.0, share - 1);
      chances += std::max(0.0, 1 - share);
    }
    ASSERT_NEAR(draw.excess, excess, 1e-9 * (1 + excess));
    ASSERT_NEAR(chances, 1 + excess, 1e-9 * (1 + excess));
    AlignedFloats factors(sizes.size());
    make_up(draw, factors.data());
    for (std::size_t j = 0; j < draw.count; ++j) {
      const double share = draw.scale * static_cast<double>(draw.weights[j]);
      const double stays = 1 - std::max(0.0, 1 - share) / (1 + excess);
      const double want = share < 1 && draw.count > 1 ? 1 / stays : 1;
      ASSERT_NEAR(static_cast<double>(factors[j]), want, 1e-5 * want) << j << " of " << draw.count;
    }
  });
}

TEST(LightDraw, FindsWhereTheSumOfTheChancesPasses) {
  for_many_draws([](Random& random, const AlignedFloats&, const LightDraw& draw, double) {
    std::vector<double> chances;
    std::size_t last = 0;
    for (std::size_t j = 0; j < draw.count; ++j) {
      chances.push_back(std::max(0.0, 1 - draw.scale * static_cast<double>(draw.weights[j])));
      if (chances.back() > 0) last = j;
    }
    ASSERT_EQ(drawn(draw, 2 * (1 + draw.excess)), last);
    for (int i = 0; i < 20; ++i) {
      const double target = random.uniform() * (1 + draw.excess);
      const std::size_t got = drawn(draw, target);
      ASSERT_LT(got, draw.count);
      ASSERT_GT(chances[got], 0);
      double below = 0;
      for (std::size_t j = 0; j < got; ++j) below += chances[j];
      ASSERT_LE(below, target + 1e-9 * (1 + draw.excess));
      ASSERT_GE(below + chances[got], target - 1e-9 * (1 + draw.excess));
    }
  });
}

}  // namespace
}  // namespace kinglet::simd
