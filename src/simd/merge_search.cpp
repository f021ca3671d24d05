#include "simd/merge_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/merge_search.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

// The losses of merging m with the partners in one vector of lanes, within 2 %. With x = 1 − √κ and the ratio r of the
// weights, the square root of the relative loss of parallel weights is
//   2√2 x / (1 + r) · (1 − (1−r) x q(r, x))
// where the first factor is exact for κ → 1 and for r = 1, and q is a polynomial fitted for κ ≥ e⁻². Weights that are
// not parallel add 2 (‖α_m‖‖α_n‖ − α_m·α_n)(uv − κ), here with h = r/(1+r) and the chord of partner_loss(). Roots and
// quotients are exact: processors approximate them differently, and one stream would give different models.
HWY_INLINE Vector screened(Tag d, const MergeQuery& query, std::size_t i) {
  const auto constant = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  const Vector one = constant(1);
  const float own = query.own;
  const Vector kappa = hn::Min(hn::Max(hn::Load(d, query.kappa + i), constant(1e-15F)), one);
  const Vector sizes = hn::Max(hn::Load(d, query.sizes + i), constant(1e-36F));
  const Vector root_kappa = hn::Sqrt(kappa);
  const Vector x = hn::Div(hn::Sub(one, kappa), hn::Add(one, root_kappa));
  const Vector weight = hn::Sqrt(sizes);
  const Vector own_weight = constant(std::sqrt(own));
  const Vector r = hn::Min(hn::Div(own_weight, weight), one);
  const Vector share = hn::Div(one, hn::Add(one, r));

  const Vector y = hn::Min(x, constant(0.63F));
  const auto in_y = [&](float c0, float c1, float c2)
                        HWY_ATTR { return hn::MulAdd(hn::MulAdd(constant(c2), y, constant(c1)), y, constant(c0)); };
  Vector q = in_y(3.60381282F, -16.10507438F, 15.7073118F);
  q = hn::MulAdd(q, r, in_y(-3.25191517F, 9.02580877F, -6.11567436F));
  q = hn::MulAdd(q, r, in_y(0.88031939F, -0.27349449F, 0.06829615F));
  const Vector bend = hn::NegMulAdd(hn::Mul(hn::Sub(one, r), y), q, one);
  const Vector root = hn::Mul(hn::Mul(constant(2.82842712F), x), hn::Mul(share, bend));

  const Vector aligned = hn::Mul(own_weight, weight);
  const Vector apart = hn::Max(hn::Sub(aligned, hn::Load(d, query.products + i)), hn::Zero(d));
  const Vector chord = hn::Mul(hn::Mul(constant(8), r), hn::Mul(share, share));
  const Vector crossed = hn::Mul(hn::Mul(apart, chord), hn::Mul(root_kappa, x));
  // For distant vectors (κ < e⁻²) merging saves about κ² (5 + 6r) of ‖α_m‖².
  const Vector saved = hn::Mul(hn::Mul(kappa, kappa), hn::MulAdd(constant(6), r, constant(5)));
  const Vector relative = hn::IfThenElse(hn::Lt(kappa, constant(0.1353F)), hn::Sub(one, saved), hn::Mul(root, root));
  const Vector merged = hn::MulAdd(constant(own), relative, crossed);
  const Vector projected = hn::Mul(constant(own), hn::NegMulAdd(kappa, kappa, one));
  return hn::Min(merged, projected);
}

HWY_INLINE float interpolate(const MergeGrid& grid, const float* table, float ratio, float kappa) {
  const float r = ratio * static_cast<float>(grid.ratios - 1);
  const float k = kappa * static_cast<float>(grid.kappas - 1);
  const std::size_t r0 = std::min(static_cast<std::size_t>(r), grid.ratios - 2);
  const std::size_t k0 = std::min(static_cast<std::size_t>(k), grid.kappas - 2);
  const float tr = r - static_cast<float>(r0);
  const float tk = k - static_cast<float>(k0);
  const float* low = table + r0 * grid.kappas + k0;
  const float* high = low + grid.kappas;
  const float below = low[0] + tk * (low[1] - low[0]);
  const float above = high[0] + tk * (high[1] - high[0]);
  return below + tr * (above - below);
}

// The loss of merging m with n, for parallel weights. Equal signs: from the grid. Opposite signs: the loss of
// projecting m onto n, ‖α_m‖² (1 − κ²).
HWY_INLINE float partner_loss(const MergeGrid& grid, const MergeQuery& query, std::size_t n) {
  const float own = query.own;
  const float kappa = std::clamp(query.kappa[n], 0.0F, 1.0F);
  const float weight = std::sqrt(query.sizes[n]);
  const float own_weight = std::sqrt(own);
  const float ratio = weight > own_weight ? own_weight / weight : 1.0F;
  const float root = interpolate(grid, grid.loss, ratio, kappa);
  const float projected = own * (1 - kappa) * (1 + kappa);
  return query.products[n] < 0 ? projected : std::min(own * root * root, projected);
}

// Screens all partners and returns the smallest loss.
HWY_INLINE float screen(const MergeQuery& query) {
  const Tag d;
  const Vector highest = hn::Set(d, hwy::HighestValue<float>());
  const Vector self = hn::Set(d, static_cast<float>(query.self));
  const Vector count = hn::Set(d, static_cast<float>(query.count));
  Vector least = highest;
  for (std::size_t i = 0; i < query.count; i += hn::Lanes(d)) {
    const Vector index = hn::Iota(d, static_cast<float>(i));
    const auto allowed = hn::And(hn::Lt(index, count), hn::Ne(index, self));
    const Vector found = hn::IfThenElse(allowed, screened(d, query, i), highest);
    least = hn::Min(least, found);
    hn::Store(found, d, query.screen + i);
  }
  return hn::GetLane(hn::MinOfLanes(d, least));
}

