// The small vector operations compared with plain loops, for every instruction set.
#include "simd/vector_ops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

AlignedFloats random_floats(Random& random, std::size_t n) {
  AlignedFloats values(n);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

TEST(DotOutputs, AgreesWithAPlainLoop) {
  for_every_isa([] {
    Random random(1);
    for (const std::size_t n : {0, 16, 32, 48, 64, 80, 112, 128, 1040}) {
      for (const std::size_t outputs : {1, 2, 5}) {
        const std::size_t stride = n + 32;
        const AlignedFloats k = random_floats(random, n + 16);
        const AlignedFloats coefficients = random_floats(random, outputs * stride + 16);
        std::vector<float> out(outputs + 1, 77);
        dot_outputs(k.data(), 0, 1, {coefficients.data(), stride, outputs}, n, out.data());
        for (std::size_t c = 0; c < outputs; ++c) {
          double sum = 0;
          double length = 1e-30;
          for (std::size_t j = 0; j < n; ++j) {
            const double product = static_cast<double>(k[j]) * static_cast<double>(coefficients[c * stride + j]);
            sum += product;
            length += std::abs(product);
          }
          EXPECT_NEAR(static_cast<double>(out[c]), sum, 1e-6 * length) << n << ' ' << outputs;
        }
        EXPECT_EQ(out[outputs], 77);
      }
    }
  });
}

TEST(DotOutputs, TermsOfZeroChangeNoBit) {
  // In the padding, a kernel row may hold any numbers, because the coefficients there are 0.
  for_every_isa([] {
    Random random(2);
    AlignedFloats k = random_floats(random, 96);
    AlignedFloats coefficients = random_floats(random, 96);
    std::fill(coefficients.begin() + 71, coefficients.end(), 0.0F);
    float first = 0;
    dot_outputs(k.data(), 0, 1, {coefficients.data(), 96, 1}, 96, &first);
    for (std::size_t j = 71; j < 96; ++j) k[j] = static_cast<float>(1e10 * random.normal());
    float second = 0;
    dot_outputs(k.data(), 0, 1, {coefficients.data(), 96, 1}, 96, &second);
    EXPECT_EQ(first, second);
  });
}

TEST(AddTwoScaled, AddsBoth) {
  for_every_isa([] {
    Random random(4);
    for (const std::size_t n : {0, 8, 24, 504}) {
      AlignedDoubles x(n), z(n), sums(n + 1, 77);
      for (AlignedDoubles* values : {&x, &z}) {
        for (double& value : *values) value = random.normal();
      }
      add_two_scaled(0.5, x.data(), -3, z.data(), n, sums.data());
      for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(sums[j], 77 + 0.5 * x[j] - 3 * z[j], 1e-13);
      EXPECT_EQ(sums[n], 77);
    }
  });
}

TEST(CombineOutputs, AddsTheWeightedCoefficients) {
  for_every_isa([] {
    Random random(3);
    for (const std::size_t n : {16, 48, 160}) {
      for (const std::size_t outputs : {1, 3}) {
        const std::size_t stride = n + 16;
        AlignedFloats weights = random_floats(random, outputs);
        weights[0] = n == 48 ? 0.0F : weights[0];  // 0 is skipped; if all are 0, `out` is still set
        const AlignedFloats coefficients = random_floats(random, outputs * stride);
        const AlignedFloats before = random_floats(random, stride);
        AlignedFloats out = before;
        combine_outputs({weights.data(), 1, outputs}, {coefficients.data(), stride, outputs}, n, out.data());
        for (std::size_t j = 0; j < stride; ++j) {
          double sum = j < n ? 0 : static_cast<double>(before[j]);
          for (std::size_t c = 0; c < outputs && j < n; ++c) {
            sum += static_cast<double>(weights[c]) * static_cast<double>(coefficients[c * stride + j]);
          }
          EXPECT_NEAR(static_cast<double>(out[j]), sum, 1e-5);
        }
      }
    }
  });
}

TEST(Smallest, FindsTheMinimumAndLeavesThePaddingAlone) {
  for_every_isa([] {
    Random random(4);
    const std::vector<std::uint64_t> ranks(80);
    for (std::size_t count = 1; count <= 70; ++count) {
      AlignedFloats values = random_floats(random, 80);
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(count), values.end(), -1e30F);
      const auto end = values.begin() + static_cast<std::ptrdiff_t>(count);
      EXPECT_EQ(values[smallest(values.data(), ranks.data(), count)], *std::min_element(values.begin(), end)) << count;
      for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {  // at any position
        AlignedFloats moved = values;
        moved[at] = -100;
        EXPECT_EQ(smallest(moved.data(), ranks.data(), count), at) << count;
      }
    }
  });
}

TEST(Smallest, TakesTheLowestRankOfEquals) {
  for_every_isa([] {
    Random random(5);
    for (int round = 0; round < 200; ++round) {
      const std::size_t count = 1 + random.below(70);
      AlignedFloats values(80);
      std::vector<std::uint64_t> ranks(80);
      for (float& value : values) value = static_cast<float>(random.below(3));
      for (std::uint64_t& rank : ranks) rank = random.next();
      std::size_t expected = 0;
      for (std::size_t j = 1; j < count; ++j) {
        const bool older = values[j] == values[expected] && ranks[j] < ranks[expected];
        if (values[j] < values[expected] || older) expected = j;
      }
      EXPECT_EQ(smallest(values.data(), ranks.data(), count), expected);
    }
  });
}

TEST(SquaredNorm, AgreesWithAPlainLoopForEveryLengthAndAlignment) {
  for_every_isa([] {
    Random random(5);
    const AlignedFloats values = random_floats(random, 400);
    for (std::size_t n = 0; n <= 100; ++n) {
      for (const std::size_t offset : {0, 1, 7}) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += std::pow(static_cast<double>(values[offset + i]), 2);
        EXPECT_NEAR(static_cast<double>(squared_norm(values.data() + offset, n)), sum, 1e-6 * sum)
            << n << ' ' << offset;
      }
    }
  });
}

