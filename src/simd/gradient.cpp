#include "simd/gradient.hpp"

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/gradient.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

struct Difference {
  static HWY_INLINE Vector of(Vector x, Vector z) { return hn::Sub(x, z); }
};

struct Sign {
  static HWY_INLINE Vector of(Vector x, Vector z) {
    const Tag d;
    const Vector one = hn::Set(d, 1.0F);
    return hn::Sub(hn::IfThenElseZero(hn::Gt(x, z), one), hn::IfThenElseZero(hn::Lt(x, z), one));
  }
};

// The sums of `kFeatures` features side by side: a weight is loaded once for all of them, and their additions do not
// wait for each other.
template <class Slope, std::size_t kFeatures>
HWY_INLINE void sum_features(const LaneView& vectors, const float* HWY_RESTRICT weights, const float* HWY_RESTRICT x,
                             std::size_t first, float* HWY_RESTRICT out) {
  const Tag d;
  Vector sums[kFeatures];
  Vector here[kFeatures];
  for (std::size_t f = 0; f < kFeatures; ++f) {
    sums[f] = hn::Zero(d);
    here[f] = hn::Set(d, x[first + f]);
  }
  for (std::size_t j = 0; j < vectors.count; j += kLanes) {
    const float* HWY_RESTRICT block = vectors.data + j * vectors.dimension + first * kLanes;
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const Vector weight = hn::Load(d, weights + j + lane);
      for (std::size_t f = 0; f < kFeatures; ++f) {
        sums[f] = hn::MulAdd(weight, Slope::of(here[f], hn::Load(d, block + f * kLanes + lane)), sums[f]);
      }
    }
  }
  for (std::size_t f = 0; f < kFeatures; ++f) out[first + f] = hn::GetLane(hn::SumOfLanes(d, sums[f]));
}

template <class Slope>
HWY_INLINE void sum_all(const LaneView& vectors, const float* weights, const float* x, float* out) {
  constexpr std::size_t kTile = 8;
  std::size_t f = 0;
  for (; f + kTile <= vectors.dimension; f += kTile) sum_features<Slope, kTile>(vectors, weights, x, f, out);
  for (; f < vectors.dimension; ++f) sum_features<Slope, 1>(vectors, weights, x, f, out);
}

void weighted_differences(const LaneView& vectors, const float* weights, const float* x, float* out) {
  sum_all<Difference>(vectors, weights, x, out);
}

void weighted_signs(const LaneView& vectors, const float* weights, const float* x, float* out) {
  sum_all<Sign>(vectors, weights, x, out);
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(weighted_differences);
HWY_EXPORT(weighted_signs);

void weighted_differences(const LaneView& vectors, const float* weights, const float* x, float* out) {
  HWY_DYNAMIC_DISPATCH(weighted_differences)(vectors, weights, x, out);
}

void weighted_signs(const LaneView& vectors, const float* weights, const float* x, float* out) {
  HWY_DYNAMIC_DISPATCH(weighted_signs)(vectors, weights, x, out);
}

}  // namespace kinglet::simd
#endif
