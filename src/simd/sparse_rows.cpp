// Tiles of one row × R vectors of lanes: each listed feature costs R multiply-adds for R loads, its value and its
// index.
#include "simd/sparse_rows.hpp"

#include <cmath>

#include "core/assert.hpp"
#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/sparse_rows.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

#include "simd/kernel_forms-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

// Fewer columns would be limited by the latency of the additions; more would not fit the first-level cache, where a
// tile of vectors should stay for all rows.
#if KINGLET_SMALL_TILES
constexpr std::size_t kWalkColumns = 2;
#else
constexpr std::size_t kWalkColumns = 8;
#endif

// One row: its list of features and its norm.
struct Walker {
  Walker(const SparseRowView& rows, std::size_t row)
      : values(rows.values + rows.offsets[row]),
        indices(rows.indices + rows.offsets[row]),
        count(rows.offsets[row + 1] - rows.offsets[row]),
        norm(rows.norms[row]) {}

  const float* values;
  const std::uint32_t* indices;
  std::size_t count;
  double norm;
};

// The kernels that are a function of the inner product alone.
template <class Form>
struct PlainWalk {
  PlainWalk(const Kernel& kernel, const LaneView&, const double*) : form(kernel) {}
  template <std::size_t R>
  HWY_INLINE void finish(Tag d, const Vector (&sum)[R], const Walker&, const float* const (&)[R],
                         const std::size_t (&)[R], Vector (&value)[R]) const {
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) value[r] = form(d, sum[r], hn::Zero(d));
  }
  Form form;
};

// The Gaussian kernel. Pairs are unsafe as in kernel_rows.cpp: values that are negligible compared with 1 are kept,
// unless the norms are so large that even this may be a rounding error.
struct GaussianWalk {
  GaussianWalk(const Kernel& kernel, const LaneView& vectors, const double* exact)
      : form(kernel),
        rate(-kernel.gamma * kLog2E),
        norms(vectors.norms),
        exact_norms(exact),
        dot_limit(static_cast<float>(kSafeExponent / 2 / kernel.gamma)),
        norm_limit(static_cast<float>(kSafeNormExponent / kernel.gamma)),
        too_far(static_cast<float>(kHopelessExponent / kernel.gamma)) {}

