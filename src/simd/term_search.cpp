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
using Order = hn::RebindToSigned<Tag>;  // births and places; as signed numbers they compare sooner
using Orders = hn::Vec<Order>;
using Narrow = hn::Rebind<float, Tag>;
using Ids = hn::Rebind<std::int32_t, Tag>;  // labels and slots: none is so large that it would be negative
using SomeIds = hn::Vec<Ids>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

HWY_INLINE Vector load_floats(const float* from) { return hn::PromoteTo(Tag(), hn::LoadU(Narrow(), from)); }

HWY_INLINE SomeIds load_ids(const std::uint32_t* from) {
  return hn::BitCast(Ids(), hn::LoadU(hn::Rebind<std::uint32_t, Tag>(), from));
}

// Zero in the padding, where there is nothing to look up.
HWY_INLINE SomeIds load_real_ids(const std::uint32_t* from, std::size_t i, std::size_t n) {
  return hn::IfThenElseZero(hn::FirstN(Ids(), n - i), load_ids(from + i));
}

// The lanes of places before n, from place i on.
HWY_INLINE Mask inside(std::size_t i, std::size_t n) { return hn::FirstN(Tag(), n - i); }

// The least value so far in each lane; of equals, the one of lowest rank.
struct Least {
  HWY_INLINE Least()
      : value(hn::Set(Tag(), kInfinity)),
        rank(hn::Set(Order(), std::numeric_limits<std::int64_t>::max())),
        place(hn::Set(Order(), -1)) {}

  HWY_INLINE void offer(Vector values, Orders ranks, std::size_t i, Mask allowed) {
    const Order order;
    const Mask equal = hn::And(hn::Eq(values, value), hn::RebindMask(Tag(), hn::Lt(ranks, rank)));
    const Mask wins = hn::And(hn::Or(hn::Lt(values, value), equal), allowed);
    value = hn::IfThenElse(wins, values, value);
    rank = hn::IfThenElse(hn::RebindMask(order, wins), ranks, rank);
    place = hn::IfThenElse(hn::RebindMask(order, wins), hn::Iota(order, static_cast<std::int64_t>(i)), place);
  }

  // The winner of all lanes, or `otherwise` where nothing was offered.
  HWY_INLINE std::size_t winner(std::size_t otherwise) const {
    double values[hn::MaxLanes(Tag())];
    std::int64_t ranks[hn::MaxLanes(Tag())];
    std::int64_t places[hn::MaxLanes(Tag())];
    hn::StoreU(value, Tag(), values);
    hn::StoreU(rank, Order(), ranks);
    hn::StoreU(place, Order(), places);
    std::size_t best = 0;
    for (std::size_t lane = 1; lane < hn::Lanes(Tag()); ++lane) {
      if (places[lane] < 0) continue;
      const bool equal = values[lane] == values[best] && ranks[lane] < ranks[best];
      if (places[best] < 0 || values[lane] < values[best] || equal) best = lane;
    }
    return places[best] < 0 ? otherwise : static_cast<std::size_t>(places[best]);
  }

  Vector value;
  Orders rank;
  Orders place;
};

// --- margins ----------------------------------------------------------------------------------------------------------

HWY_INLINE Vector own_part(const Margins& it, std::size_t i) {
  return hn::Mul(load_floats(it.coefficients + i), hn::LoadU(Tag(), it.self_kernels + i));
}

HWY_INLINE Vector margin(const Margins& it, std::size_t i, Vector values, Vector own) {
  const Mask positive =
      hn::RebindMask(Tag(), hn::Ne(hn::PromoteTo(Order(), load_ids(it.labels + i)), hn::Zero(Order())));
  const Vector without = hn::Sub(values, own);
  return hn::IfThenElse(positive, without, hn::Neg(without));
}

LargestMargin largest_margin(const Margins& it, std::size_t n) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const Vector none = hn::Set(d, -kInfinity);
  Vector most = none;
  for (std::size_t i = 0; i < n; i += width) {
    const Vector margins = margin(it, i, hn::LoadU(d, it.values + i), own_part(it, i));
    most = hn::Max(most, i + width <= n ? margins : hn::IfThenElse(inside(i, n), margins, none));
  }
  const double largest = hn::GetLane(hn::MaxOfLanes(d, most));
  LargestMargin best{n, 0};
  for (std::size_t i = 0; i < n; i += width) {
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
  Vector sum = hn::Zero(Tag());
  for (std::size_t c = 0; c < outputs.count; ++c) {
    const Vector a = load_floats(outputs.coefficients + c * outputs.stride + i);
    sum = hn::Add(sum, hn::Mul(a, a));
  }
  return sum;
}

