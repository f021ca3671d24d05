#include "simd/term_search.hpp"

#include <limits>

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/term_search.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;
using Narrow = hn::Rebind<float, Tag>;
using Signed = hn::Rebind<std::int32_t, Tag>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

HWY_INLINE Vector load_floats(const float* from) { return hn::PromoteTo(Tag(), hn::LoadU(Narrow(), from)); }

// The lanes of places before n, from place i on.
HWY_INLINE Mask inside(std::size_t i, std::size_t n) { return hn::FirstN(Tag(), n - i); }

// The least value so far; of equals, the oldest. Few vectors of lanes hold a new least: those are gone through one lane at
// a time.
struct Least {
  HWY_INLINE void offer(Vector values, std::size_t i, std::size_t n, const std::uint64_t* births) {
    if (hn::AllFalse(Tag(), hn::Le(values, limit()))) return;
    double here[hn::MaxLanes(Tag())];
    hn::StoreU(values, Tag(), here);
    for (std::size_t lane = 0; lane < hn::Lanes(Tag()) && i + lane < n; ++lane) {
      const bool equal = here[lane] == value && slot < n && births[i + lane] < births[slot];
      if (!(here[lane] < value || equal)) continue;
      value = here[lane];
      slot = i + lane;
    }
  }
  HWY_INLINE Vector limit() const { return hn::Set(Tag(), value); }

  std::size_t slot;  // to begin with, nobody's
  double value = kInfinity;
};

// --- margins ----------------------------------------------------------------------------------------------------------

HWY_INLINE Vector own_part(const Margins& it, std::size_t i) {
  return hn::Mul(load_floats(it.coefficients + i), hn::LoadU(Tag(), it.self_kernels + i));
}

HWY_INLINE Vector margin(const Margins& it, std::size_t i, Vector values, Vector own) {
  const auto labels = hn::BitCast(Signed(), hn::LoadU(hn::RebindToUnsigned<Signed>(), it.labels + i));
  const Vector sign = hn::Sub(hn::PromoteTo(Tag(), hn::Add(labels, labels)), hn::Set(Tag(), 1.0));
  return hn::Mul(sign, hn::Sub(values, own));
}

LargestMargin largest_margin(const Margins& it, std::size_t n) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const auto margins_at = [&](std::size_t i)
                              HWY_ATTR { return margin(it, i, hn::LoadU(d, it.values + i), own_part(it, i)); };
  const Vector none = hn::Set(d, -kInfinity);
  Vector most = none;
  Vector more = none;  // two at a time hide the latency of a comparison
  std::size_t i = 0;
  for (; i + 2 * width <= n; i += 2 * width) {
    most = hn::Max(most, margins_at(i));
    more = hn::Max(more, margins_at(i + width));
  }
  for (; i < n; i += width) most = hn::Max(most, hn::IfThenElse(inside(i, n), margins_at(i), none));
  const double largest = hn::GetLane(hn::MaxOfLanes(d, hn::Max(most, more)));
  LargestMargin best{n, 0};
  for (i = 0; i < n; i += width) {
    const Vector values = hn::LoadU(d, it.values + i);
    const Vector own = own_part(it, i);
    const Vector margins = margin(it, i, values, own);
    const Vector rounding = hn::Mul(hn::Set(d, it.tolerance), hn::Add(hn::Abs(values), hn::Abs(own)));
    const Mask loses = hn::Lt(hn::Add(margins, rounding), hn::Set(d, largest));
    if (hn::AllTrue(d, loses)) continue;
    double here[hn::MaxLanes(d)];
    double limits[hn::MaxLanes(d)];
    hn::StoreU(margins, d, here);
    hn::StoreU(hn::Add(margins, rounding), d, limits);
    for (std::size_t lane = 0; lane < width && i + lane < n; ++lane) {
      if (limits[lane] < largest) continue;
      if (best.slot == n || it.births[i + lane] < it.births[best.slot]) best = {i + lane, here[lane]};
    }
  }
  return best;
}

// --- projections ------------------------------------------------------------------------------------------------------