  template <std::size_t R>
  HWY_INLINE void finish(Tag d, const Vector (&sum)[R], const Walker& x, const float* const (&z)[R],
                         const std::size_t (&columns)[R], Vector (&value)[R]) const {
    const std::size_t width = hn::Lanes(d);
    const Vector norm = hn::Set(d, static_cast<float>(x.norm));
    Vector both[R];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) both[r] = hn::Add(hn::Load(d, norms + columns[r] * width), norm);
    Vector largest_norms = both[0];
    Vector largest_dot = sum[0];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) {
      value[r] = form(d, sum[r], both[r]);
      largest_norms = hn::Max(largest_norms, both[r]);
      largest_dot = hn::Max(largest_dot, sum[r]);
    }
    if (HWY_LIKELY(hn::AllFalse(d, is_large(d, largest_dot, largest_norms)))) return;
    constexpr std::size_t kGroup = R < 4 ? R : 4;
    for (std::size_t first = 0; first < R; first += kGroup) {
      repair<kGroup>(d, sum + first, x, z + first, columns + first, value + first);
    }
  }

  HWY_INLINE hn::Mask<Tag> is_large(Tag d, Vector dot, Vector squared_norms) const {
    return hn::Or(hn::Gt(dot, hn::Set(d, dot_limit)), hn::Gt(squared_norms, hn::Set(d, norm_limit)));
  }

  // Several columns at once, as a single one would be limited by the latency of its additions.
  template <std::size_t N>
  HWY_INLINE void repair(Tag d, const Vector* sum, const Walker& x, const float* const* z, const std::size_t* columns,
                         Vector* value) const {
    const Vector norm = hn::Set(d, static_cast<float>(x.norm));
    hn::Mask<Tag> unsafe[N];
    for (std::size_t r = 0; r < N; ++r) {
      const Vector both = hn::Add(hn::Load(d, norms + columns[r] * hn::Lanes(d)), norm);
      const auto matters = hn::Or(hn::Gt(value[r], hn::Set(d, 1e-21F)), hn::Gt(both, hn::Set(d, too_far)));
      unsafe[r] = hn::And(is_large(d, sum[r], both), matters);
    }
    hn::Mask<Tag> any = unsafe[0];
    for (std::size_t r = 1; r < N; ++r) any = hn::Or(any, unsafe[r]);
    if (hn::AllFalse(d, any)) return;
    HWY_ALIGN float exponents[N * kLanes];
    in_double<N>(x, z, columns, exponents);
    for (std::size_t r = 0; r < N; ++r) {
      value[r] = hn::IfThenElse(unsafe[r], exp2_nonpositive(d, hn::Load(d, exponents + r * kLanes)), value[r]);
    }
  }

  // The exponents from sums in double precision; those of column r start at exponents[r · kLanes]. Products of floats
  // are exact in double precision, so it does not matter whether multiply-adds are fused.
  template <std::size_t N>
  HWY_NOINLINE void in_double(const Walker& x, const float* const* z, const std::size_t* columns,
                              float* exponents) const {
    using Wide = hn::CappedTag<double, kLanes / 2>;
    constexpr std::size_t kWidth = hn::MaxLanes(Wide());
    constexpr std::size_t kParts = hn::MaxLanes(Tag()) / kWidth;
    const Wide wide;
    const hn::Rebind<float, Wide> narrow;
    hn::Vec<Wide> sums[N][kParts];
    for (std::size_t r = 0; r < N; ++r) {
      for (std::size_t p = 0; p < kParts; ++p) sums[r][p] = hn::Zero(wide);
    }
    for (std::size_t k = 0; k < x.count; ++k) {
      const std::size_t at = x.indices[k] * kLanes;
      const auto factor = hn::Set(wide, static_cast<double>(x.values[k]));
#pragma GCC unroll 4
      for (std::size_t r = 0; r < N; ++r) {
#pragma GCC unroll 2
        for (std::size_t p = 0; p < kParts; ++p) {
          const auto values = hn::PromoteTo(wide, hn::LoadU(narrow, z[r] + at + p * kWidth));
          sums[r][p] = hn::MulAdd(values, factor, sums[r][p]);
        }
      }
    }
    for (std::size_t r = 0; r < N; ++r) {
      for (std::size_t p = 0; p < kParts; ++p) {
        const double* norm = exact_norms + columns[r] * hn::Lanes(Tag()) + p * kWidth;
        const auto both = hn::Add(hn::LoadU(wide, norm), hn::Set(wide, x.norm));
        const auto distance = hn::Max(hn::Sub(both, hn::Add(sums[r][p], sums[r][p])), hn::Zero(wide));
        hn::StoreU(hn::DemoteTo(narrow, hn::Mul(distance, hn::Set(wide, rate))), narrow,
                   exponents + r * kLanes + p * kWidth);
      }
    }
  }

  GaussianFromDot form;
  double rate;
  const float* norms;
  const double* exact_norms;
  float dot_limit;
  float norm_limit;
  float too_far;
};

// Values of all rows with R columns, from the first one on or as listed. The walk is passed as a copy, so that its
// numbers stay in registers while values are stored.
template <std::size_t R, class Walk>
HWY_INLINE void walk_tile(Walk walk, const LaneView& vectors, const std::size_t (&columns)[R],
                          const SparseRowView& rows, float* out, std::size_t out_stride) {
  const Tag d;
  const float* z[R];
  for (std::size_t r = 0; r < R; ++r) z[r] = column_start(vectors, columns[r]);
  for (std::size_t row = 0; row < rows.count; ++row, out += out_stride) {
    const Walker x(rows, row);
    Vector sum[R];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) sum[r] = hn::Zero(d);
    for (std::size_t k = 0; k < x.count; ++k) {
      const std::size_t at = x.indices[k] * kLanes;
      const Vector value = hn::Set(d, x.values[k]);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < R; ++r) sum[r] = hn::MulAdd(hn::Load(d, z[r] + at), value, sum[r]);
    }
    Vector value[R];
    walk.template finish<R>(d, sum, x, z, columns, value);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < R; ++r) hn::Store(value[r], d, out + columns[r] * hn::Lanes(d));
  }
}

