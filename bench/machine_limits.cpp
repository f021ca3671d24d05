#include "machine_limits.hpp"

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine_limits.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

#include "simd/exp-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinglet::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

float multiply_adds(std::size_t count) {
  const Tag d;
  constexpr std::size_t kChains = 12;  // enough independent sums to keep the multiply-add units busy
  Vector sums[kChains];
#pragma GCC unroll 12
  for (std::size_t c = 0; c < kChains; ++c) sums[c] = hn::Set(d, static_cast<float>(c));
  const Vector factor = hn::Set(d, 0.999F);
  const Vector addend = hn::Set(d, 0.001F);
  for (std::size_t i = 0; i < count; i += kChains * hn::Lanes(d)) {
#pragma GCC unroll 12
    for (std::size_t c = 0; c < kChains; ++c) sums[c] = hn::MulAdd(sums[c], factor, addend);
  }
  Vector total = sums[0];
#pragma GCC unroll 12
  for (std::size_t c = 1; c < kChains; ++c) total = hn::Add(total, sums[c]);
  return hn::GetLane(hn::SumOfLanes(d, total));
}

float exponentials(float* values, std::size_t n) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  Vector total = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += 4 * width) {
#pragma GCC unroll 4
    for (std::size_t u = 0; u < 4; ++u) {
      const Vector t = hn::Load(d, values + i + u * width);
      total = hn::Add(total, simd::HWY_NAMESPACE::exp2_nonpositive(d, t));
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, total));
}

float read_all(const float* values, std::size_t n) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  Vector sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  for (std::size_t i = 0; i < n; i += 4 * width) {
#pragma GCC unroll 4
    for (std::size_t u = 0; u < 4; ++u) sums[u] = hn::Add(sums[u], hn::Load(d, values + i + u * width));
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
}

}  // namespace kinglet::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::bench {

HWY_EXPORT(multiply_adds);
HWY_EXPORT(exponentials);
HWY_EXPORT(read_all);

float multiply_adds(std::size_t count) { return HWY_DYNAMIC_DISPATCH(multiply_adds)(count); }
float exponentials(std::span<float> values) { return HWY_DYNAMIC_DISPATCH(exponentials)(values.data(), values.size()); }
float read_all(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(read_all)(values.data(), values.size()); }

}  // namespace kinglet::bench
#endif
