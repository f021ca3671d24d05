// 2^t for t ≤ 0 on vectors of floats, compiled once per instruction set. Relative error below 5e-7; 2^0 is exactly 1;
// below −125 the result stays at 2^−125.
//   t = n + r with integer n and |r| ≤ ½;   2^t = 2^n · (1 + c₁r + … + c₅r⁵), minimax in the relative error.
#if defined(KINGLET_SIMD_EXP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINGLET_SIMD_EXP_INL
#undef KINGLET_SIMD_EXP_INL
#else
#define KINGLET_SIMD_EXP_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp2_nonpositive(D d, V t) {
  const hn::RebindToSigned<D> di;
  // Adding 1.5·2²³ leaves round(t) in the low bits of the sum, which give both the number to subtract and the exponent.
  const V magic = hn::Set(d, 12582912.0F);
  t = hn::Max(t, hn::Set(d, -125.0F));
  const V shifted = hn::Add(t, magic);
  const V r = hn::Sub(t, hn::Sub(shifted, magic));
  V p = hn::Set(d, 0.001112549682147801F);
  p = hn::MulAdd(p, r, hn::Set(d, 0.009666282683610916F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.05557400360703468F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.24022351205348969F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.693142831325531F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
