#include "simd/term_search.hpp"

#include <algorithm>
#include <cmath>
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

// Mask of the lanes whose position i + lane is below n.
HWY_INLINE Mask inside(std::size_t i, std::size_t n) { return hn::FirstN(Tag(), n - i); }

// The smallest value so far; ties go to the oldest. Few vectors of lanes contain a new minimum; these are processed
// lane by lane.
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

  std::size_t slot;  // initially not a valid slot
  double value = kInfinity;
};

// --- margins ---------------------------------------------------------------------------------------------------------

HWY_INLINE Vector margin(const Margins& it, std::size_t i, Vector values) {
  return hn::Mul(load_floats(it.signs + i), hn::Sub(values, hn::LoadU(Tag(), it.own + i)));
}

// Number of vectors of lanes that share one entry of `tops`.
constexpr std::size_t kGroup = 4;

// Local copies of the arguments stay in registers. Products of floats are exact, so the sums are the same with and
// without fused operations. If nothing is kept, neither the values nor the tops change.
template <std::size_t Terms, bool kKeeps = true>
HWY_INLINE double add_terms(const Margins it, const GainedTerm* gained, std::size_t n, double* HWY_RESTRICT tops) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  double* HWY_RESTRICT values = it.values;
  const float* k[Terms + 1];
  Vector weights[Terms + 1];
  for (std::size_t t = 0; t < Terms; ++t) {
    k[t] = gained[t].k;
    weights[t] = hn::Set(d, static_cast<double>(gained[t].weight));
  }
  const auto margins_at = [&](std::size_t i) HWY_ATTR {
    Vector value = hn::LoadU(d, values + i);
    for (std::size_t t = 0; t < Terms; ++t) value = hn::MulAdd(weights[t], load_floats(k[t] + i), value);
    if (kKeeps && Terms > 0) hn::StoreU(value, d, values + i);
    return margin(it, i, value);
  };
  const Vector none = hn::Set(d, -kInfinity);
  Vector most = none;
  std::size_t i = 0;
  for (; i + kGroup * width <= n; i += kGroup * width) {
    const Vector first = hn::Max(margins_at(i), margins_at(i + width));
    const Vector top = hn::Max(first, hn::Max(margins_at(i + 2 * width), margins_at(i + 3 * width)));
    if (kKeeps) hn::StoreU(top, d, tops + i / kGroup);
    most = hn::Max(most, top);
  }
  if (i < n) {
    const std::size_t last = i / kGroup;
    Vector top = none;
    for (; i < n; i += width) top = hn::Max(top, hn::IfThenElse(inside(i, n), margins_at(i), none));
    if (kKeeps) hn::StoreU(top, d, tops + last);
    most = hn::Max(most, top);
  }
  return hn::GetLane(hn::MaxOfLanes(d, most));
}

double add_to_margins(const Margins& it, std::span<const GainedTerm> gained, std::size_t n, double* tops) {
  if (gained.size() == 2) return add_terms<2>(it, gained.data(), n, tops);
  if (gained.size() == 1) return add_terms<1>(it, gained.data(), n, tops);
  return add_terms<0>(it, gained.data(), n, tops);
}

double largest_margin_with(const Margins& it, const GainedTerm& gained, std::size_t n) {
  return add_terms<1, false>(it, &gained, n, nullptr);
}

// Processes one vector of lanes; few get this far.
HWY_INLINE void offer_margins(const Margins& it, std::size_t i, std::size_t n, double largest, LargestMargin& best) {
  const Tag d;
  const Vector values = hn::LoadU(d, it.values + i);
  const Vector margins = margin(it, i, values);
  const Vector own = hn::LoadU(d, it.own + i);
  const Vector rounding = hn::Mul(hn::Set(d, it.tolerance), hn::Add(hn::Abs(values), hn::Abs(own)));
  const Vector limits = hn::Add(margins, rounding);
  if (hn::AllTrue(d, hn::Lt(limits, hn::Set(d, largest)))) return;
  double here[hn::MaxLanes(d)];
  double limits_here[hn::MaxLanes(d)];
  hn::StoreU(margins, d, here);
  hn::StoreU(limits, d, limits_here);
  for (std::size_t lane = 0; lane < hn::Lanes(d) && i + lane < n; ++lane) {
    if (limits_here[lane] < largest) continue;
    if (best.slot == n || it.births[i + lane] < it.births[best.slot]) best = {i + lane, here[lane]};
  }
}

