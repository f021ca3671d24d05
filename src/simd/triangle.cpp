#include "simd/triangle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/triangle.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, kTriangleBlock>;
using Vector = hn::Vec<Tag>;

constexpr std::size_t kTileStrips = 4;
constexpr std::size_t kTileRows = 4;

// --- Uᵀx: lanes are rows of U, summed at the end ---

constexpr std::size_t kTileSums = 16;

// out[i] = the sum of the lanes of vectors[i]: pairs of lanes of two vectors are added side by side, until one vector with all
// sums is left.
HWY_INLINE void sum_lanes(Vector (&vectors)[kTileSums], float* HWY_RESTRICT out) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  std::size_t count = kTileSums;
#if HWY_TARGET != HWY_SCALAR
  for (std::size_t lanes = width; lanes > 1; lanes /= 2) {
    count /= 2;
    for (std::size_t i = 0; i < count; ++i) {
      const Vector low = vectors[2 * i], high = vectors[2 * i + 1];
      vectors[i] = hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
    }
  }
#endif
  for (std::size_t i = 0; i < count; ++i) hn::Store(vectors[i], d, out + i * width);
}

// 16 sums: the columns from `first` on, all in one block of rows, for each of `kRows` vectors x.
template <std::size_t kRows>
HWY_INLINE void transposed_tile(const ConstTriangle& u, const RowList& x, std::size_t q, std::size_t first,
                                float* HWY_RESTRICT out, std::size_t out_stride) {
  constexpr std::size_t kColumns = kTileSums / (kRows == 3 ? 4 : kRows);
  const Tag d;
  Vector sums[kTileSums];
  for (Vector& sum : sums) sum = hn::Zero(d);
  const float* HWY_RESTRICT at[kRows];
  for (std::size_t r = 0; r < kRows; ++r) at[r] = x[q + r];
  for (std::size_t block = 0; block <= first / kTriangleBlock; ++block) {
    const float* HWY_RESTRICT columns = u.column(block, first);
    for (std::size_t i = 0; i < kTriangleBlock; i += hn::Lanes(d)) {
      Vector here[kRows];
      for (std::size_t r = 0; r < kRows; ++r) here[r] = hn::Load(d, at[r] + block * kTriangleBlock + i);
      for (std::size_t c = 0; c < kColumns; ++c) {
        const Vector column = hn::Load(d, columns + c * kTriangleBlock + i);
        for (std::size_t r = 0; r < kRows; ++r) {
          sums[r * kColumns + c] = hn::MulAdd(column, here[r], sums[r * kColumns + c]);
        }
      }
    }
  }
  HWY_ALIGN float totals[kTileSums];
  sum_lanes(sums, totals);
  for (std::size_t r = 0; r < kRows; ++r) {
    std::copy_n(totals + r * kColumns, kColumns, out + (q + r) * out_stride + first);
  }
}

template <std::size_t kRows>
HWY_INLINE void transposed_rows(const ConstTriangle& u, const RowList& x, std::size_t q, float* out,
                                std::size_t out_stride) {
  constexpr std::size_t kColumns = kTileSums / (kRows == 3 ? 4 : kRows);
  const std::size_t end = (u.n + kTriangleBlock - 1) / kTriangleBlock * kTriangleBlock;
  for (std::size_t j = 0; j < end; j += kColumns) transposed_tile<kRows>(u, x, q, j, out, out_stride);
}

void multiply_transposed(const ConstTriangle& u, const RowList& x, float* HWY_RESTRICT out, std::size_t out_stride) {
  std::size_t q = 0;
  for (; q + kTileRows <= x.count; q += kTileRows) transposed_rows<kTileRows>(u, x, q, out, out_stride);
  switch (x.count - q) {
    case 3:
      return transposed_rows<3>(u, x, q, out, out_stride);
    case 2:
      return transposed_rows<2>(u, x, q, out, out_stride);
    case 1:
      return transposed_rows<1>(u, x, q, out, out_stride);
    default:
      return;
  }
}

// --- U x: lanes are rows of U, each summed over its columns in order ---