TEST(SquaredNorm, DoesNotDependOnTheAlignment) {
  for_every_isa([] {
    Random random(6);
    const AlignedFloats values = random_floats(random, 77);
    AlignedFloats moved(100);
    std::copy(values.begin(), values.end(), moved.begin() + 5);
    EXPECT_EQ(squared_norm(values.data(), 77), squared_norm(moved.data() + 5, 77));
  });
}

TEST(WeightOfWinners, AgreesWithAPlainLoop) {
  for_every_isa([] {
    Random random(6);
    for (const std::size_t count : {1, 15, 16, 17, 70}) {
      for (const std::size_t outputs : {1, 3, 10}) {
        const std::size_t n = round_up(count, 16), stride = n + 16, weight_stride = n + 32;
        const std::size_t classes = std::max<std::size_t>(outputs, 2);
        const AlignedFloats k = random_floats(random, n);
        const AlignedFloats coefficients = random_floats(random, outputs);
        std::vector<double> values(outputs * stride), weights(classes * weight_stride);
        // Few different values, so that ties occur.
        for (double& value : values) value = static_cast<double>(random.below(4)) - 1.5;
        std::vector<double> rounding(n);
        for (double& value : rounding) value = random.coin(0.5) ? 0.3 : 0;
        for (std::size_t c = 0; c < classes; ++c) {
          for (std::size_t j = 0; j < count; ++j) {
            weights[c * weight_stride + j] = static_cast<double>(random.below(100));
          }
        }
        double expected = 0;
        for (std::size_t j = 0; j < count; ++j) {
          const auto without = [&](std::size_t c) {
            return values[c * stride + j] - static_cast<double>(coefficients[c]) * static_cast<double>(k[j]);
          };
          std::size_t winner = outputs == 1 && without(0) >= -rounding[j] ? 1 : 0;
          for (std::size_t c = 1; c < outputs; ++c) winner = without(c) > without(winner) + rounding[j] ? c : winner;
          expected += weights[winner * weight_stride + j];
        }
        const Departure departure{k.data(), coefficients.data(), values.data(),  stride,
                                  outputs,  rounding.data(),     weights.data(), weight_stride};
        EXPECT_EQ(weight_of_winners(departure, n), expected) << count << ' ' << outputs;
      }
    }
  });
}

TEST(WeightOfWinners, GivesTiesToTheFirstClassAndZeroToClassOne) {
  for_every_isa([] {
    const AlignedFloats k(16, 1.0F);
    const AlignedFloats coefficients{0.5F, 0.5F, 0.5F};
    const std::vector<double> values(48, 0.5), rounding(16);
    std::vector<double> weights(48);
    for (std::size_t c = 0; c < 3; ++c) weights[c * 16 + 4] = static_cast<double>(c + 1);
    EXPECT_EQ(weight_of_winners(
                  {k.data(), coefficients.data(), values.data(), 16, 3, rounding.data(), weights.data(), 16}, 16),
              1);
    EXPECT_EQ(weight_of_winners(
                  {k.data(), coefficients.data(), values.data(), 16, 1, rounding.data(), weights.data(), 16}, 16),
              2);
  });
}

TEST(AddScaled, AgreesWithAPlainLoopToTheBit) {
  for_every_isa([] {
    Random random(11);
    for (const std::size_t n : {0, 1, 7, 8, 9, 37}) {
      const AlignedFloats k = random_floats(random, n + 16);
      std::vector<double> sums(n + 1, 0.5);
      add_scaled(0.3, k.data(), n, sums.data());
      for (std::size_t j = 0; j < n; ++j) EXPECT_EQ(sums[j], 0.5 + 0.3 * static_cast<double>(k[j]));
      EXPECT_EQ(sums[n], 0.5);
    }
  });
}

TEST(Weights, AreMeasuredAndCapped) {
  for_every_isa([] {
    Random random(12);
    constexpr std::size_t kCount = 48;
    for (const std::size_t outputs : {1, 3}) {
      const AlignedFloats coefficients = random_floats(random, outputs * kCount);
      const std::vector<double> self_kernels(kCount, 1.5);
      AlignedFloats largest(kCount), sizes(kCount), shares, factors(kCount, 2.0F), products;
      const float most = largest_weights({coefficients.data(), kCount, outputs}, kCount, largest.data());
      term_sizes({coefficients.data(), kCount, outputs}, self_kernels.data(), kCount, sizes.data());
      shares = largest;
      shares_below(0.7F, kCount, shares.data());
      EXPECT_LE(cap_factors(largest.data(), 0.7F, kCount, factors.data()), 0.7F);
      products = largest;
      multiply(factors.data(), kCount, products.data());
      for (std::size_t j = 0; j < kCount; ++j) {
        float want = 0;
        double squared = 0;
        for (std::size_t c = 0; c < outputs; ++c) {
          const float a = coefficients[c * kCount + j];
          want = std::max(want, std::abs(a));
          squared += static_cast<double>(a) * static_cast<double>(a);
        }
        EXPECT_EQ(largest[j], want);
        EXPECT_LE(want, most);
        EXPECT_EQ(sizes[j], static_cast<float>(1.5 * squared));
        EXPECT_FLOAT_EQ(shares[j], std::min(1.0F, 0.7F / want));
        EXPECT_FLOAT_EQ(factors[j], std::min(2.0F, 0.7F / want));
        EXPECT_EQ(products[j], largest[j] * factors[j]);
      }
    }
  });
}

}  // namespace
}  // namespace kinglet::simd