// Calls visit(n) for the partners whose screened loss is at most `limit`, in order.
template <class Visit>
HWY_INLINE void for_each_within(const MergeQuery& query, float limit, Visit visit) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  for (std::size_t i = 0; i < query.count; i += width) {
    const auto within = hn::Le(hn::Load(d, query.screen + i), hn::Set(d, limit));
    if (hn::AllFalse(d, within)) continue;
    for (std::size_t n = i + hn::FindKnownFirstTrue(d, within); n < std::min(i + width, query.count); ++n) {
      if (query.screen[n] <= limit && n != query.self) visit(n);
    }
  }
}

// Partners are candidates up to this screened loss. Both sides of a comparison may be off by 2 %, or by a part of it
// where merging saves almost nothing.
HWY_INLINE float limit_for(float least, float own) {
  return least + 0.04F * std::min(least, 4 * std::max(0.0F, own - least));
}

// The best partner, where `least` is the result of the screening.
HWY_INLINE std::size_t best_screened(const MergeGrid& grid, const MergeQuery& query, float least) {
  std::size_t best = query.count;
  if (!query.parallel) {
    for_each_within(query, least, [&](std::size_t n) HWY_ATTR { best = std::min(best, n); });
    return best;
  }
  const float own = query.own;
  const float limit = limit_for(least, own);
  // Merging saves at most 20 κ² of ‖α_m‖². If no partner is near, all pass the screen and only this bound separates
  // them.
  const auto reach_for = [&](float loss) HWY_ATTR { return std::sqrt(std::max(0.0F, 1 - loss / own) / 20); };
  float loss = -1;  // loss of the best partner; not computed while there is only one candidate
  float reach = 0;
  for_each_within(query, limit, [&](std::size_t n) HWY_ATTR {
    if (best == query.count) {
      best = n;
      return;
    }
    if (loss < 0) {
      loss = partner_loss(grid, query, best);
      reach = reach_for(loss);
    }
    if (query.kappa[n] < reach) return;
    const float other = partner_loss(grid, query, n);
    if (other < loss) {
      best = n;
      loss = other;
      reach = reach_for(loss);
    }
  });
  return best;
}

// The partners with κ ≥ e⁻², in order. Mostly they are few, and screening costs much more than finding them. The
// screened loss of all others is at least (1 − 11 κ²) ‖α_m‖² > 0.79 ‖α_m‖².
class NearPartners {
 public:
  static constexpr float kOthersLose = 0.79F;

  // Returns whether they are few.
  HWY_INLINE bool find(const MergeQuery& query) {
    const Tag d;
    const hn::RebindToSigned<Tag> di;
    const std::size_t width = hn::Lanes(d);
    count_ = 0;
    auto slots = hn::Iota(di, 0);
    for (std::size_t i = 0; i < query.count;
         i += width, slots = hn::Add(slots, hn::Set(di, static_cast<std::int32_t>(width)))) {
      const auto near = hn::Ge(hn::Load(d, query.kappa + i), hn::Set(d, kNear));
      hn::StoreU(hn::Compress(slots, hn::RebindMask(di, near)), di, slots_ + count_);  // CompressStore() may be slow
      count_ += hn::CountTrue(d, near);
      if (count_ > kMost) return false;
    }
    drop_excluded(query);
    hn::StoreU(hn::Zero(di), di, slots_ + count_);
    for (std::size_t k = 0; k < count_; k += width) {
      slots = hn::Load(di, slots_ + k);
      hn::Store(hn::GatherIndex(d, query.kappa, slots), d, kappa_ + k);
      hn::Store(hn::GatherIndex(d, query.sizes, slots), d, sizes_ + k);
      hn::Store(hn::GatherIndex(d, query.products, slots), d, products_ + k);
    }
    return true;
  }

  HWY_INLINE MergeQuery among(const MergeQuery& query) {
    return {kappa_, sizes_, products_, screen_, count_, count_, query.own, query.parallel};
  }
  HWY_INLINE std::size_t slot(std::size_t k) const { return static_cast<std::size_t>(slots_[k]); }

 private:
  static constexpr float kNear = 0.1353F;
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kRoom = kMost + 2 * 16;  // the last vectors of lanes are written as a whole

  // The term itself, and the lanes behind the end.
  HWY_INLINE void drop_excluded(const MergeQuery& query) {
    while (count_ > 0 && slot(count_ - 1) >= query.count) --count_;
    if (query.self < query.count) {
      count_ = static_cast<std::size_t>(std::remove(slots_, slots_ + count_, static_cast<std::int32_t>(query.self)) -
                                        slots_);
    }
  }

  std::size_t count_ = 0;
  alignas(64) std::int32_t slots_[kRoom];
  alignas(64) float kappa_[kRoom];
  alignas(64) float sizes_[kRoom];
  alignas(64) float products_[kRoom];
  alignas(64) float screen_[kRoom];
};

std::size_t best_partner(const MergeGrid& grid, const MergeQuery& query) {
  NearPartners near;
  if (near.find(query)) {
    const MergeQuery few = near.among(query);
    const float least = screen(few);
    if (limit_for(least, query.own) < NearPartners::kOthersLose * query.own) {
      return near.slot(best_screened(grid, few, least));
    }
  }
  return best_screened(grid, query, screen(query));
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(best_partner);

std::size_t best_partner(const MergeGrid& grid, const MergeQuery& query) {
  return HWY_DYNAMIC_DISPATCH(best_partner)(grid, query);
}

}  // namespace kinglet::simd
#endif