// A strip is one vector of rows. Several strips go together, so that sums do not wait for each other.
template <std::size_t kRows, std::size_t kStrips>
HWY_INLINE void strip_tile(const ConstTriangle& u, const float* HWY_RESTRICT x, std::size_t x_stride,
                           std::size_t first_strip, float* HWY_RESTRICT out, std::size_t out_stride) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const float* HWY_RESTRICT at[kStrips];  // where column 0 would be
  std::size_t begin[kStrips];
  Vector sums[kStrips][kRows];
  for (std::size_t s = 0; s < kStrips; ++s) {
    const std::size_t row = (first_strip + s) * width;
    const std::size_t block = row / kTriangleBlock;
    begin[s] = block * kTriangleBlock;
    at[s] = u.column(block, begin[s]) + row % kTriangleBlock;
    for (Vector& sum : sums[s]) sum = hn::Zero(d);
  }
  const std::size_t common = begin[kStrips - 1];
  for (std::size_t s = 0; s < kStrips; ++s) {  // the columns that not all strips have
    for (std::size_t j = begin[s]; j < common; ++j) {
      const Vector here = hn::Load(d, at[s] + (j - begin[s]) * kTriangleBlock);
      for (std::size_t r = 0; r < kRows; ++r) {
        sums[s][r] = hn::MulAdd(here, hn::Set(d, x[r * x_stride + j]), sums[s][r]);
      }
    }
    at[s] += (common - begin[s]) * kTriangleBlock;
  }
  for (std::size_t j = common; j < u.n; ++j) {
    const std::size_t from = (j - common) * kTriangleBlock;
    Vector values[kRows];
    for (std::size_t r = 0; r < kRows; ++r) values[r] = hn::Set(d, x[r * x_stride + j]);
    for (std::size_t s = 0; s < kStrips; ++s) {
      const Vector here = hn::Load(d, at[s] + from);
      for (std::size_t r = 0; r < kRows; ++r) sums[s][r] = hn::MulAdd(here, values[r], sums[s][r]);
    }
  }
  for (std::size_t s = 0; s < kStrips; ++s) {
    for (std::size_t r = 0; r < kRows; ++r) {
      hn::Store(sums[s][r], d, out + r * out_stride + (first_strip + s) * width);
    }
  }
}

template <std::size_t kRows>
HWY_INLINE void strip_rows(const ConstTriangle& u, const float* x, std::size_t x_stride, float* out,
                           std::size_t out_stride) {
  const Tag d;
  const std::size_t end = (u.n + kTriangleBlock - 1) / kTriangleBlock * kTriangleBlock / hn::Lanes(d);
  std::size_t strip = 0;
  for (; strip + kTileStrips <= end; strip += kTileStrips) {
    strip_tile<kRows, kTileStrips>(u, x, x_stride, strip, out, out_stride);
  }
  for (; strip < end; ++strip) strip_tile<kRows, 1>(u, x, x_stride, strip, out, out_stride);
}

void multiply_triangle(const ConstTriangle& u, const float* HWY_RESTRICT x, std::size_t x_stride, std::size_t count,
                       float* HWY_RESTRICT out, std::size_t out_stride) {
  std::size_t q = 0;
  for (; q + kTileRows <= count; q += kTileRows) {
    strip_rows<kTileRows>(u, x + q * x_stride, x_stride, out + q * out_stride, out_stride);
  }
  x += q * x_stride;
  out += q * out_stride;
  switch (count - q) {
    case 3:
      return strip_rows<3>(u, x, x_stride, out, out_stride);
    case 2:
      return strip_rows<2>(u, x, x_stride, out, out_stride);
    case 1:
      return strip_rows<1>(u, x, x_stride, out, out_stride);
    default:
      return;
  }
}

// --- U C ---

// What the columns of U need: A_j, y_j and 1/√d_j, computed in double precision.
struct Rotation {
  float* a;       // [j][kMostRotated]
  float* y;       // the same
  float* shrink;  // [j]
};

void find_rotation(const float* HWY_RESTRICT a, std::size_t stride, const double* HWY_RESTRICT noise, std::size_t count,
                   std::size_t n, const Rotation& out) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  using Doubles = hn::Vec<decltype(d)>;
  const std::size_t width = hn::Lanes(d);
  HWY_ALIGN double inverse[kMostRotated * kMostRotated] = {};  // G_j⁻¹, symmetric
  HWY_ALIGN double a_j[kMostRotated] = {};
  HWY_ALIGN double y[kMostRotated];
  for (std::size_t i = 0; i < count; ++i) inverse[i * kMostRotated + i] = 1 / noise[i];
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < count; ++i) a_j[i] = static_cast<double>(a[i * stride + j]);
    Doubles product = hn::Zero(d);
    for (std::size_t l = 0; l < kMostRotated; l += width) {
      Doubles sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
      for (std::size_t i = 0; i < kMostRotated; i += 4) {
        for (std::size_t c = 0; c < 4; ++c) {
          sums[c] = hn::MulAdd(hn::Load(d, inverse + (i + c) * kMostRotated + l), hn::Set(d, a_j[i + c]), sums[c]);
        }
      }
      const Doubles here = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
      hn::Store(here, d, y + l);
      product = hn::MulAdd(here, hn::Load(d, a_j + l), product);
    }
    const double size = 1 + hn::GetLane(hn::SumOfLanes(d, product));
    const Doubles less = hn::Set(d, -1 / size);
    for (std::size_t l = 0; l < kMostRotated; l += width) {
      const Doubles part = hn::Mul(hn::Load(d, y + l), less);
      for (std::size_t i = 0; i < kMostRotated; ++i) {
        double* HWY_RESTRICT at = inverse + i * kMostRotated + l;
        hn::Store(hn::MulAdd(part, hn::Set(d, y[i]), hn::Load(d, at)), d, at);
      }
      hn::Store(hn::DemoteTo(narrow, hn::Load(d, a_j + l)), narrow, out.a + j * kMostRotated + l);
      hn::Store(hn::DemoteTo(narrow, hn::Load(d, y + l)), narrow, out.y + j * kMostRotated + l);
    }
    out.shrink[j] = static_cast<float>(1 / std::sqrt(size));
  }
}

