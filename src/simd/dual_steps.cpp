#include "simd/dual_steps.hpp"

#include <cstdint>

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/dual_steps.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;

// Finds the best step in each lane, then the best of all lanes. Without fused operations, so that every instruction set
// gives the same bits and takes the same steps.
template <bool kAdds, bool kUnit>
BestStep pass(const DualVariables& it, const float* HWY_RESTRICT row, double delta) {
  const Tag d;
  const hn::Rebind<float, Tag> narrow;
  const std::size_t width = hn::Lanes(d);
  const Vector zero = hn::Zero(d);
  const Vector one = hn::Set(d, 1.0);
  const Vector half = hn::Set(d, 0.5);
  Vector best_gain = zero;
  Vector best_at = zero;
  Vector violation = zero;
  Vector at = hn::Iota(d, 0.0);
  const Vector ahead = hn::Set(d, static_cast<double>(width));
  for (std::size_t i = 0; i < it.count; i += width, at = hn::Add(at, ahead)) {
    Vector value = hn::Load(d, it.values + i);
    if constexpr (kAdds) {
      const Vector k = hn::PromoteTo(d, hn::Load(narrow, row + i));
      value = hn::Add(value, hn::Mul(hn::Set(d, delta), k));
      hn::Store(value, d, it.values + i);
    }
    const Vector alpha = hn::Load(d, it.alphas + i);
    const Vector gradient = hn::Sub(one, hn::Mul(hn::Load(d, it.signs + i), value));
    Vector self = one;
    Vector newton = gradient;
    if constexpr (!kUnit) {
      self = hn::Load(d, it.selves + i);
      newton = hn::Div(gradient, hn::Max(self, hn::Set(d, 1e-30)));
    }
    const Vector moved = hn::Min(hn::Max(hn::Add(alpha, newton), zero), hn::Load(d, it.boxes + i));
    const Vector step = hn::Sub(moved, alpha);
    const Vector gain = hn::Mul(step, hn::Sub(gradient, hn::Mul(half, hn::Mul(self, step))));
    const auto better = hn::Gt(gain, best_gain);
    best_gain = hn::IfThenElse(better, gain, best_gain);
    best_at = hn::IfThenElse(better, at, best_at);
    const Vector violated = hn::IfThenElse(hn::Eq(step, zero), zero, hn::Abs(gradient));
    violation = hn::Max(violation, violated);
  }
  alignas(64) double gains[8];
  alignas(64) double slots[8];
  hn::Store(best_gain, d, gains);
  hn::Store(best_at, d, slots);
  BestStep best{.violation = hn::GetLane(hn::MaxOfLanes(d, violation))};
  double first = 0;
  for (std::size_t lane = 0; lane < width; ++lane) {
    if (gains[lane] < best.gain || (gains[lane] == best.gain && (best.gain == 0 || slots[lane] > first))) continue;
    best.gain = gains[lane];
    first = slots[lane];
  }
  best.slot = static_cast<std::size_t>(first);
  return best;
}

void add_only(double* HWY_RESTRICT values, const float* HWY_RESTRICT row, double delta, std::size_t n) {
  const Tag d;
  const hn::Rebind<float, Tag> narrow;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Vector k = hn::PromoteTo(d, hn::Load(narrow, row + i));
    hn::Store(hn::Add(hn::Load(d, values + i), hn::Mul(hn::Set(d, delta), k)), d, values + i);
  }
}

BestStep best_step(const DualVariables& variables) {
  return variables.selves == nullptr ? pass<false, true>(variables, nullptr, 0)
                                     : pass<false, false>(variables, nullptr, 0);
}

BestStep add_row(const DualVariables& variables, const float* row, double delta) {
  return variables.selves == nullptr ? pass<true, true>(variables, row, delta)
                                     : pass<true, false>(variables, row, delta);
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(best_step);
HWY_EXPORT(add_row);
HWY_EXPORT(add_only);

BestStep best_step(const DualVariables& variables) { return HWY_DYNAMIC_DISPATCH(best_step)(variables); }

BestStep add_row(const DualVariables& variables, const float* row, double delta) {
  return HWY_DYNAMIC_DISPATCH(add_row)(variables, row, delta);
}

void add_only(double* values, const float* row, double delta, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(add_only)(values, row, delta, n);
}

}  // namespace kinglet::simd
#endif