LargestMargin largest_margin(const Margins& it, std::size_t n, double largest, const double* tops) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const Vector enough = hn::Set(d, largest - largest_rounding(it, largest));
  LargestMargin best{n, 0};
  for (std::size_t i = 0; i < n; i += kGroup * width, tops += width) {
    if (hn::AllTrue(d, hn::Lt(hn::LoadU(d, tops), enough))) continue;
    for (std::size_t part = i; part < i + kGroup * width && part < n; part += width) {
      offer_margins(it, part, n, largest, best);
    }
  }
  return best;
}

// --- projections -----------------------------------------------------------------------------------------------------

HWY_INLINE Vector squared_weights(const Outputs& outputs, std::size_t i) {
  const Vector first = load_floats(outputs.coefficients + i);
  Vector sum = hn::Mul(first, first);
  for (std::size_t c = 1; c < outputs.count; ++c) {
    const Vector a = load_floats(outputs.coefficients + c * outputs.stride + i);
    sum = hn::Add(sum, hn::Mul(a, a));
  }
  return sum;
}

// The squared distance of r from the span of t.
HWY_INLINE Vector distance_from_new(const Projections& it, std::size_t i, Vector to_new) {
  const Vector lost = hn::Mul(hn::Mul(to_new, to_new), hn::Set(Tag(), it.inverse));
  return hn::Max(hn::Zero(Tag()), hn::Sub(hn::LoadU(Tag(), it.self_kernels + i), lost));
}

// Local copies of the arguments stay in registers.
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

// An upper bound on the part of r along a neighbour that is not known.
struct MostAlong {
  explicit MostAlong(const Projections& it) {
    const double squared = std::min(it.largest_to_new * it.largest_to_new, 1 - it.span);  // larger values do not help
    largest = std::sqrt(squared);
    inverse = 1 / (1 - squared);
  }
  HWY_INLINE Vector operator()(Vector to_neighbour, Vector to_new) const {
    const Vector bound = hn::Mul(to_neighbour, hn::Set(Tag(), 1 + kRounding));
    const Vector along = hn::Mul(to_new, hn::Set(Tag(), largest));
    const Vector beyond = hn::Sub(bound, along);
    const Vector far = hn::Max(hn::Mul(beyond, beyond), hn::Mul(along, along));
    return hn::Max(hn::Mul(bound, bound), hn::Mul(far, hn::Set(Tag(), inverse * (1 + kRounding))));
  }
  static constexpr double kRounding = 2e-5;  // error of kernel values, which may depend on which vector is the query
  double largest = 0;
  double inverse = 1;
};

// The values to_new of the neighbours; 0 for unknown neighbours. Faster than gather instructions.
HWY_INLINE Vector neighbours_to_new(const Projections& it, std::size_t i) {
  float here[hn::MaxLanes(Tag())];
  for (std::size_t lane = 0; lane < hn::Lanes(Tag()); ++lane) {
    const std::uint32_t neighbour = it.neighbours[i + lane];
    here[lane] = neighbour == kNoNeighbour ? 0.0F : it.to_new[neighbour];
  }
  return load_floats(here);
}

HWY_INLINE std::size_t least_loss_with_neighbours(const Projections it, std::size_t n) {
  const Tag d;
  const Vector inverse = hn::Set(d, it.inverse);
  const MostAlong most_along(it);
  Least least{n};
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Vector to_new = load_floats(it.to_new + i);
    const Vector from_new = distance_from_new(it, i, to_new);
    const Vector weights = squared_weights(it.outputs, i);
    const Vector to_neighbour = load_floats(it.to_neighbour + i);
    const Vector least_distance = hn::Max(hn::Zero(d), hn::Sub(from_new, most_along(to_neighbour, to_new)));
    const Vector bounds = hn::Mul(weights, least_distance);
    if (it.bounded && hn::AllTrue(d, hn::Gt(bounds, least.limit()))) continue;  // most of them
    const Vector n_to_new = neighbours_to_new(it, i);
    const Vector n_own = hn::LoadU(d, it.neighbours_kernels + i);
    const Vector rest = hn::Sub(n_own, hn::Mul(hn::Mul(n_to_new, n_to_new), inverse));
    const Vector product = hn::Sub(to_neighbour, hn::Mul(hn::Mul(to_new, n_to_new), inverse));
    const Mask helps = hn::Gt(rest, hn::Mul(hn::Set(d, it.span), n_own));
    const Vector nearer = hn::Max(hn::Zero(d), hn::Sub(from_new, hn::Div(hn::Mul(product, product), rest)));
    const Vector losses = hn::Mul(weights, hn::IfThenElse(helps, nearer, from_new));
    const auto neighbours = hn::BitCast(Signed(), hn::LoadU(hn::RebindToUnsigned<Signed>(), it.neighbours + i));
    const Mask unknown = hn::Lt(hn::PromoteTo(d, neighbours), hn::Zero(d));
    least.offer(hn::IfThenElse(unknown, bounds, losses), i, n, it.births);
  }
  return least.slot;
}

