#include "simd/outer_sums.hpp"

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/outer_sums.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using OuterTag = hn::CappedTag<double, kOuterBlock>;

// kVectors vectors of rows × the eight columns of a block: their sums stay in registers over all rows of the panels.
template <int kVectors>
HWY_INLINE void add_outer_tile(const double* HWY_RESTRICT left, std::size_t apart, const double* HWY_RESTRICT right,
                               std::size_t count, double* HWY_RESTRICT to) {
  const OuterTag d;
  hn::Vec<OuterTag> sums[kVectors][kOuterBlock];
  for (std::size_t c = 0; c < kOuterBlock; ++c) {
    sums[0][c] = hn::Load(d, to + c * kOuterBlock);
    if constexpr (kVectors == 2) sums[1][c] = hn::Load(d, to + (kOuterBlock + c) * kOuterBlock);
  }
  for (std::size_t q = 0; q < count; ++q, left += kOuterBlock, right += kOuterBlock) {
    const auto x = hn::Load(d, left);
    const auto y = kVectors == 2 ? hn::Load(d, left + apart) : x;
    for (std::size_t c = 0; c < kOuterBlock; ++c) {
      const auto by = hn::Set(d, right[c]);
      sums[0][c] = hn::MulAdd(x, by, sums[0][c]);
      if constexpr (kVectors == 2) sums[1][c] = hn::MulAdd(y, by, sums[1][c]);
    }
  }
  for (std::size_t c = 0; c < kOuterBlock; ++c) {
    hn::Store(sums[0][c], d, to + c * kOuterBlock);
    if constexpr (kVectors == 2) hn::Store(sums[1][c], d, to + (kOuterBlock + c) * kOuterBlock);
  }
}

void add_outer(const RowPanel& left, const RowPanel& right, double* HWY_RESTRICT sums) {
  const OuterTag d;
  constexpr std::size_t kGroup = kOuterBlock * kOuterBlock;
  const std::size_t apart = kOuterBlock * left.capacity;
  for (std::size_t column = 0; column < left.n; column += kOuterBlock) {
    std::size_t row = 0;
    if (hn::Lanes(d) == kOuterBlock) {  // two groups of rows at a time, where there are registers for them
      for (; row + kOuterBlock <= column; row += 2 * kOuterBlock, sums += 2 * kGroup) {
        add_outer_tile<2>(left.block(row), apart, right.block(column), left.count, sums);
      }
    }
    for (; row <= column; row += kOuterBlock, sums += kGroup) {
      for (std::size_t lane = 0; lane < kOuterBlock; lane += hn::Lanes(d)) {
        add_outer_tile<1>(left.block(row) + lane, 0, right.block(column), left.count, sums + lane);
      }
    }
  }
}

void add_weighted(const double* HWY_RESTRICT weights, std::size_t weight_stride, const RowPanel& rows,
                  double* HWY_RESTRICT to) {
  const OuterTag d;
  for (std::size_t j = 0; j < rows.n; j += hn::Lanes(d)) {
    auto sum = hn::Load(d, to + j);
    const double* from = rows.block(j / kOuterBlock * kOuterBlock) + j % kOuterBlock;
    for (std::size_t q = 0; q < rows.count; ++q) {
      sum = hn::MulAdd(hn::Set(d, weights[q * weight_stride]), hn::Load(d, from + q * kOuterBlock), sum);
    }
    hn::Store(sum, d, to + j);
  }
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(add_outer);
HWY_EXPORT(add_weighted);

void add_outer(const RowPanel& left, const RowPanel& right, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_outer)(left, right, sums);
}

void add_weighted(const double* weights, std::size_t weight_stride, const RowPanel& rows, double* to) {
  HWY_DYNAMIC_DISPATCH(add_weighted)(weights, weight_stride, rows, to);
}

}  // namespace kinglet::simd
#endif
