#include "simd/light_draw.hpp"

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/light_draw.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
using Narrow = hn::Rebind<float, Tag>;

// s w
HWY_INLINE Vector shares(const LightDraw& it, std::size_t i) {
  return hn::Mul(hn::Set(Tag(), it.scale), hn::PromoteTo(Tag(), hn::LoadU(Narrow(), it.weights + i)));
}

double square_roots(const float* HWY_RESTRICT sizes, std::size_t n, float* HWY_RESTRICT out) {
  const hn::CappedTag<float, 16> d;
  const Tag wide;
  Vector sum = hn::Zero(wide);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto real = hn::IfThenElseZero(hn::FirstN(d, n - i), hn::Load(d, sizes + i));
    hn::Store(hn::Sqrt(hn::Max(hn::Zero(d), real)), d, out + i);
    for (std::size_t part = i; part < i + hn::Lanes(d); part += hn::Lanes(wide)) {
      sum = hn::Add(sum, hn::PromoteTo(wide, hn::LoadU(Narrow(), out + part)));
    }
  }
  return hn::GetLane(hn::SumOfLanes(wide, sum));
}

double excess_of(const LightDraw& it) {
  const Tag d;
  Vector sum = hn::Zero(d);
  for (std::size_t i = 0; i < it.count; i += hn::Lanes(d)) {
    sum = hn::Add(sum, hn::Max(hn::Zero(d), hn::Sub(shares(it, i), hn::Set(d, 1.0))));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

void make_up(const LightDraw& it, float* HWY_RESTRICT factors) {
  const Tag d;
  const Narrow narrow;
  const auto one = hn::Set(narrow, 1.0F);
  const auto whole = hn::Set(narrow, static_cast<float>(1 + it.excess));
  for (std::size_t i = 0; i < it.count; i += hn::Lanes(d)) {
    const Vector share = shares(it, i);
    const Vector stays = hn::Add(hn::Set(d, it.excess), share);  // 1 − p_j, times 1 + E
    const Vector kept = hn::IfThenElseZero(hn::Lt(share, hn::Set(d, 1.0)), stays);
    const auto narrow_kept = hn::DemoteTo(narrow, kept);
    const auto factor = hn::IfThenElse(hn::Gt(narrow_kept, hn::Zero(narrow)), hn::Div(whole, narrow_kept), one);
    hn::StoreU(factor, narrow, factors + i);
  }
}

std::size_t drawn(const LightDraw& it, double target) {
  const Tag d;
  const auto chances = [&](std::size_t i) HWY_ATTR {
    const auto left = hn::Max(hn::Zero(d), hn::Sub(hn::Set(d, 1.0), shares(it, i)));
    return hn::IfThenElseZero(hn::FirstN(d, it.count - i), left);
  };
  std::size_t block = 0;
  for (std::size_t i = 0; i < it.count; i += hn::Lanes(d)) {
    const double here = hn::GetLane(hn::SumOfLanes(d, chances(i)));
    if (!(here > 0)) continue;
    block = i;
    if (target < here) break;
    target -= here;
  }
  double single[hn::MaxLanes(d)];
  hn::StoreU(chances(block), d, single);
  std::size_t last = block;
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    if (single[lane] <= 0) continue;
    last = block + lane;
    target -= single[lane];
    if (target < 0) break;
  }
  return last;
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(square_roots);
HWY_EXPORT(excess_of);
HWY_EXPORT(make_up);
HWY_EXPORT(drawn);

double square_roots(const float* sizes, std::size_t n, float* out) {
  return HWY_DYNAMIC_DISPATCH(square_roots)(sizes, n, out);
}

double excess_of(const LightDraw& draw) { return HWY_DYNAMIC_DISPATCH(excess_of)(draw); }

void make_up(const LightDraw& draw, float* factors) { HWY_DYNAMIC_DISPATCH(make_up)(draw, factors); }

std::size_t drawn(const LightDraw& draw, double target) { return HWY_DYNAMIC_DISPATCH(drawn)(draw, target); }

}  // namespace kinglet::simd
#endif
