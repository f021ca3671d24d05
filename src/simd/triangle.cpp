#include "simd/triangle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/parallel.hpp"
#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/triangle.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, kTriangleBlock>;
using Vector = hn::Vec<Tag>;

// The multiply-adds of a product of U with so many vectors, for threads (core/parallel.hpp).
inline double product_cost(std::size_t n, std::size_t count) {
  return 0.5 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(count);
}

// --- Uᵀx: lanes are rows of U, summed at the end ---

constexpr std::size_t kTileSums = 16;
constexpr std::size_t kTileRows = 4;

// out[i] = the sum of the lanes of vectors[i]: pairs of lanes of two vectors are added side by side, until one vector
// with all sums is left.
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

// What a tile fetches into the cache for later: at each step the next `pace` floats.
struct Ahead {
  const float* from;
  std::size_t pace;
};

// 16 sums: some columns of a panel, from `first` on, for each of `kRows` vectors x.
template <std::size_t kRows>
HWY_NOINLINE void transposed_tile(const ConstTriangle& u, const RowList& x, std::size_t q, std::size_t first,
                                  const Ahead& ahead, float* HWY_RESTRICT out, std::size_t out_stride) {
  constexpr std::size_t kColumns = kTileSums / kRows;
  const Tag d;
  Vector sums[kTileSums];
  for (Vector& sum : sums) sum = hn::Zero(d);
  const float* HWY_RESTRICT at[kRows];
  for (std::size_t r = 0; r < kRows; ++r) at[r] = x[q + r];
  const std::size_t panel = first / kTriangleBlock;
  const float* HWY_RESTRICT columns = u.block(0, panel) + first % kTriangleBlock * kTriangleBlock;
  for (std::size_t block = 0; block <= panel; ++block, columns += kTriangleBlock * kTriangleBlock) {
    hwy::Prefetch(ahead.from + block * ahead.pace);
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

// The vectors x from q on with a panel, kRows at a time, and the rest with half as many. The tiles of one size share
// the work of fetching the next panel.
template <std::size_t kRows>
HWY_INLINE void transposed_panel(const ConstTriangle& u, const RowList& x, std::size_t panel, std::size_t q, float* out,
                                 std::size_t out_stride) {
  constexpr std::size_t kColumns = kTileSums / kRows;
  const std::size_t tiles = std::max<std::size_t>((x.count - q) / kRows, 1) * (kTriangleBlock / kColumns);
  const std::size_t pace = kTriangleBlock * kTriangleBlock / tiles;
  const float* ahead = u.block(0, panel + 1);
  for (; q + kRows <= x.count; q += kRows) {
    for (std::size_t c = 0; c < kTriangleBlock; c += kColumns, ahead += (panel + 1) * pace) {
      transposed_tile<kRows>(u, x, q, panel * kTriangleBlock + c, {ahead, pace}, out, out_stride);
    }
  }
  if constexpr (kRows > 1) {
    if (q < x.count) transposed_panel<kRows / 2>(u, x, panel, q, out, out_stride);
  }
}

// Panels outside, rows inside: a panel stays in the cache while all rows use it.
void transposed_panels(const ConstTriangle& u, const RowList& x, std::size_t begin, std::size_t end, float* out,
                       std::size_t out_stride) {
  for (std::size_t panel = begin; panel < end; ++panel) {
    transposed_panel<kTileRows>(u, x, panel, 0, out, out_stride);
  }
}

// The longest panels come first, so that threads end at about the same time.
void multiply_transposed(const ConstTriangle& u, const RowList& x, float* HWY_RESTRICT out, std::size_t out_stride) {
  const std::size_t panels = u.panels();
  share(panels, 1, product_cost(u.n, x.count), [&](std::size_t begin, std::size_t end) {
    transposed_panels(u, x, panels - end, panels - begin, out, out_stride);
  });
}

// --- U x: lanes are rows of U, each summed over its columns in order ---

// A tile of sums, as many as there are registers for. Each strip comes from the second-level cache, so many rows share
// it.
constexpr std::size_t kTileStrips = 3;
constexpr std::size_t kStripRows = HWY_TARGET <= HWY_AVX3 ? 8 : 4;

// Some strips of a panel, for kRows vectors x. Meanwhile the panel after it, `next` floats further on, is fetched.
template <std::size_t kRows, std::size_t kStrips>
HWY_INLINE void strip_panel(const float* const* HWY_RESTRICT at, std::size_t next, const float* HWY_RESTRICT x,
                            std::size_t x_stride, Vector (&sums)[kStrips][kRows]) {
  const Tag d;
  for (std::size_t j = 0; j < kTriangleBlock; ++j) {
    Vector values[kRows];
    for (std::size_t r = 0; r < kRows; ++r) values[r] = hn::Set(d, x[r * x_stride + j]);
    for (std::size_t s = 0; s < kStrips; ++s) {
      const float* HWY_RESTRICT column = at[s] + j * kTriangleBlock;
      hwy::Prefetch(column + next);
      const Vector here = hn::Load(d, column);
      for (std::size_t r = 0; r < kRows; ++r) sums[s][r] = hn::MulAdd(here, values[r], sums[s][r]);
    }
  }
}

// A strip is one vector of rows. Several strips go together, so that sums do not wait for each other.
template <std::size_t kRows, std::size_t kStrips>
HWY_NOINLINE void strip_tile(const ConstTriangle& u, const float* HWY_RESTRICT x, std::size_t x_stride,
                             std::size_t first_strip, float* HWY_RESTRICT out, std::size_t out_stride) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const auto block_of = [&](std::size_t s) { return (first_strip + s) * width / kTriangleBlock; };
  const auto row_of = [&](std::size_t s) { return (first_strip + s) * width % kTriangleBlock; };
  Vector sums[kStrips][kRows];
  for (auto& strip : sums) {
    for (Vector& sum : strip) sum = hn::Zero(d);
  }
  const std::size_t common = block_of(kStrips - 1);
  for (std::size_t s = 0; s < kStrips; ++s) {  // the panels that not all strips have
    for (std::size_t panel = block_of(s); panel < common; ++panel) {
      const float* at = u.block(block_of(s), panel) + row_of(s);
      Vector strip[1][kRows];
      std::copy_n(sums[s], kRows, strip[0]);
      strip_panel<kRows, 1>(&at, Triangle::panel_step(panel), x + panel * kTriangleBlock, x_stride, strip);
      std::copy_n(strip[0], kRows, sums[s]);
    }
  }
  for (std::size_t panel = common; panel < u.panels(); ++panel) {
    const float* at[kStrips];
    for (std::size_t s = 0; s < kStrips; ++s) at[s] = u.block(block_of(s), panel) + row_of(s);
    strip_panel<kRows, kStrips>(at, Triangle::panel_step(panel), x + panel * kTriangleBlock, x_stride, sums);
  }
  for (std::size_t s = 0; s < kStrips; ++s) {
    for (std::size_t r = 0; r < kRows; ++r) {
      hn::Store(sums[s][r], d, out + r * out_stride + (first_strip + s) * width);
    }
  }
}

// The vectors x from q on, kRows at a time, and the rest with half as many.
template <std::size_t kStrips, std::size_t kRows>
HWY_INLINE void strip_rows(const ConstTriangle& u, const float* x, std::size_t x_stride, std::size_t count,
                           std::size_t strip, std::size_t q, float* out, std::size_t out_stride) {
  for (; q + kRows <= count; q += kRows) {
    strip_tile<kRows, kStrips>(u, x + q * x_stride, x_stride, strip, out + q * out_stride, out_stride);
  }
  if constexpr (kRows > 1) {
    if (q < count) strip_rows<kStrips, kRows / 2>(u, x, x_stride, count, strip, q, out, out_stride);
  }
}

void multiply_strips(const ConstTriangle& u, const float* x, std::size_t x_stride, std::size_t count, std::size_t strip,
                     std::size_t end, float* out, std::size_t out_stride) {
  for (; strip + kTileStrips <= end; strip += kTileStrips) {
    strip_rows<kTileStrips, kStripRows>(u, x, x_stride, count, strip, 0, out, out_stride);
  }
  for (; strip < end; ++strip) strip_rows<1, kStripRows>(u, x, x_stride, count, strip, 0, out, out_stride);
}

void multiply_triangle(const ConstTriangle& u, const float* HWY_RESTRICT x, std::size_t x_stride, std::size_t count,
                       float* HWY_RESTRICT out, std::size_t out_stride) {
  const std::size_t strips = u.panels() * kTriangleBlock / hn::Lanes(Tag());
  share(strips, kTileStrips, product_cost(u.n, count), [&](std::size_t begin, std::size_t end) {
    multiply_strips(u, x, x_stride, count, begin, end, out, out_stride);
  });
}

// --- U C: lanes are rows of U ---

constexpr std::size_t kGroup = kTriangleBlock;
static_assert(kMostRotated % kGroup == 0);

// What the columns of U need for a group of up to kGroup observations: A_j, y_j/√d_j and 1/√d_j, computed in double
// precision. The columns are padded to whole blocks; where A_j is 0, nothing changes.
struct Rotation {
  float* a;       // [j][kGroup]: A by rows, which is the layout of a block of rows of U
  float* y;       // [j][kGroup]
  float* shrink;  // [j]
};

using DoubleTag = hn::CappedTag<double, 8>;
using Doubles = hn::Vec<DoubleTag>;

// Rows from `count` on become 0.
void transpose(const float* HWY_RESTRICT a, std::size_t stride, std::size_t count, std::size_t end,
               float* HWY_RESTRICT out) {
  const Tag d;
  const hn::RebindToSigned<Tag> di;
  std::fill_n(out, end * kGroup, 0.0F);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const std::size_t rows = std::min(count - i, hn::Lanes(d));
    const auto steps = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(stride)));
    const auto within = hn::IfThenElseZero(hn::FirstN(di, rows), steps);
    for (std::size_t j = 0; j < end; ++j) {
      const Vector column = hn::GatherIndex(d, a + i * stride + j, within);
      hn::Store(hn::IfThenElseZero(hn::FirstN(d, rows), column), d, out + j * kGroup + i);
    }
  }
}

