// Gradients of sums of kernels compared with plain loops, for every instruction set.
#include "simd/gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "random_vectors.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

TEST(Gradient, AgreesWithPlainSums) {
  for_every_isa([] {
    Random random(1);
    for (const std::size_t n : {0U, 1U, 15U, 16U, 17U, 70U}) {
      for (const std::size_t dimension : {1U, 7U, 8U, 9U, 24U, 37U}) {
        AlignedFloats lanes(round_up(n, kLanes) * dimension, 3.0F);  // the padding has weight 0
        AlignedFloats weights(round_up(n, kLanes));
        const std::vector<float> x = random_vector(random, dimension);
        std::vector<double> differences(dimension), signs(dimension);
        for (std::size_t j = 0; j < n; ++j) {
          weights[j] = static_cast<float>(random.normal());
          for (std::size_t f = 0; f < dimension; ++f) {
            const float z = random.coin(0.2) ? x[f] : static_cast<float>(random.normal());
            lanes[(j / kLanes * dimension + f) * kLanes + j % kLanes] = z;
            differences[f] += static_cast<double>(weights[j]) * (static_cast<double>(x[f]) - static_cast<double>(z));
            signs[f] += static_cast<double>(weights[j]) * ((x[f] > z ? 1 : 0) - (x[f] < z ? 1 : 0));
          }
        }
        const LaneView view{lanes.data(), nullptr, n, dimension, 0};
        std::vector<float> got(dimension, 9.0F), got_signs(dimension, 9.0F);
        weighted_differences(view, weights.data(), x.data(), got.data());
        weighted_signs(view, weights.data(), x.data(), got_signs.data());
        for (std::size_t f = 0; f < dimension; ++f) {
          ASSERT_NEAR(static_cast<double>(got[f]), differences[f], 1e-4) << n << ' ' << dimension << ' ' << f;
          ASSERT_NEAR(static_cast<double>(got_signs[f]), signs[f], 1e-4) << n << ' ' << dimension << ' ' << f;
        }
      }
    }
  });
}

}  // namespace
}  // namespace kinglet::simd