HWY_INLINE Vector squared_weights(const Outputs& outputs, std::size_t i) {
  const Vector first = load_floats(outputs.coefficients + i);
  Vector sum = hn::Mul(first, first);
  for (std::size_t c = 1; c < outputs.count; ++c) {
    const Vector a = load_floats(outputs.coefficients + c * outputs.stride + i);
    sum = hn::Add(sum, hn::Mul(a, a));
  }
  return sum;
}

// What r is away from the span of t, squared.
HWY_INLINE Vector distance_from_new(const Projections& it, std::size_t i, Vector to_new) {
  const Vector lost = hn::Mul(hn::Mul(to_new, to_new), hn::Set(Tag(), it.inverse));
  return hn::Max(hn::Zero(Tag()), hn::Sub(hn::LoadU(Tag(), it.self_kernels + i), lost));
}

// The copies of the arguments stay in registers.
HWY_INLINE std::size_t least_loss_alone(const Projections it, std::size_t n) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const auto losses = [&](std::size_t i) HWY_ATTR {
    return hn::Mul(squared_weights(it.outputs, i), distance_from_new(it, i, load_floats(it.to_new + i)));
  };
  Least least{n};
  std::size_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {  // one branch for four vectors of lanes
    const Vector first = hn::Min(losses(i), losses(i + width));
    const Vector second = hn::Min(losses(i + 2 * width), losses(i + 3 * width));
    if (hn::AllFalse(d, hn::Le(hn::Min(first, second), least.limit()))) continue;
    for (std::size_t part = 0; part < 4; ++part) least.offer(losses(i + part * width), i + part * width, n, it.births);
  }
  for (; i < n; i += width) least.offer(losses(i), i, n, it.births);
  return least.slot;
}

HWY_INLINE std::size_t least_loss_with_neighbours(const Projections it, std::size_t n) {
  const Tag d;
  const Vector inverse = hn::Set(d, it.inverse);
  Least least{n};
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Vector to_new = load_floats(it.to_new + i);
    const Vector from_new = distance_from_new(it, i, to_new);
    const Vector weights = squared_weights(it.outputs, i);
    const Vector n_to_new = load_floats(it.neighbours_to_new + i);
    const Vector n_own = hn::LoadU(d, it.neighbours_kernels + i);
    const Vector rest = hn::Sub(n_own, hn::Mul(hn::Mul(n_to_new, n_to_new), inverse));
    const Vector product = hn::Sub(load_floats(it.to_neighbour + i), hn::Mul(hn::Mul(to_new, n_to_new), inverse));
    const Vector squared = hn::Mul(product, product);
    const Mask helps = hn::Gt(rest, hn::Mul(hn::Set(d, it.span), n_own));
    // A look at the losses times the rest, which is positive where it counts, saves most of the divisions.
    const Vector slack = hn::Set(d, 1 - 1e-14);  // for rounding
    const Vector times_rest = hn::Mul(weights, hn::Sub(hn::Mul(hn::Mul(from_new, rest), slack), squared));
    const Vector most = hn::Mul(least.limit(), rest);
    const Mask may_win = hn::Or(hn::Not(hn::Gt(hn::Mul(times_rest, slack), most)), hn::Not(helps));
    if (hn::AllFalse(d, may_win)) continue;
    const Vector nearer = hn::Max(hn::Zero(d), hn::Sub(from_new, hn::Div(squared, rest)));
    least.offer(hn::Mul(weights, hn::IfThenElse(helps, nearer, from_new)), i, n, it.births);
  }
  return least.slot;
}

// Where no loss is a number, the first.
std::size_t least_loss(const Projections& it, std::size_t n) {
  const std::size_t slot = it.to_neighbour == nullptr ? least_loss_alone(it, n) : least_loss_with_neighbours(it, n);
  return slot < n ? slot : 0;
}

// --- neighbours -------------------------------------------------------------------------------------------------------

// The squared distance up to k(x, x) of the other.
HWY_INLINE Vector farness(Vector own, Vector k) { return hn::Sub(own, hn::Mul(hn::Set(Tag(), 2.0), k)); }