// The squared distance of the vectors from the span of t, and of their neighbours.
template <bool kNeighbours>
HWY_INLINE Vector distances(const Projections& it, std::size_t i, std::size_t count) {
  const Tag d;
  const Vector inverse = hn::Set(d, it.inverse);
  const Vector to_new = load_floats(it.to_new + i);
  const Vector own = hn::LoadU(d, it.self_kernels + i);
  const Vector from_new = hn::Max(hn::Zero(d), hn::Sub(own, hn::Mul(hn::Mul(to_new, to_new), inverse)));
  if (!kNeighbours) return from_new;
  const SomeIds n = load_real_ids(it.neighbours, i, count);
  const Vector n_to_new = hn::PromoteTo(d, hn::GatherIndex(Narrow(), it.to_new, n));
  const Vector n_own = hn::GatherIndex(d, it.self_kernels, hn::PromoteTo(Order(), n));
  const Vector rest = hn::Sub(n_own, hn::Mul(hn::Mul(n_to_new, n_to_new), inverse));
  const Vector product = hn::Sub(load_floats(it.to_neighbour + i), hn::Mul(hn::Mul(to_new, n_to_new), inverse));
  const Vector nearer = hn::Max(hn::Zero(d), hn::Sub(from_new, hn::Div(hn::Mul(product, product), rest)));
  return hn::IfThenElse(hn::Gt(rest, hn::Mul(hn::Set(d, it.span), n_own)), nearer, from_new);
}

template <bool kNeighbours>
HWY_INLINE std::size_t least_loss_of(const Projections& it, std::size_t n) {
  Least least;
  for (std::size_t i = 0; i < n; i += hn::Lanes(Tag())) {
    const Vector losses = hn::Mul(squared_weights(it.outputs, i), distances<kNeighbours>(it, i, n));
    const Orders births = hn::BitCast(Order(), hn::LoadU(hn::RebindToUnsigned<Tag>(), it.births + i));
    least.offer(losses, births, i, inside(i, n));
  }
  return least.winner(0);
}

std::size_t least_loss(const Projections& it, std::size_t n) {
  return it.neighbours == nullptr ? least_loss_of<false>(it, n) : least_loss_of<true>(it, n);
}

// --- neighbours -------------------------------------------------------------------------------------------------------

// The squared distance up to k(x, x) of the other.
HWY_INLINE Vector farness(Vector own, Vector k) { return hn::Sub(own, hn::Mul(hn::Set(Tag(), 2.0), k)); }

std::size_t nearest(const float* k, const double* self_kernels, std::size_t n, std::size_t skipped) {
  const Tag d;
  const Order order;
  const Orders out = hn::Set(order, static_cast<std::int64_t>(skipped));
  Least least;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Orders places = hn::Iota(order, static_cast<std::int64_t>(i));
    const Mask asked = hn::And(inside(i, n), hn::RebindMask(d, hn::Ne(places, out)));
    least.offer(farness(hn::LoadU(d, self_kernels + i), load_floats(k + i)), places, i, asked);
  }
  return least.winner(n);
}

void make_neighbour(const Newcomer& it, const double* self_kernels, std::size_t n,
                    std::uint32_t* HWY_RESTRICT neighbours, float* HWY_RESTRICT to_neighbour) {
  const Tag d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const SomeIds known = load_real_ids(neighbours, i, n);
    const Vector known_own = hn::GatherIndex(d, self_kernels, hn::PromoteTo(Order(), known));
    const Vector before = farness(known_own, load_floats(to_neighbour + i));
    const Vector now = farness(hn::Set(d, it.self_kernel), load_floats(it.k + i));
    const Mask nearer = hn::And(hn::Lt(now, before), inside(i, n));
    if (hn::AllFalse(d, nearer)) continue;
    // Few of them: one at a time.
    double is_nearer[hn::MaxLanes(d)];
    std::int32_t ids[hn::MaxLanes(d)];
    hn::StoreU(hn::IfThenElseZero(nearer, hn::Set(d, 1.0)), d, is_nearer);
    hn::StoreU(known, Ids(), ids);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      if (is_nearer[lane] == 0 || ids[lane] == static_cast<std::int32_t>(it.leaving)) continue;
      neighbours[i + lane] = it.slot;
      to_neighbour[i + lane] = it.k[i + lane];
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

void make_neighbour(const Newcomer& newcomer, const double* self_kernels, std::size_t n, std::uint32_t* neighbours,
                    float* to_neighbour) {
  HWY_DYNAMIC_DISPATCH(make_neighbour)(newcomer, self_kernels, n, neighbours, to_neighbour);
}

std::size_t places_of(std::uint32_t value, const std::uint32_t* values, std::size_t n, std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(places_of)(value, values, n, out);
}

}  // namespace kinglet::simd
#endif