// One strip of rows, with its part of B in registers.
HWY_INLINE void rotate_strip(const Triangle& u, std::size_t row, const Rotation& by) {
  const Tag d;
  const std::size_t block = row / kTriangleBlock;
  const std::size_t begin = block * kTriangleBlock;
  float* HWY_RESTRICT at = u.column(block, begin) + row % kTriangleBlock;
  Vector sums[kMostRotated];
  for (Vector& sum : sums) sum = hn::Zero(d);
  for (std::size_t j = begin; j < u.n; ++j, at += kTriangleBlock) {
    const float* HWY_RESTRICT a = by.a + j * kMostRotated;
    const float* HWY_RESTRICT y = by.y + j * kMostRotated;
    const Vector here = hn::Load(d, at);
    Vector part[4] = {here, hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (std::size_t i = 0; i < kMostRotated; i += 4) {
      for (std::size_t c = 0; c < 4; ++c) part[c] = hn::NegMulAdd(sums[i + c], hn::Set(d, y[i + c]), part[c]);
    }
    for (std::size_t i = 0; i < kMostRotated; ++i) sums[i] = hn::MulAdd(here, hn::Set(d, a[i]), sums[i]);
    const Vector left = hn::Add(hn::Add(part[0], part[1]), hn::Add(part[2], part[3]));
    hn::Store(hn::Mul(left, hn::Set(d, by.shrink[j])), d, at);
  }
}

void rotate(const Triangle& u, const float* a, std::size_t stride, const double* noise, std::size_t count,
            float* scratch) {
  const Rotation by{scratch, scratch + u.n * kMostRotated, scratch + 2 * u.n * kMostRotated};
  find_rotation(a, stride, noise, count, u.n, by);
  const Tag d;
  for (std::size_t row = 0; row < u.n; row += hn::Lanes(d)) rotate_strip(u, row, by);
}

void add_rows(const float* HWY_RESTRICT weights, std::size_t count, const float* HWY_RESTRICT rows, std::size_t stride,
              std::size_t n, float* HWY_RESTRICT to) {
  const Tag d;
  for (std::size_t j = 0; j < n; j += hn::Lanes(d)) {
    Vector even = hn::Load(d, to + j), odd = hn::Zero(d);
    std::size_t i = 0;
    for (; i + 2 <= count; i += 2) {
      even = hn::MulAdd(hn::Set(d, weights[i]), hn::Load(d, rows + i * stride + j), even);
      odd = hn::MulAdd(hn::Set(d, weights[i + 1]), hn::Load(d, rows + (i + 1) * stride + j), odd);
    }
    if (i < count) even = hn::MulAdd(hn::Set(d, weights[i]), hn::Load(d, rows + i * stride + j), even);
    hn::Store(hn::Add(even, odd), d, to + j);
  }
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(multiply_transposed);
HWY_EXPORT(multiply_triangle);
HWY_EXPORT(rotate);
HWY_EXPORT(add_rows);

void multiply_transposed(const ConstTriangle& u, const RowList& x, float* out, std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(multiply_transposed)(u, x, out, out_stride);
}

void multiply(const ConstTriangle& u, const float* x, std::size_t x_stride, std::size_t count, float* out,
              std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(multiply_triangle)(u, x, x_stride, count, out, out_stride);
}

void rotate(const Triangle& u, const float* a, std::size_t stride, const double* noise, std::size_t count,
            float* scratch) {
  HWY_DYNAMIC_DISPATCH(rotate)(u, a, stride, noise, count, scratch);
}

void add_rows(const float* weights, std::size_t count, const float* rows, std::size_t stride, std::size_t n,
              float* to) {
  HWY_DYNAMIC_DISPATCH(add_rows)(weights, count, rows, stride, n, to);
}

}  // namespace kinglet::simd
#endif