// Columns wait for each other, so kPanel of them go together: with y_p = G⁻¹A_pᵀ for the G before the panel and M_pq =
// A_q y_p, elimination in I + M gives their d and takes from each y what the columns before it in the panel explain.
constexpr std::size_t kPanel = 4;

struct Panel {
  HWY_ALIGN double a[kPanel][kGroup];
  HWY_ALIGN double y[kPanel][kGroup];
  double less[kPanel];  // 1/d
};

// y ← G⁻¹A
HWY_NOINLINE void multiply_panel(const double* HWY_RESTRICT inverse, Panel& panel) {
  const DoubleTag d;
  constexpr std::size_t kParts = 2;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t l = 0; l < kGroup; l += kParts * width) {
    Doubles sums[kPanel][kParts];
    for (auto& column : sums) {
      for (Doubles& sum : column) sum = hn::Zero(d);
    }
    for (std::size_t i = 0; i < kGroup; ++i) {
      const Doubles first = hn::Load(d, inverse + i * kGroup + l);
      const Doubles second = hn::Load(d, inverse + i * kGroup + l + width);
      for (std::size_t p = 0; p < kPanel; ++p) {
        const Doubles by = hn::Set(d, panel.a[p][i]);
        sums[p][0] = hn::MulAdd(first, by, sums[p][0]);
        sums[p][1] = hn::MulAdd(second, by, sums[p][1]);
      }
    }
    for (std::size_t p = 0; p < kPanel; ++p) {
      for (std::size_t part = 0; part < kParts; ++part) hn::Store(sums[p][part], d, panel.y[p] + l + part * width);
    }
  }
}

