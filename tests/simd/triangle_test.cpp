// Triangular matrices in blocks, compared with plain ones in double precision, for every instruction set.
#include "simd/triangle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

struct Root {
  std::size_t n;
  AlignedFloats values;

  Root(Random& random, std::size_t size) : n(size), values(Triangle::offset(0, round_up(size, 16) / 16)) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) at(i, j) = static_cast<float>(random.normal());
      at(j, j) = static_cast<float>(1 + random.uniform());
    }
  }
  float& at(std::size_t i, std::size_t j) { return values[Triangle::offset(i / 16, j / 16) + j % 16 * 16 + i % 16]; }
  double plain(std::size_t i, std::size_t j) { return i > j ? 0 : static_cast<double>(at(i, j)); }
  ConstTriangle view() const { return {values.data(), n}; }
  Triangle writable() { return {values.data(), n}; }
};

AlignedFloats random_rows(Random& random, std::size_t count, std::size_t stride) {
  AlignedFloats rows(count * stride);
  for (float& value : rows) value = static_cast<float>(random.normal());
  return rows;
}

TEST(Triangle, MultipliesRowsAsThePlainMatrixDoes) {
  for_every_isa([] {
    Random random(1);
    for (const std::size_t n : {1U, 7U, 16U, 17U, 40U, 100U}) {
      Root u(random, n);
      const std::size_t stride = round_up(n, 16) + 16;
      const std::size_t count = 7;
      const AlignedFloats x = random_rows(random, count, stride);
      const std::vector<std::size_t> order{3, 0, 6, 2, 5, 1, 4};
      AlignedFloats a(count * stride, 7.0F), g(count * stride, 7.0F);
      multiply_transposed(u.view(), {x.data(), stride, order.data(), count}, a.data(), stride);
      multiply(u.view(), a.data(), stride, count, g.data(), stride);
      for (std::size_t q = 0; q < count; ++q) {
        for (std::size_t j = 0; j < n; ++j) {
          double transposed = 0, plain = 0;
          for (std::size_t i = 0; i < n; ++i) {
            transposed += u.plain(i, j) * static_cast<double>(x[order[q] * stride + i]);
            plain += u.plain(j, i) * static_cast<double>(a[q * stride + i]);
          }
          ASSERT_NEAR(a[q * stride + j], transposed, 1e-4) << n << " " << j;
          ASSERT_NEAR(g[q * stride + j], plain, 1e-5 * (10 + std::abs(plain)) * std::sqrt(n)) << n << " " << j;
        }
        for (std::size_t j = n; j < round_up(n, 16); ++j) {
          ASSERT_EQ(a[q * stride + j], 0);
          ASSERT_EQ(g[q * stride + j], 0);
        }
      }
    }
  });
}

TEST(Triangle, RowsDoNotDependOnTheOthers) {
  for_every_isa([] {
    Random random(2);
    const std::size_t n = 90, stride = 96, count = 11;
    const Root u(random, n);
    const AlignedFloats x = random_rows(random, count, stride);
    std::vector<std::size_t> order(count);
    for (std::size_t q = 0; q < count; ++q) order[q] = q;
    AlignedFloats together(count * stride), images(count * stride), alone(stride), image(stride);
    multiply_transposed(u.view(), {x.data(), stride, order.data(), count}, together.data(), stride);
    multiply(u.view(), together.data(), stride, count, images.data(), stride);
    for (std::size_t q = 0; q < count; ++q) {
      multiply_transposed(u.view(), {x.data(), stride, &order[q], 1}, alone.data(), stride);
      multiply(u.view(), alone.data(), stride, 1, image.data(), stride);
      for (std::size_t j = 0; j < n; ++j) {
        ASSERT_EQ(alone[j], together[q * stride + j]);
        ASSERT_EQ(image[j], images[q * stride + j]);
      }
    }
  });
}

// U Uᵀ − Σ h hᵀ/(v + r), observation after observation.
TEST(Triangle, RotatesToTheRootAfterTheObservations) {
  for_every_isa([] {
    Random random(3);
    for (const std::size_t n : {1U, 5U, 30U}) {
      for (const std::size_t count : {1U, 3U, 16U, 17U, 40U, 64U}) {
        Root u(random, n);
        const std::size_t stride = round_up(n, 16);
        const AlignedFloats k = random_rows(random, count, stride);
        std::vector<std::size_t> order(count);
        std::vector<double> noise(count);
        std::vector<double> s(n * n);
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t l = 0; l < n; ++l) s[i * n + j] += u.plain(i, l) * u.plain(j, l);
          }
        }
        for (std::size_t q = 0; q < count; ++q) {
          order[q] = q;
          noise[q] = 0.5 + random.uniform();
          std::vector<double> h(n);
          double v = 0;
          for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) h[i] += s[i * n + j] * static_cast<double>(k[q * stride + j]);
            v += h[i] * static_cast<double>(k[q * stride + i]);
          }
          for (std::size_t i = 0; i < n * n; ++i) s[i] -= h[i / n] * h[i % n] / (v + noise[q]);
        }
        AlignedFloats a(count * stride), scratch(rotation_room(n, count));
        multiply_transposed(u.view(), {k.data(), stride, order.data(), count}, a.data(), stride);
        rotate(u.writable(), a.data(), stride, noise.data(), count, scratch.data());
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            double here = 0;
            for (std::size_t l = 0; l < n; ++l) here += u.plain(i, l) * u.plain(j, l);
            ASSERT_NEAR(here, s[i * n + j], 2e-4 * static_cast<double>(n)) << n << " " << count;
          }
          ASSERT_GT(u.plain(i, i), 0);
        }
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t i = j + 1; i < round_up(j + 1, 16); ++i) ASSERT_EQ(u.at(i, j), 0);  // below the diagonal
        }
      }
    }
  });
}

TEST(Triangle, AddsRowsToAnother) {
  for_every_isa([] {
    Random random(4);
    const AlignedFloats rows = random_rows(random, 5, 32);
    const std::vector<float> weights{1, -2, 0.5F, 3, -1};
    for (const std::size_t count : {0U, 1U, 4U, 5U}) {
      AlignedFloats to(32, 2.0F);
      add_rows(weights.data(), count, rows.data(), 32, 32, to.data());
      for (std::size_t j = 0; j < 32; ++j) {
        double want = 2;
        for (std::size_t i = 0; i < count; ++i) {
          want += static_cast<double>(weights[i]) * static_cast<double>(rows[i * 32 + j]);
        }
        ASSERT_NEAR(to[j], want, 1e-5);
      }
    }
  });
}

}  // namespace
}  // namespace kinglet::simd
