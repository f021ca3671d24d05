// Register tiles of E queries × R vectors of lanes: the inner loop over the features does E·R multiply-adds for E + R
// loads. A single query (E = 1) uses many vectors of lanes at once to hide the latency of the additions.
#include "simd/kernel_rows.hpp"

#include <cmath>

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/kernel_rows.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

#include "simd/kernel_forms-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

// Tile shapes: the accumulators, one row of vectors and one broadcast value fit the register file.
#if KINGLET_SMALL_TILES  // for sanitizers: instrumented code of larger tiles takes minutes to compile
constexpr std::size_t kTileRows = 2;
constexpr std::size_t kTileColumns = 2;
constexpr std::size_t kSingleColumns = 2;
#elif HWY_TARGET == HWY_SCALAR
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kTileColumns = 2;
constexpr std::size_t kSingleColumns = 4;
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
constexpr std::size_t kTileRows = 8;
constexpr std::size_t kTileColumns = 3;
constexpr std::size_t kSingleColumns = 4;  // more would be limited by the cache
#else
constexpr std::size_t kTileRows = 4;
constexpr std::size_t kTileColumns = 3;
constexpr std::size_t kSingleColumns = 8;
#endif

// Features are summed in runs of this length, then the runs are added up. This limits the rounding errors of long sums.
constexpr std::size_t kRun = 64;

// --- tiles -----------------------------------------------------------------------------------------------------------

// The sums of the features [begin, end), for E queries and R columns.
template <std::size_t E, std::size_t R, class Sum>
HWY_INLINE void sum_features(const float* const (&z)[R], const float* x, std::size_t x_stride, std::size_t begin,
                             std::size_t end, Vector (&sum)[E][R]) {
  const Tag d;
#pragma GCC unroll 8
  for (std::size_t e = 0; e < E; ++e) {
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) sum[e][r] = hn::Zero(d);
  }
  for (std::size_t f = begin; f < end; ++f) {
    Vector zs[R];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) zs[r] = hn::Load(d, z[r] + f * kLanes);
#pragma GCC unroll 8
    for (std::size_t e = 0; e < E; ++e) {
      const Vector xs = hn::Set(d, x[e * x_stride + f]);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) sum[e][r] = Sum::add(sum[e][r], zs[r], xs);
    }
  }
}

// The sums of all features.
template <std::size_t E, std::size_t R, class Sum>
HWY_INLINE void sum_runs(const float* const (&z)[R], const float* x, std::size_t x_stride, std::size_t dimension,
                         Vector (&sum)[E][R]) {
  sum_features<E, R, Sum>(z, x, x_stride, 0, dimension < kRun ? dimension : kRun, sum);
  for (std::size_t begin = kRun; begin < dimension; begin += kRun) {
    Vector part[E][R];
    const std::size_t end = dimension - begin < kRun ? dimension : begin + kRun;
    sum_features<E, R, Sum>(z, x, x_stride, begin, end, part);
    for (std::size_t e = 0; e < E; ++e) {
      for (std::size_t r = 0; r < R; ++r) sum[e][r] = hn::Add(sum[e][r], part[e][r]);
    }
  }
}

template <std::size_t E, std::size_t R, class Form>
HWY_INLINE void tile(const Form& form, const LaneView& vectors, std::size_t column, const RowView& rows,
                     std::size_t row, float* out, std::size_t out_stride) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const float* z[R];
  for (std::size_t r = 0; r < R; ++r) z[r] = column_start(vectors, column + r);
  Vector sum[E][R];
  sum_runs<E, R, typename Form::Sum>(z, rows.data + row * rows.stride, rows.stride, vectors.dimension, sum);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < R; ++r) {
    const Vector z_norms = hn::Load(d, vectors.norms + (column + r) * width);
#pragma GCC unroll 8
    for (std::size_t e = 0; e < E; ++e) {
      const Vector norms = hn::Add(z_norms, hn::Set(d, rows.norms[row + e]));
      hn::Store(form(d, sum[e][r], norms), d, out + e * out_stride + (column + r) * width);
    }
  }
}

template <std::size_t E, std::size_t R, class Form>
HWY_INLINE void rows_of_tiles(const Form& form, const LaneView& vectors, const RowView& rows, std::size_t row,
                              float* out, std::size_t out_stride, std::size_t& column, std::size_t columns) {
  for (; column + R <= columns; column += R) tile<E, R>(form, vectors, column, rows, row, out, out_stride);
}

template <class Form>
void block(const Form& form, const LaneView& vectors, const RowView& rows, float* out, std::size_t out_stride) {
  const std::size_t columns = (vectors.count + kLanes - 1) / kLanes * (kLanes / hn::Lanes(Tag()));
  // Outer loop over column tiles, inner loop over queries: a tile of vectors stays in the cache for all queries.
  std::size_t tiled = rows.count / kTileRows * kTileRows;
  for (std::size_t column = 0; column < columns;) {
    const std::size_t begin = column;
    for (std::size_t row = 0; row < tiled; row += kTileRows) {
      float* to = out + row * out_stride;
      column = begin;
      const std::size_t end = begin + kTileColumns <= columns ? begin + kTileColumns : columns;
      rows_of_tiles<kTileRows, kTileColumns>(form, vectors, rows, row, to, out_stride, column, end);
      rows_of_tiles<kTileRows, 1>(form, vectors, rows, row, to, out_stride, column, end);
    }
    if (tiled == 0) break;
  }
  for (std::size_t row = tiled; row < rows.count; ++row) {
    float* to = out + row * out_stride;
    std::size_t column = 0;
    rows_of_tiles<1, kSingleColumns>(form, vectors, rows, row, to, out_stride, column, columns);
    rows_of_tiles<1, kSingleColumns - 1>(form, vectors, rows, row, to, out_stride, column, columns);
    rows_of_tiles<1, kSingleColumns / 2>(form, vectors, rows, row, to, out_stride, column, columns);
    rows_of_tiles<1, 1>(form, vectors, rows, row, to, out_stride, column, columns);
  }
}

