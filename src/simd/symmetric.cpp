#include "simd/symmetric.hpp"

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/symmetric.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, kSymmetricBlock>;
using Vector = hn::Vec<Tag>;

// Four columns at a time; each entry is read once and used for its row and its column.
HWY_INLINE void multiply_above(const ConstSymmetric& a, std::size_t first, std::size_t rows,
                               const double* HWY_RESTRICT x, double* HWY_RESTRICT out) {
  const Tag d;
  const double* HWY_RESTRICT c0 = a.columns + first * a.stride;
  const double* HWY_RESTRICT c1 = c0 + a.stride;
  const double* HWY_RESTRICT c2 = c1 + a.stride;
  const double* HWY_RESTRICT c3 = c2 + a.stride;
  const Vector x0 = hn::Set(d, x[first]), x1 = hn::Set(d, x[first + 1]);
  const Vector x2 = hn::Set(d, x[first + 2]), x3 = hn::Set(d, x[first + 3]);
  Vector s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
    const Vector here = hn::Load(d, x + i);
    const Vector a0 = hn::Load(d, c0 + i), a1 = hn::Load(d, c1 + i);
    const Vector a2 = hn::Load(d, c2 + i), a3 = hn::Load(d, c3 + i);
    s0 = hn::MulAdd(a0, here, s0);
    s1 = hn::MulAdd(a1, here, s1);
    s2 = hn::MulAdd(a2, here, s2);
    s3 = hn::MulAdd(a3, here, s3);
    const Vector left = hn::MulAdd(a0, x0, hn::MulAdd(a1, x1, hn::Load(d, out + i)));
    hn::Store(hn::Add(left, hn::MulAdd(a2, x2, hn::Mul(a3, x3))), d, out + i);
  }
  out[first] += hn::GetLane(hn::SumOfLanes(d, s0));
  out[first + 1] += hn::GetLane(hn::SumOfLanes(d, s1));
  out[first + 2] += hn::GetLane(hn::SumOfLanes(d, s2));
  out[first + 3] += hn::GetLane(hn::SumOfLanes(d, s3));
}

void multiply(const ConstSymmetric& a, const double* HWY_RESTRICT x, double* HWY_RESTRICT out) {
  const Tag d;
  for (std::size_t i = 0; i < a.n; i += hn::Lanes(d)) hn::Store(hn::Zero(d), d, out + i);
  for (std::size_t block = 0; block < a.n; block += kSymmetricBlock) {
    multiply_above(a, block, block, x, out);
    multiply_above(a, block + 4, block, x, out);
    for (std::size_t c = block; c < block + kSymmetricBlock; ++c) {
      const double* column = a.columns + c * a.stride;
      const Vector here = hn::Set(d, x[c]);
      for (std::size_t i = block; i < block + kSymmetricBlock; i += hn::Lanes(d)) {
        hn::Store(hn::MulAdd(hn::Load(d, column + i), here, hn::Load(d, out + i)), d, out + i);
      }
    }
  }
}

// Multiplies by the weight last, so that both halves of a diagonal block are equal to the last bit.
void add_square(const Symmetric& a, double weight, const double* HWY_RESTRICT u) {
  const Tag d;
  const Vector by = hn::Set(d, weight);
  for (std::size_t c = 0; c < a.n; ++c) {
    double* HWY_RESTRICT column = a.columns + c * a.stride;
    const Vector here = hn::Set(d, u[c]);
    const std::size_t rows = (c / kSymmetricBlock + 1) * kSymmetricBlock;
    for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
      hn::Store(hn::MulAdd(by, hn::Mul(here, hn::Load(d, u + i)), hn::Load(d, column + i)), d, column + i);
    }
  }
}

void add_squares(const Symmetric& a, double weight, const double* HWY_RESTRICT u, double other_weight,
                 const double* HWY_RESTRICT v) {
  const Tag d;
  const Vector by = hn::Set(d, weight), other_by = hn::Set(d, other_weight);
  for (std::size_t c = 0; c < a.n; ++c) {
    double* HWY_RESTRICT column = a.columns + c * a.stride;
    const Vector here = hn::Set(d, u[c]), other = hn::Set(d, v[c]);
    const std::size_t rows = (c / kSymmetricBlock + 1) * kSymmetricBlock;
    for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
      const Vector sum = hn::MulAdd(by, hn::Mul(here, hn::Load(d, u + i)), hn::Load(d, column + i));
      hn::Store(hn::MulAdd(other_by, hn::Mul(other, hn::Load(d, v + i)), sum), d, column + i);
    }
  }
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(multiply);
HWY_EXPORT(add_square);
HWY_EXPORT(add_squares);

void multiply(const ConstSymmetric& a, const double* x, double* out) { HWY_DYNAMIC_DISPATCH(multiply)(a, x, out); }

void add_square(const Symmetric& a, double weight, const double* u) { HWY_DYNAMIC_DISPATCH(add_square)(a, weight, u); }

void add_squares(const Symmetric& a, double weight, const double* u, double other_weight, const double* v) {
  HWY_DYNAMIC_DISPATCH(add_squares)(a, weight, u, other_weight, v);
}

}  // namespace kinglet::simd
#endif
