// Kernel values in double precision compared with a plain loop, for every instruction set.
#include "simd/exact_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "simd/every_isa.hpp"
#include "simd/kernel_rows.hpp"

namespace kinglet::simd {
namespace {

TEST(ExactBlock, HasTheValuesOfThePlainForm) {
  for_every_isa([] {
    Random random(1);
    for (const KernelKind kind : {KernelKind::rbf, KernelKind::laplacian, KernelKind::linear, KernelKind::poly,
                                  KernelKind::hpoly, KernelKind::sigmoid}) {
      for (const std::size_t dimension : {0U, 1U, 2U, 21U, 130U}) {
        for (const double gamma : {1e-6, 0.03, 2.0, 500.0}) {
          const Kernel kernel{.kind = kind, .gamma = gamma, .coef0 = 0.5};
          AlignedFloats block(dimension * kLanes);
          for (float& value : block) value = static_cast<float>(random.normal());
          std::vector<float> query(dimension), vector(dimension);
          for (float& value : query) value = static_cast<float>(random.normal());
          for (std::size_t f = 0; f < dimension; ++f) query[f] = random.coin(0.3) ? block[f * kLanes + 5] : query[f];
          AlignedDoubles out(kLanes);
          exact_block(kernel, block.data(), dimension, query.data(), out.data());
          for (std::size_t v = 0; v < kLanes; ++v) {
            for (std::size_t f = 0; f < dimension; ++f) vector[f] = block[f * kLanes + v];
            const double want = kernel(Features::dense(query), Features::dense(vector));
            ASSERT_NEAR(out[v], want, 1e-14 * std::abs(want) + 1e-300) << static_cast<int>(kind) << ' ' << dimension;
          }
        }
      }
    }
  });
}

TEST(ExactBlock, IsOneForEqualVectorsAndNothingForFarOnes) {
  for_every_isa([] {
    AlignedFloats block(3 * kLanes, 1.5F);
    AlignedDoubles out(kLanes);
    const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.7};
    const std::vector<float> equal(3, 1.5F), far(3, 1e18F);
    exact_block(kernel, block.data(), 3, equal.data(), out.data());
    for (const double value : out) EXPECT_EQ(value, 1);
    exact_block(kernel, block.data(), 3, far.data(), out.data());
    for (const double value : out) EXPECT_EQ(value, 0);
  });
}

}  // namespace
}  // namespace kinglet::simd