// Tiles of as many columns as possible; column(i) is the i-th of them. Outer loop over tiles, inner loop over rows.
template <std::size_t R, class Walk, class Column>
HWY_INLINE void walk_columns(const Walk& walk, const LaneView& vectors, const Column& column, std::size_t begin,
                             std::size_t count, const SparseRowView& rows, float* out, std::size_t out_stride) {
  for (; begin + R <= count; begin += R) {
    std::size_t columns[R];
    for (std::size_t r = 0; r < R; ++r) columns[r] = column(begin + r);
    walk_tile<R>(walk, vectors, columns, rows, out, out_stride);
  }
  if constexpr (R > 1) walk_columns<R / 2>(walk, vectors, column, begin, count, rows, out, out_stride);
}

// Calls act with the walk of a kernel.
template <class Act>
HWY_INLINE void with_walk(const Kernel& kernel, const LaneView& vectors, const double* norms, const Act& act) {
  switch (kernel.kind) {
    case KernelKind::rbf:
      return act(GaussianWalk(kernel, vectors, norms));
    case KernelKind::linear:
      return act(PlainWalk<Linear>(kernel, vectors, norms));
    case KernelKind::poly:
    case KernelKind::hpoly:
      return act(PlainWalk<Polynomial>(kernel, vectors, norms));
    case KernelKind::sigmoid:
      return act(PlainWalk<Sigmoid>(kernel, vectors, norms));
    case KernelKind::laplacian:
      break;
  }
  KINGLET_ASSERT(!"the laplacian kernel is not a function of the inner product");
}

// Blocks that follow each other, from the first on.
struct AllBlocks {
  HWY_INLINE std::size_t operator()(std::size_t i) const { return i; }
};
struct SomeBlocks {
  HWY_INLINE std::size_t operator()(std::size_t i) const {
    const std::size_t per_block = kLanes / hn::Lanes(Tag());
    return starts[i / per_block] / hn::Lanes(Tag()) + i % per_block;
  }
  const std::size_t* starts;
};

template <class Column>
void walk_blocks(const Kernel& kernel, const LaneView& vectors, const double* norms, const Column& column,
                 std::size_t blocks, const SparseRowView& rows, float* out, std::size_t out_stride) {
  const std::size_t columns = blocks * (kLanes / hn::Lanes(Tag()));
  with_walk(kernel, vectors, norms, [&](const auto& walk) HWY_ATTR {
    walk_columns<kWalkColumns>(walk, vectors, column, 0, columns, rows, out, out_stride);
  });
}

void sparse_block(const Kernel& kernel, const LaneView& vectors, const double* norms, const SparseRowView& rows,
                  float* out, std::size_t out_stride) {
  const std::size_t blocks = (vectors.count + kLanes - 1) / kLanes;
  walk_blocks(kernel, vectors, norms, AllBlocks(), blocks, rows, out, out_stride);
}

void sparse_blocks(const Kernel& kernel, const LaneView& vectors, const double* norms,
                   std::span<const std::size_t> starts, const SparseRowView& rows, float* out, std::size_t out_stride) {
  walk_blocks(kernel, vectors, norms, SomeBlocks{starts.data()}, starts.size(), rows, out, out_stride);
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(sparse_block);
HWY_EXPORT(sparse_blocks);

// Four sums by the position of a feature, as squared_norm() of vector_ops.hpp.
double sparse_norm(const Features& x) {
  double parts[4] = {};
  for (std::uint32_t k = 0; k < x.count; ++k) {
    const auto value = static_cast<double>(x.values[k]);
    parts[(x.is_sparse() ? x.indices[k] : k) % 4] += value * value;
  }
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

void sparse_block(const Kernel& kernel, const LaneView& vectors, const double* norms, const SparseRowView& rows,
                  float* out, std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(sparse_block)(kernel, vectors, norms, rows, out, out_stride);
}

void sparse_blocks(const Kernel& kernel, const LaneView& vectors, const double* norms,
                   std::span<const std::size_t> starts, const SparseRowView& rows, float* out, std::size_t out_stride) {
  HWY_DYNAMIC_DISPATCH(sparse_blocks)(kernel, vectors, norms, starts, rows, out, out_stride);
}

}  // namespace kinglet::simd
#endif
