// Kernel values from sums over features, on vectors of lanes; compiled once per instruction set.
#if defined(KINGLET_SIMD_KERNEL_FORMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINGLET_SIMD_KERNEL_FORMS_INL
#undef KINGLET_SIMD_KERNEL_FORMS_INL
#else
#define KINGLET_SIMD_KERNEL_FORMS_INL
#endif

#include <hwy/highway.h>

#include "simd/exp-inl.hpp"
#include "simd/kernel_rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, kLanes>;
using Vector = hn::Vec<Tag>;

// --- what is summed over the features --------------------------------------------------------------------------------

struct DotProduct {
  static HWY_INLINE Vector add(Vector sum, Vector z, Vector x) { return hn::MulAdd(z, x, sum); }
};
struct SquaredDistance {
  static HWY_INLINE Vector add(Vector sum, Vector z, Vector x) {
    const Vector difference = hn::Sub(z, x);
    return hn::MulAdd(difference, difference, sum);
  }
};
struct AbsoluteDistance {
  static HWY_INLINE Vector add(Vector sum, Vector z, Vector x) { return hn::Add(sum, hn::Abs(hn::Sub(z, x))); }
};

// --- from the sum to the kernel value --------------------------------------------------------------------------------

constexpr double kLog2E = 1.4426950408889634;

struct GaussianFromDot {
  using Sum = DotProduct;
  explicit GaussianFromDot(const Kernel& kernel) : rate(static_cast<float>(kernel.gamma * kLog2E)) {}
  HWY_INLINE Vector operator()(Tag d, Vector sum, Vector norms) const {
    // −γ(‖x‖² + ‖z‖² − 2 x·z), which rounding may lift just above 0.
    const Vector exponent = hn::MulSub(hn::Set(d, 2 * rate), sum, hn::Mul(hn::Set(d, rate), norms));
    return exp2_nonpositive(d, hn::Min(exponent, hn::Zero(d)));
  }
  float rate;
};

template <class SumOfDistances>
struct ExpOfDistance {
  using Sum = SumOfDistances;
  explicit ExpOfDistance(const Kernel& kernel) : rate(static_cast<float>(-kernel.gamma * kLog2E)) {}
  HWY_INLINE Vector operator()(Tag d, Vector sum, Vector) const {
    return exp2_nonpositive(d, hn::Mul(hn::Set(d, rate), sum));
  }
  float rate;
};

struct Linear {
  using Sum = DotProduct;
  explicit Linear(const Kernel&) {}
  HWY_INLINE Vector operator()(Tag, Vector sum, Vector) const { return sum; }
};

struct Polynomial {
  using Sum = DotProduct;
  explicit Polynomial(const Kernel& kernel)
      : gamma(static_cast<float>(kernel.gamma)),
        constant(kernel.kind == KernelKind::poly ? static_cast<float>(kernel.coef0) : 0.0F),
        degree(kernel.degree) {}
  HWY_INLINE Vector operator()(Tag d, Vector sum, Vector) const {
    Vector base = hn::MulAdd(hn::Set(d, gamma), sum, hn::Set(d, constant));
    Vector power = hn::Set(d, 1.0F);
    for (int p = degree;; base = hn::Mul(base, base)) {  // by repeated squaring
      if (p & 1) power = hn::Mul(power, base);
      if ((p >>= 1) == 0) return power;
    }
  }
  float gamma;
  float constant;
  int degree;
};

struct Sigmoid {
  using Sum = DotProduct;
  explicit Sigmoid(const Kernel& kernel)
      : gamma(static_cast<float>(kernel.gamma)), constant(static_cast<float>(kernel.coef0)) {}
  HWY_INLINE Vector operator()(Tag d, Vector sum, Vector) const {
    // tanh u = sign(u) (1 − e) / (1 + e) with e = exp(−2|u|); near 0 the series u − u³/3 + 2u⁵/15 loses no digits.
    const Vector u = hn::MulAdd(hn::Set(d, gamma), sum, hn::Set(d, constant));
    const Vector one = hn::Set(d, 1.0F);
    const Vector e = exp2_nonpositive(d, hn::Mul(hn::Set(d, static_cast<float>(-2 * kLog2E)), hn::Abs(u)));
    const Vector far = hn::CopySign(hn::Div(hn::Sub(one, e), hn::Add(one, e)), u);
    const Vector square = hn::Mul(u, u);
    const Vector series = hn::MulAdd(square, hn::Set(d, 2.0F / 15), hn::Set(d, -1.0F / 3));
    const Vector near = hn::MulAdd(hn::Mul(series, square), u, u);
    return hn::IfThenElse(hn::Lt(hn::Abs(u), hn::Set(d, 0.1F)), near, far);
  }
  float gamma;
  float constant;
};

// A column is one vector register of lanes; a block has 16 / Lanes columns.
HWY_INLINE const float* column_start(const LaneView& vectors, std::size_t column) {
  const std::size_t per_block = kLanes / hn::Lanes(Tag());
  return vectors.data + column / per_block * vectors.dimension * kLanes + column % per_block * hn::Lanes(Tag());
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
