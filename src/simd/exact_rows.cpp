#include "simd/exact_rows.hpp"

#include "simd/kernel_rows.hpp"
#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/exact_rows.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;

// Sums feature by feature without fused operations, so that the sums equal those of the plain loop.
struct ExactDot {
  static HWY_INLINE Vector add(Vector sum, Vector z, Vector x) { return hn::Add(sum, hn::Mul(z, x)); }
};
struct ExactSquares {
  static HWY_INLINE Vector add(Vector sum, Vector z, Vector x) {
    const Vector difference = hn::Sub(z, x);
    return hn::Add(sum, hn::Mul(difference, difference));
  }
};
struct ExactDistance {
  static HWY_INLINE Vector add(Vector sum, Vector z, Vector x) { return hn::Add(sum, hn::Abs(hn::Sub(z, x))); }
};

template <class Sum>
HWY_INLINE void sums(const float* HWY_RESTRICT block, std::size_t dimension, const float* HWY_RESTRICT query,
                     double* HWY_RESTRICT out) {
  const Tag d;
  const hn::Rebind<float, Tag> narrow;
  constexpr std::size_t kWidth = hn::MaxLanes(Tag());
  constexpr std::size_t kParts = kLanes / kWidth;
  Vector parts[kParts];
  for (Vector& part : parts) part = hn::Zero(d);
  for (std::size_t f = 0; f < dimension; ++f, block += kLanes) {
    const Vector x = hn::Set(d, static_cast<double>(query[f]));
    for (std::size_t p = 0; p < kParts; ++p) {
      parts[p] = Sum::add(parts[p], hn::PromoteTo(d, hn::Load(narrow, block + p * kWidth)), x);
    }
  }
  for (std::size_t p = 0; p < kParts; ++p) hn::Store(parts[p], d, out + p * kWidth);
}

void exponentials(double gamma, double* HWY_RESTRICT values) {
  const Tag d;
  const Vector rate = hn::Set(d, -gamma);
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
    hn::Store(hn::Exp(d, hn::Mul(rate, hn::Load(d, values + i))), d, values + i);
  }
}

void exact_block(const Kernel& kernel, const float* block, std::size_t dimension, const float* query, double* out) {
  switch (kernel.kind) {
    case KernelKind::rbf:
      sums<ExactSquares>(block, dimension, query, out);
      return exponentials(kernel.gamma, out);
    case KernelKind::laplacian:
      sums<ExactDistance>(block, dimension, query, out);
      return exponentials(kernel.gamma, out);
    case KernelKind::linear:
      return sums<ExactDot>(block, dimension, query, out);
    case KernelKind::poly:
    case KernelKind::hpoly:
    case KernelKind::sigmoid:
      sums<ExactDot>(block, dimension, query, out);
      for (std::size_t v = 0; v < kLanes; ++v) out[v] = kernel.from_dot(out[v], 0);
  }
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(exact_block);

void exact_block(const Kernel& kernel, const float* block, std::size_t dimension, const float* query, double* out) {
  HWY_DYNAMIC_DISPATCH(exact_block)(kernel, block, dimension, query, out);
}

}  // namespace kinglet::simd
#endif
