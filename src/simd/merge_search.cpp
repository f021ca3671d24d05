#include "simd/merge_search.hpp"

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/merge_search.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

#include "simd/exp-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

HWY_INLINE Vector between(Tag d, Vector low, Vector high, Vector t) {
  (void)d;
  return hn::MulAdd(t, hn::Sub(high, low), low);
}

// Loss of merging m with 16 partners at a time:
//   the loss of two parallel weights of these sizes, from the grid,
// + 2 (‖α_m‖‖α_n‖ − α_m·α_n)(uv − κ) for the part that is not parallel, with u = κ^{(1−h)²}, v = κ^{h²};
// or, where that is less (weights of opposite signs), the loss of projecting m on n: ‖α_m‖² (1 − κ²).
HWY_INLINE Vector losses(Tag d, const MergeGrid& grid, const MergeQuery& query, std::size_t i) {
  const hn::RebindToSigned<Tag> di;
  const Vector one = hn::Set(d, 1.0F);
  const Vector zero = hn::Zero(d);
  const Vector own_size = hn::Set(d, query.sizes[query.self]);
  const Vector kappa = hn::Min(hn::Max(hn::Load(d, query.kappa + i), zero), one);
  const Vector sizes = hn::Load(d, query.sizes + i);
  const Vector ratio = hn::Sqrt(hn::Min(hn::Div(own_size, hn::Max(sizes, hn::Set(d, 1e-37F))), one));

  const auto cells_r = static_cast<float>(grid.ratios - 1);
  const auto cells_k = static_cast<float>(grid.kappas - 1);
  const Vector r = hn::Mul(ratio, hn::Set(d, cells_r));
  const Vector k = hn::Mul(kappa, hn::Set(d, cells_k));
  const Vector r0 = hn::Min(hn::Floor(r), hn::Set(d, cells_r - 1));
  const Vector k0 = hn::Min(hn::Floor(k), hn::Set(d, cells_k - 1));
  const Vector tr = hn::Sub(r, r0);
  const Vector tk = hn::Sub(k, k0);
  const auto at = hn::ConvertTo(di, hn::MulAdd(r0, hn::Set(d, static_cast<float>(grid.kappas)), k0));
  const auto interpolate = [&](const float* table) HWY_ATTR {
    const float* next = table + grid.kappas;
    const Vector lower = between(d, hn::GatherIndex(d, table, at), hn::GatherIndex(d, table + 1, at), tk);
    const Vector upper = between(d, hn::GatherIndex(d, next, at), hn::GatherIndex(d, next + 1, at), tk);
    return between(d, lower, upper, tr);
  };
  const Vector root = interpolate(grid.loss);
  const Vector parallel = hn::Mul(own_size, hn::Mul(root, root));
  const Vector projected = hn::Mul(own_size, hn::NegMulAdd(kappa, kappa, one));

  // ‖α_m‖‖α_n‖ − α_m·α_n ≥ 0, but for rounding.
  const Vector apart = hn::Sub(hn::Sqrt(hn::Mul(own_size, sizes)), hn::Load(d, query.products + i));
  const Vector noise = hn::Mul(hn::Set(d, 1e-6F), hn::Sqrt(hn::Mul(own_size, sizes)));
  const auto is_parallel = hn::Le(apart, noise);
  if (hn::AllTrue(d, is_parallel)) return hn::Min(parallel, projected);
  const Vector h = interpolate(grid.place);
  // uv − κ = κ (κ^{−2h(1−h)} − 1); κ^{−2h(1−h)} by way of log₂ would need a logarithm: 2h(1−h) is at most ½, so bound it
  // through the chord of t ↦ κ^{−t} on [0, ½], which is exact at both ends: κ^{−t} ≤ 1 + 2t (κ^{−½} − 1).
  const Vector chord = hn::Mul(hn::Mul(hn::Set(d, 4.0F), h), hn::Sub(one, h));
  const Vector gap = hn::Mul(chord, hn::Sub(hn::Sqrt(kappa), kappa));
  const Vector crossed = hn::MulAdd(hn::Add(apart, apart), gap, parallel);
  return hn::Min(hn::IfThenElse(is_parallel, parallel, crossed), projected);
}

std::size_t BestPartner(const MergeGrid& grid, const MergeQuery& query, float& loss) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const Vector least_kappa = hn::Set(d, query.least_kappa);
  const Vector self = hn::Set(d, static_cast<float>(query.self));
  const Vector count = hn::Set(d, static_cast<float>(query.count));
  Vector best = hn::Set(d, hwy::HighestValue<float>());
  Vector best_index = count;
  for (std::size_t i = 0; i < query.count; i += width) {
    const Vector index = hn::Iota(d, static_cast<float>(i));
    const auto allowed = hn::And(hn::Ge(hn::Load(d, query.kappa + i), least_kappa),
                                 hn::And(hn::Lt(index, count), hn::Ne(index, self)));
    if (hn::AllFalse(d, allowed)) continue;
    const Vector found = losses(d, grid, query, i);
    const auto better = hn::And(allowed, hn::Lt(found, best));
    best = hn::IfThenElse(better, found, best);
    best_index = hn::IfThenElse(better, index, best_index);
  }
  HWY_ALIGN float lane_loss[16];
  HWY_ALIGN float lane_index[16];
  hn::Store(best, d, lane_loss);
  hn::Store(best_index, d, lane_index);
  std::size_t winner = 0;
  for (std::size_t j = 1; j < width; ++j) {
    const bool first = lane_loss[j] == lane_loss[winner] && lane_index[j] < lane_index[winner];
    if (lane_loss[j] < lane_loss[winner] || first) winner = j;
  }
  loss = lane_loss[winner];
  return static_cast<std::size_t>(lane_index[winner]);
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(BestPartner);

std::size_t best_partner(const MergeGrid& grid, const MergeQuery& query, float& loss) {
  return HWY_DYNAMIC_DISPATCH(BestPartner)(grid, query, loss);
}

}  // namespace kinglet::simd
#endif
