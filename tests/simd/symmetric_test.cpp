// Symmetric matrices that store one half, compared with full matrices, for every instruction set.
#include "simd/symmetric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

// The same matrix in full and with one half stored. Entries outside the stored half are NaN.
struct Both {
  std::size_t n, stride;
  std::vector<double> whole;
  AlignedDoubles kept;

  Both(Random& random, std::size_t size) : n(size), stride(size + 8), whole(size * size), kept(size * stride, NAN) {
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t r = 0; r <= c; ++r) whole[c * n + r] = whole[r * n + c] = random.normal();
    }
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t r = 0; r < rows(c); ++r) kept[c * stride + r] = whole[c * n + r];
    }
  }
  static std::size_t rows(std::size_t c) { return c / 8 * 8 + 8; }
  Symmetric view() { return {kept.data(), stride, n}; }
  void expect_same() const {
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t r = 0; r < rows(c); ++r) ASSERT_NEAR(kept[c * stride + r], whole[c * n + r], 1e-13);
      for (std::size_t r = c / 8 * 8; r < c; ++r) ASSERT_EQ(kept[c * stride + r], kept[r * stride + c]);
      for (std::size_t r = rows(c); r < n; ++r) ASSERT_TRUE(std::isnan(kept[c * stride + r]));
    }
  }
};

AlignedDoubles random_doubles(Random& random, std::size_t n) {
  AlignedDoubles values(n);
  for (double& value : values) value = random.normal();
  return values;
}

TEST(Symmetric, MultipliesAsTheWholeMatrixDoes) {
  for_every_isa([] {
    Random random(1);
    for (const std::size_t n : {0U, 8U, 16U, 40U, 200U}) {
      Both both(random, n);
      const AlignedDoubles x = random_doubles(random, n);
      AlignedDoubles out(n, 5.0);
      multiply({both.kept.data(), both.stride, n}, x.data(), out.data());
      for (std::size_t r = 0; r < n; ++r) {
        double want = 0;
        for (std::size_t c = 0; c < n; ++c) want += both.whole[c * n + r] * x[c];
        ASSERT_NEAR(out[r], want, 1e-12);
      }
    }
  });
}

TEST(Symmetric, AddsSquares) {
  for_every_isa([] {
    Random random(2);
    for (const std::size_t n : {0U, 8U, 24U, 64U}) {
      Both both(random, n);
      const AlignedDoubles u = random_doubles(random, n), v = random_doubles(random, n);
      add_square(both.view(), -0.3, u.data());
      add_squares(both.view(), 0.7, u.data(), -1.2, v.data());
      for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t r = 0; r < n; ++r) both.whole[c * n + r] += 0.4 * u[c] * u[r] - 1.2 * v[c] * v[r];
      }
      both.expect_same();
    }
  });
}

}  // namespace
}  // namespace kinglet::simd