HWY_INLINE double dot_group(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b) {
  const DoubleTag d;
  Doubles sum = hn::Mul(hn::Load(d, a), hn::Load(d, b));
  for (std::size_t l = hn::Lanes(d); l < kGroup; l += hn::Lanes(d)) {
    sum = hn::MulAdd(hn::Load(d, a + l), hn::Load(d, b + l), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

HWY_NOINLINE void eliminate(Panel& panel) {
  const DoubleTag d;
  double m[kPanel][kPanel];
#pragma GCC unroll 4
  for (std::size_t p = 0; p < kPanel; ++p) {
#pragma GCC unroll 4
    for (std::size_t q = p; q < kPanel; ++q) m[p][q] = (p == q ? 1 : 0) + dot_group(panel.y[p], panel.a[q]);
  }
#pragma GCC unroll 4
  for (std::size_t p = 0; p < kPanel; ++p) {
    panel.less[p] = 1 / std::max(m[p][p], 1.0);
#pragma GCC unroll 4
    for (std::size_t q = p + 1; q < kPanel; ++q) {
      const double factor = m[p][q] * panel.less[p];
#pragma GCC unroll 4
      for (std::size_t r = q; r < kPanel; ++r) m[q][r] -= factor * m[p][r];
      for (std::size_t l = 0; l < kGroup; l += hn::Lanes(d)) {
        double* HWY_RESTRICT at = panel.y[q] + l;
        hn::Store(hn::NegMulAdd(hn::Set(d, factor), hn::Load(d, panel.y[p] + l), hn::Load(d, at)), d, at);
      }
    }
  }
}

// G⁻¹ ← G⁻¹ − Σ_p y_p y_pᵀ/d_p
HWY_NOINLINE void lower_inverse(const Panel& panel, double* HWY_RESTRICT inverse) {
  const DoubleTag d;
  for (std::size_t l = 0; l < kGroup; l += hn::Lanes(d)) {
    Doubles parts[kPanel];
    for (std::size_t p = 0; p < kPanel; ++p) {
      parts[p] = hn::Mul(hn::Load(d, panel.y[p] + l), hn::Set(d, -panel.less[p]));
    }
    for (std::size_t i = 0; i < kGroup; ++i) {
      double* HWY_RESTRICT at = inverse + i * kGroup + l;
      Doubles sum = hn::Load(d, at);
      for (std::size_t p = 0; p < kPanel; ++p) sum = hn::MulAdd(parts[p], hn::Set(d, panel.y[p][i]), sum);
      hn::Store(sum, d, at);
    }
  }
}

// From `by.a`, for columns up to `end`.
void find_rotation(const double* HWY_RESTRICT noise, std::size_t count, std::size_t end, const Rotation& by) {
  const DoubleTag d;
  const hn::Rebind<float, DoubleTag> narrow;
  HWY_ALIGN double inverse[kGroup * kGroup] = {};  // G_j⁻¹, symmetric
  for (std::size_t i = 0; i < count; ++i) inverse[i * kGroup + i] = 1 / noise[i];
  Panel panel;
  for (std::size_t j = 0; j < end; j += kPanel) {
    for (std::size_t p = 0; p < kPanel; ++p) {
      for (std::size_t l = 0; l < kGroup; l += hn::Lanes(d)) {
        hn::Store(hn::PromoteTo(d, hn::Load(narrow, by.a + (j + p) * kGroup + l)), d, panel.a[p] + l);
      }
    }
    multiply_panel(inverse, panel);
    eliminate(panel);
    lower_inverse(panel, inverse);
    for (std::size_t p = 0; p < kPanel; ++p) {
      const double shrink = std::sqrt(panel.less[p]);
      by.shrink[j + p] = static_cast<float>(shrink);
      for (std::size_t l = 0; l < kGroup; l += hn::Lanes(d)) {
        const Doubles y = hn::Mul(hn::Load(d, panel.y[p] + l), hn::Set(d, shrink));
        hn::Store(hn::DemoteTo(narrow, y), narrow, by.y + (j + p) * kGroup + l);
      }
    }
  }
}

// One strip of rows, with its part B of the sums in registers: the panels from `begin` to `end`. Panel p of the strip
// is at `at`, and the next one `step(p)` floats further on.
template <class Step>
HWY_INLINE void rotate_strip(float* HWY_RESTRICT at, std::size_t begin, std::size_t end, const Rotation& by,
                             const Step& step) {
  const Tag d;
  Vector sums[kGroup];
  for (Vector& sum : sums) sum = hn::Zero(d);
  const float* HWY_RESTRICT a = by.a + begin * kTriangleBlock * kGroup;
  const float* HWY_RESTRICT y = by.y + begin * kTriangleBlock * kGroup;
  const float* HWY_RESTRICT shrink = by.shrink + begin * kTriangleBlock;
  for (std::size_t panel = begin; panel < end; ++panel) {
    const std::size_t next = step(panel);
    for (std::size_t j = 0; j < kTriangleBlock; ++j, a += kGroup, y += kGroup, ++shrink) {
      float* HWY_RESTRICT column = at + j * kTriangleBlock;
      hwy::Prefetch(column + next);
      const Vector here = hn::Load(d, column);
      Vector even = hn::Mul(here, hn::Set(d, *shrink));
      Vector odd = hn::Mul(sums[1], hn::Set(d, y[1]));
      even = hn::NegMulAdd(sums[0], hn::Set(d, y[0]), even);
      for (std::size_t i = 2; i < kGroup; i += 2) {
        even = hn::NegMulAdd(sums[i], hn::Set(d, y[i]), even);
        odd = hn::MulAdd(sums[i + 1], hn::Set(d, y[i + 1]), odd);
      }
      for (std::size_t i = 0; i < kGroup; ++i) sums[i] = hn::MulAdd(here, hn::Set(d, a[i]), sums[i]);
      hn::Store(hn::Sub(even, odd), d, column);
    }
    at += next;
  }
}

HWY_NOINLINE void rotate_rows(const Triangle& u, std::size_t row, const Rotation& by) {
  const std::size_t block = row / kTriangleBlock;
  rotate_strip(u.block(block, block) + row % kTriangleBlock, block, u.panels(), by, Triangle::panel_step);
}

// The rows of A, which are rows of KᵀU, so that they rotate like those of U.
HWY_NOINLINE void rotate_whitened(float* a, std::size_t panels, const Rotation& by) {
  const Tag d;
  for (std::size_t i = 0; i < kGroup; i += hn::Lanes(d)) {
    rotate_strip(a + i, 0, panels, by, [](std::size_t) { return kTriangleBlock * kGroup; });
  }
}

void rotate_range(const Triangle& u, std::size_t begin, std::size_t end, const Rotation* by, std::size_t groups) {
  for (std::size_t row = begin; row < end; row += hn::Lanes(Tag())) {
    for (std::size_t g = 0; g < groups; ++g) rotate_rows(u, row, by[g]);
  }
}

// Group after group, in one pass over U.
void rotate(const Triangle& u, const float* a, std::size_t stride, const double* noise, std::size_t count,
            float* scratch) {
  const std::size_t end = u.panels() * kTriangleBlock;
  const std::size_t groups = (count + kGroup - 1) / kGroup;
  Rotation by[kMostRotated / kGroup];
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t members = std::min(count - g * kGroup, kGroup);
    float* room = scratch + g * rotation_room(end, kGroup);
    by[g] = {room, room + end * kGroup, room + 2 * end * kGroup};
    transpose(a + g * kGroup * stride, stride, members, end, by[g].a);
    for (std::size_t before = 0; before < g; ++before) rotate_whitened(by[g].a, u.panels(), by[before]);
    find_rotation(noise + g * kGroup, members, end, by[g]);
  }
  share(u.n, kTriangleBlock, 2 * product_cost(u.n, count),
        [&](std::size_t begin, std::size_t rows_end) { rotate_range(u, begin, rows_end, by, groups); });
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