// If all losses are NaN, the first.
std::size_t least_loss(const Projections& it, std::size_t n) {
  const std::size_t slot = it.neighbours == nullptr ? least_loss_alone(it, n) : least_loss_with_neighbours(it, n);
  return slot < n ? slot : 0;
}

// --- neighbours ------------------------------------------------------------------------------------------------------

// The squared distance, without the constant k(x, x) of the other vector.
HWY_INLINE Vector farness(Vector own, Vector k) { return hn::Sub(own, hn::Mul(hn::Set(Tag(), 2.0), k)); }

std::size_t nearest(const Distances& it, std::size_t n, std::size_t skipped) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const Vector none = hn::Set(d, kInfinity);
  const auto distance = [&](std::size_t i)
                            HWY_ATTR { return farness(hn::LoadU(d, it.self_kernels + i), load_floats(it.k + i)); };
  // At most two vectors of lanes contain padding or the skipped vector.
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
  std::size_t slot = n;
  if (!(best < kInfinity)) return slot;
  for (std::size_t i = 0; i < n; i += width) {
    if (hn::AllFalse(d, hn::Eq(distance(i), hn::Set(d, best)))) continue;
    for (std::size_t j = i; j < i + width && j < n; ++j) {
      if (j == skipped || it.self_kernels[j] - 2 * static_cast<double>(it.k[j]) != best) continue;
      if (slot == n || it.births[j] < it.births[slot]) slot = j;
    }
  }
  return slot;
}

void make_neighbour(const Newcomer& it, std::size_t n, std::uint32_t* HWY_RESTRICT neighbours,
                    float* HWY_RESTRICT to_neighbour) {
  const Tag d;
  const hn::RebindToUnsigned<Signed> du;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Vector before = farness(hn::LoadU(d, it.neighbours_kernels + i), load_floats(to_neighbour + i));
    const Vector now = farness(hn::Set(d, it.self_kernel), load_floats(it.k + i));
    const auto orphans = hn::Eq(hn::LoadU(du, neighbours + i), hn::Set(du, it.slot));
    if (hn::AllFalse(d, hn::Lt(now, before)) && hn::AllFalse(du, orphans)) continue;
    // These are few, so they are processed one at a time.
    double gains[hn::MaxLanes(d)];
    hn::StoreU(hn::Sub(before, now), d, gains);
    for (std::size_t j = i; j < i + hn::Lanes(d) && j < n; ++j) {
      if (neighbours[j] == it.slot) neighbours[j] = kNoNeighbour;
      if (!(gains[j - i] > 0)) continue;
      neighbours[j] = it.slot;
      to_neighbour[j] = it.k[j];
    }
  }
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(add_to_margins);
HWY_EXPORT(largest_margin_with);
HWY_EXPORT(largest_margin);
HWY_EXPORT(least_loss);
HWY_EXPORT(nearest);
HWY_EXPORT(make_neighbour);

double add_to_margins(const Margins& margins, std::span<const GainedTerm> gained, std::size_t n, double* tops) {
  return HWY_DYNAMIC_DISPATCH(add_to_margins)(margins, gained, n, tops);
}

double largest_margin_with(const Margins& margins, const GainedTerm& gained, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(largest_margin_with)(margins, gained, n);
}

LargestMargin largest_margin(const Margins& margins, std::size_t n, double largest, const double* tops) {
  return HWY_DYNAMIC_DISPATCH(largest_margin)(margins, n, largest, tops);
}

std::size_t least_loss(const Projections& projections, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(least_loss)(projections, n);
}

std::size_t nearest(const Distances& distances, std::size_t n, std::size_t skipped) {
  return HWY_DYNAMIC_DISPATCH(nearest)(distances, n, skipped);
}

void make_neighbour(const Newcomer& newcomer, std::size_t n, std::uint32_t* neighbours, float* to_neighbour) {
  HWY_DYNAMIC_DISPATCH(make_neighbour)(newcomer, n, neighbours, to_neighbour);
}

}  // namespace kinglet::simd
#endif