std::size_t nearest(const float* k, const double* self_kernels, std::size_t n, std::size_t skipped) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const Vector none = hn::Set(d, kInfinity);
  const auto distance = [&](std::size_t i)
                            HWY_ATTR { return farness(hn::LoadU(d, self_kernels + i), load_floats(k + i)); };
  // The padding and the one that is skipped stand in at most two vectors of lanes.
  const auto distance_if_asked = [&](std::size_t i) HWY_ATTR {
    double here[hn::MaxLanes(d)];
    hn::StoreU(hn::IfThenElse(inside(i, n), distance(i), none), d, here);
    if (skipped >= i && skipped < i + width) here[skipped - i] = kInfinity;
    return hn::LoadU(d, here);
  };
  const std::size_t end = n / width * width;
  const std::size_t hole = skipped / width * width;
  Vector least = end < n ? distance_if_asked(end) : none;
  if (hole < end) least = hn::Min(least, distance_if_asked(hole));
  for (std::size_t i = 0; i < end; i += width) {
    if (i != hole) least = hn::Min(least, distance(i));
  }
  const double best = hn::GetLane(hn::MinOfLanes(d, least));
  if (!(best < kInfinity)) return n;
  for (std::size_t i = 0; i < n; i += width) {
    if (hn::AllFalse(d, hn::Eq(distance(i), hn::Set(d, best)))) continue;
    for (std::size_t j = i; j < i + width && j < n; ++j) {
      if (j != skipped && self_kernels[j] - 2 * static_cast<double>(k[j]) == best) return j;
    }
  }
  return n;
}

void make_neighbour(const Newcomer& it, std::size_t n, std::uint32_t* HWY_RESTRICT neighbours,
                    float* HWY_RESTRICT to_neighbour) {
  const Tag d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Vector before = farness(hn::LoadU(d, it.neighbours_kernels + i), load_floats(to_neighbour + i));
    const Vector now = farness(hn::Set(d, it.self_kernel), load_floats(it.k + i));
    if (hn::AllFalse(d, hn::Lt(now, before))) continue;
    // Few of them: one at a time.
    double gains[hn::MaxLanes(d)];
    hn::StoreU(hn::Sub(before, now), d, gains);
    for (std::size_t j = i; j < i + hn::Lanes(d) && j < n; ++j) {
      if (!(gains[j - i] > 0) || neighbours[j] == it.leaving) continue;
      neighbours[j] = it.slot;
      to_neighbour[j] = it.k[j];
    }
  }
}

std::size_t places_of(std::uint32_t value, const std::uint32_t* HWY_RESTRICT values, std::size_t n,
                      std::uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<std::uint32_t, 16> d;
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto found = hn::And(hn::Eq(hn::LoadU(d, values + i), hn::Set(d, value)), hn::FirstN(d, n - i));
    if (hn::AllFalse(d, found)) continue;
    for (std::size_t j = i; j < i + hn::Lanes(d) && j < n; ++j) {
      if (values[j] == value) out[count++] = static_cast<std::uint32_t>(j);
    }
  }
  return count;
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(largest_margin);
HWY_EXPORT(least_loss);
HWY_EXPORT(nearest);
HWY_EXPORT(make_neighbour);
HWY_EXPORT(places_of);

LargestMargin largest_margin(const Margins& margins, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(largest_margin)(margins, n);
}

std::size_t least_loss(const Projections& projections, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(least_loss)(projections, n);
}

std::size_t nearest(const float* k, const double* self_kernels, std::size_t n, std::size_t skipped) {
  return HWY_DYNAMIC_DISPATCH(nearest)(k, self_kernels, n, skipped);
}

void make_neighbour(const Newcomer& newcomer, std::size_t n, std::uint32_t* neighbours, float* to_neighbour) {
  HWY_DYNAMIC_DISPATCH(make_neighbour)(newcomer, n, neighbours, to_neighbour);
}

std::size_t places_of(std::uint32_t value, const std::uint32_t* values, std::size_t n, std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(places_of)(value, values, n, out);
}

}  // namespace kinglet::simd
#endif