// Recomputes, from differences, the pairs of one query for which the expanded form is inaccurate. Values that are
// negligible compared with 1 are kept, unless the norms are so large that even this may be a rounding error. The norms
// are added first, so that the decision does not depend on which vector of the pair is the query.
class Repair {
 public:
  Repair(const Kernel& kernel, const LaneView& vectors, const RowView& rows)
      : form_(kernel),
        vectors_(vectors),
        rows_(rows),
        limit_(static_cast<float>(kSafeExponent / kernel.gamma)),
        too_far_(static_cast<float>(kHopelessExponent / kernel.gamma)) {}

  bool may_be_needed(std::size_t row) const { return rows_.norms[row] + vectors_.largest_norm > limit_; }

  // Several columns at once, as a single one would be limited by the latency of its additions.
  void row(std::size_t row, float* out) const {
    const std::size_t columns = (vectors_.count + kLanes - 1) / kLanes * (kLanes / hn::Lanes(Tag()));
    std::size_t unsafe[kSingleColumns];
    std::size_t count = 0;
    for (std::size_t column = 0; column < columns; ++column) {
      if (hn::AllFalse(Tag(), unsafe_lanes(row, column, out))) continue;
      unsafe[count++] = column;
      if (count < kSingleColumns) continue;
      compute<kSingleColumns>(row, unsafe, out);
      count = 0;
    }
    for (std::size_t i = 0; i < count; ++i) compute<1>(row, unsafe + i, out);
  }

 private:
  using Lanes = hn::Mask<Tag>;

  HWY_INLINE Lanes unsafe_lanes(std::size_t row, std::size_t column, const float* out) const {
    const Tag d;
    const std::size_t start = column * hn::Lanes(d);
    const Vector norms = hn::Add(hn::Load(d, vectors_.norms + start), hn::Set(d, rows_.norms[row]));
    const Lanes matters =
        hn::Or(hn::Gt(hn::Load(d, out + start), hn::Set(d, 1e-21F)), hn::Gt(norms, hn::Set(d, too_far_)));
    return hn::And(hn::Gt(norms, hn::Set(d, limit_)), matters);
  }

  template <std::size_t R>
  HWY_INLINE void compute(std::size_t row, const std::size_t* columns, float* out) const {
    const Tag d;
    const float* z[R];
    for (std::size_t r = 0; r < R; ++r) z[r] = column_start(vectors_, columns[r]);
    Vector sum[1][R];
    sum_runs<1, R, SquaredDistance>(z, rows_.data + row * rows_.stride, rows_.stride, vectors_.dimension, sum);
    for (std::size_t r = 0; r < R; ++r) {
      float* to = out + columns[r] * hn::Lanes(d);
      const Vector exact = form_(d, sum[0][r], hn::Zero(d));
      hn::Store(hn::IfThenElse(unsafe_lanes(row, columns[r], out), exact, hn::Load(d, to)), d, to);
    }
  }

  ExpOfDistance<SquaredDistance> form_;
  const LaneView& vectors_;
  const RowView& rows_;
  float limit_;
  float too_far_;
};

void gaussian_block(const Kernel& kernel, const LaneView& vectors, const RowView& rows, float* out,
                    std::size_t out_stride) {
  if (vectors.dimension <= kDirectDimensions) {
    block(ExpOfDistance<SquaredDistance>(kernel), vectors, rows, out, out_stride);
    return;
  }
  block(GaussianFromDot(kernel), vectors, rows, out, out_stride);
  const Repair repair(kernel, vectors, rows);
  for (std::size_t row = 0; row < rows.count; ++row) {
    if (repair.may_be_needed(row)) repair.row(row, out + row * out_stride);
  }
}

void kernel_block(const Kernel& kernel, const LaneView& vectors, const RowView& rows, float* out,
                  std::size_t out_stride) {
  switch (kernel.kind) {
    case KernelKind::rbf:
      return gaussian_block(kernel, vectors, rows, out, out_stride);
    case KernelKind::laplacian:
      return block(ExpOfDistance<AbsoluteDistance>(kernel), vectors, rows, out, out_stride);
    case KernelKind::linear:
      return block(Linear(kernel), vectors, rows, out, out_stride);
    case KernelKind::poly:
    case KernelKind::hpoly:
      return block(Polynomial(kernel), vectors, rows, out, out_stride);
    case KernelKind::sigmoid:
      return block(Sigmoid(kernel), vectors, rows, out, out_stride);
  }
}

void exp_negative(double gamma, float* values, std::size_t n) {
  const Tag d;
  const Vector rate = hn::Set(d, static_cast<float>(-gamma * kLog2E));
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::Store(exp2_nonpositive(d, hn::Mul(rate, hn::Load(d, values + i))), d, values + i);
  }
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(kernel_block);
HWY_EXPORT(exp_negative);

void kernel_block(const Kernel& kernel, const LaneView& vectors, const RowView& rows, float* out,
                  std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(kernel_block)(kernel, vectors, rows, out, out_stride);
}

void exp_negative(double gamma, float* values, std::size_t n) { HWY_DYNAMIC_DISPATCH(exp_negative)(gamma, values, n); }

}  // namespace kinglet::simd
#endif
