#include "simd/vector_ops.hpp"

#include "simd/targets.hpp"
//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_ops.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinglet::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

// Computes four sums at a time to hide the latency of the additions.
HWY_INLINE float dot(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, std::size_t n) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  Vector s0 = hn::Zero(d);
  Vector s1 = s0;
  Vector s2 = s0;
  Vector s3 = s0;
  std::size_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
    s0 = hn::MulAdd(hn::Load(d, a + i), hn::Load(d, b + i), s0);
    s1 = hn::MulAdd(hn::Load(d, a + i + width), hn::Load(d, b + i + width), s1);
    s2 = hn::MulAdd(hn::Load(d, a + i + 2 * width), hn::Load(d, b + i + 2 * width), s2);
    s3 = hn::MulAdd(hn::Load(d, a + i + 3 * width), hn::Load(d, b + i + 3 * width), s3);
  }
  for (; i < n; i += width) s0 = hn::MulAdd(hn::Load(d, a + i), hn::Load(d, b + i), s0);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

void dot_outputs(const float* HWY_RESTRICT k, std::size_t k_stride, std::size_t rows, const Outputs& outputs,
                 std::size_t n, float* HWY_RESTRICT out) {
  for (std::size_t q = 0; q < rows; ++q, k += k_stride) {
    for (std::size_t c = 0; c < outputs.count; ++c) *out++ = dot(k, outputs.coefficients + c * outputs.stride, n);
  }
}

// Most weights are zero, as a new term usually raises one class and lowers another.
void combine_outputs(const Outputs& weights, const Outputs& outputs, std::size_t n, float* HWY_RESTRICT out) {
  const Tag d;
  bool begun = false;
  for (std::size_t c = 0; c < outputs.count; ++c) {
    const float own = weights.coefficients[c * weights.stride];
    if (own == 0 && (begun || c + 1 < outputs.count)) continue;
    const Vector weight = hn::Set(d, own);
    const float* HWY_RESTRICT a = outputs.coefficients + c * outputs.stride;
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
      const Vector sum = begun ? hn::Load(d, out + i) : hn::Zero(d);
      hn::Store(hn::MulAdd(weight, hn::Load(d, a + i), sum), d, out + i);
    }
    begun = true;
  }
}

void add_scaled(double weight, const float* HWY_RESTRICT k, std::size_t n, double* HWY_RESTRICT sums) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const auto weights = hn::Set(d, weight);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto part = hn::Mul(weights, hn::PromoteTo(d, hn::LoadU(narrow, k + i)));
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), part), d, sums + i);
  }
  for (; i < n; ++i) sums[i] += weight * static_cast<double>(k[i]);
}

void add_two_scaled(double a, const double* HWY_RESTRICT x, double b, const double* HWY_RESTRICT z, std::size_t n,
                    double* HWY_RESTRICT sums) {
  const hn::CappedTag<double, 8> d;
  const auto by = hn::Set(d, a), other_by = hn::Set(d, b);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto sum = hn::MulAdd(by, hn::Load(d, x + i), hn::Load(d, sums + i));
    hn::Store(hn::MulAdd(other_by, hn::Load(d, z + i), sum), d, sums + i);
  }
}

float least(const float* values, std::size_t count) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  float lowest = values[0];
  std::size_t i = 0;
  if (count >= width) {
    Vector low = hn::Load(d, values);
    for (i = width; i + width <= count; i += width) low = hn::Min(low, hn::Load(d, values + i));
    lowest = hn::GetLane(hn::MinOfLanes(d, low));
  }
  for (; i < count; ++i) lowest = values[i] < lowest ? values[i] : lowest;
  return lowest;
}

std::size_t smallest(const float* values, const std::uint64_t* ranks, std::size_t count) {
  const Tag d;
  const std::size_t width = hn::Lanes(d);
  const float lowest = least(values, count);
  std::size_t best = count;
  for (std::size_t i = 0; i < count; i += width) {
    if (hn::AllFalse(d, hn::Eq(hn::Load(d, values + i), hn::Set(d, lowest)))) continue;
    for (std::size_t j = i; j < i + width && j < count; ++j) {
      if (values[j] == lowest && (best == count || ranks[j] < ranks[best])) best = j;
    }
  }
  return best;
}

// In double precision and without fused operations, so that every instruction set finds the same winners.
double weight_of_winners(const Departure& it, std::size_t n) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const auto without = [&](std::size_t c, std::size_t i, auto k) HWY_ATTR {
    const auto lost = hn::Mul(hn::Set(d, static_cast<double>(it.coefficients[c])), k);
    return hn::Sub(hn::LoadU(d, it.values + c * it.stride + i), lost);
  };
  auto sum = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto k = hn::PromoteTo(d, hn::LoadU(narrow, it.k + i));
    const auto rounding = hn::LoadU(d, it.rounding + i);
    auto best = without(0, i, k);
    auto weight = hn::LoadU(d, it.weights + i);
    if (it.outputs == 1) {
      const auto other = hn::LoadU(d, it.weights + it.weight_stride + i);
      weight = hn::IfThenElse(hn::Ge(best, hn::Neg(rounding)), other, weight);
    }
    for (std::size_t c = 1; c < it.outputs; ++c) {
      const auto value = without(c, i, k);
      const auto wins = hn::Gt(value, hn::Add(best, rounding));
      best = hn::IfThenElse(wins, value, best);
      weight = hn::IfThenElse(wins, hn::LoadU(d, it.weights + c * it.weight_stride + i), weight);
    }
    sum = hn::Add(sum, weight);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

float largest_weights(const Outputs& outputs, std::size_t n, float* HWY_RESTRICT out) {
  const Tag d;
  Vector all = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    Vector largest = hn::Abs(hn::Load(d, outputs.coefficients + i));
    for (std::size_t c = 1; c < outputs.count; ++c) {
      largest = hn::Max(largest, hn::Abs(hn::Load(d, outputs.coefficients + c * outputs.stride + i)));
    }
    hn::Store(largest, d, out + i);
    all = hn::Max(all, largest);
  }
  return hn::GetLane(hn::MaxOfLanes(d, all));
}

void term_sizes(const Outputs& outputs, const double* HWY_RESTRICT self_kernels, std::size_t n,
                float* HWY_RESTRICT out) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t c = 0; c < outputs.count; ++c) {
      const auto a = hn::PromoteTo(d, hn::LoadU(narrow, outputs.coefficients + c * outputs.stride + i));
      sum = hn::Add(sum, hn::Mul(a, a));
    }
    hn::StoreU(hn::DemoteTo(narrow, hn::Mul(sum, hn::LoadU(d, self_kernels + i))), narrow, out + i);
  }
}

float cap_factors(const float* HWY_RESTRICT weights, float limit, std::size_t n, float* HWY_RESTRICT factors) {
  const Tag d;
  const Vector limits = hn::Set(d, limit);
  Vector largest = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Vector weight = hn::Load(d, weights + i);
    const Vector factor = hn::Load(d, factors + i);
    const Vector grown = hn::Mul(weight, factor);
    const auto exceeds = hn::Gt(grown, limits);
    hn::Store(hn::IfThenElse(exceeds, hn::Div(limits, weight), factor), d, factors + i);
    largest = hn::Max(largest, hn::Min(grown, limits));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

void shares_below(float limit, std::size_t n, float* values) {
  const Tag d;
  const Vector one = hn::Set(d, 1.0F);
  const Vector limits = hn::Set(d, limit);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Vector value = hn::Load(d, values + i);
    hn::Store(hn::IfThenElse(hn::Gt(value, limits), hn::Div(limits, value), one), d, values + i);
  }
}

void multiply(const float* HWY_RESTRICT factors, std::size_t n, float* HWY_RESTRICT values) {
  const Tag d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::Store(hn::Mul(hn::Load(d, factors + i), hn::Load(d, values + i)), d, values + i);
  }
}

// Products of floats are exact in double precision, so the sums are the same with and without fused operations.
double squared_length(const float* x, std::size_t n) {
  const hn::CappedTag<double, 4> d;
  const hn::Rebind<float, decltype(d)> narrow;
  constexpr std::size_t kParts = 4 / hn::MaxLanes(decltype(d)());
  hn::Vec<decltype(d)> sums[kParts];
  for (auto& sum : sums) sum = hn::Zero(d);
  const auto add = [&](std::size_t part, auto values) HWY_ATTR {
    const auto wide = hn::PromoteTo(d, values);
    sums[part] = hn::MulAdd(wide, wide, sums[part]);
  };
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t p = 0; p < kParts; ++p) add(p, hn::LoadU(narrow, x + i + p * hn::MaxLanes(d)));
  }
  if (i < n) {
    float rest[4] = {};
    for (std::size_t k = 0; i + k < n; ++k) rest[k] = x[i + k];
    for (std::size_t p = 0; p < kParts; ++p) add(p, hn::LoadU(narrow, rest + p * hn::MaxLanes(d)));
  }
  double parts[4];
  for (std::size_t p = 0; p < kParts; ++p) hn::StoreU(sums[p], d, parts + p * hn::MaxLanes(d));
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

}  // namespace kinglet::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinglet::simd {

HWY_EXPORT(dot_outputs);
HWY_EXPORT(combine_outputs);
HWY_EXPORT(add_scaled);
HWY_EXPORT(add_two_scaled);
HWY_EXPORT(least);
HWY_EXPORT(smallest);
HWY_EXPORT(weight_of_winners);
HWY_EXPORT(largest_weights);
HWY_EXPORT(term_sizes);
HWY_EXPORT(cap_factors);
HWY_EXPORT(shares_below);
HWY_EXPORT(multiply);
HWY_EXPORT(squared_length);

void dot_outputs(const float* k, std::size_t k_stride, std::size_t rows, const Outputs& outputs, std::size_t n,
                 float* out) {
  HWY_DYNAMIC_DISPATCH(dot_outputs)(k, k_stride, rows, outputs, n, out);
}

void combine_outputs(const Outputs& weights, const Outputs& outputs, std::size_t n, float* out) {
  HWY_DYNAMIC_DISPATCH(combine_outputs)(weights, outputs, n, out);
}

void add_scaled(double weight, const float* k, std::size_t n, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_scaled)(weight, k, n, sums);
}

void add_two_scaled(double a, const double* x, double b, const double* z, std::size_t n, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_two_scaled)(a, x, b, z, n, sums);
}

float least(const float* values, std::size_t count) { return HWY_DYNAMIC_DISPATCH(least)(values, count); }

std::size_t smallest(const float* values, const std::uint64_t* ranks, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(smallest)(values, ranks, count);
}

double weight_of_winners(const Departure& departure, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(weight_of_winners)(departure, n);
}

float largest_weights(const Outputs& outputs, std::size_t n, float* out) {
  return HWY_DYNAMIC_DISPATCH(largest_weights)(outputs, n, out);
}

void term_sizes(const Outputs& outputs, const double* self_kernels, std::size_t n, float* out) {
  HWY_DYNAMIC_DISPATCH(term_sizes)(outputs, self_kernels, n, out);
}

float cap_factors(const float* weights, float limit, std::size_t n, float* factors) {
  return HWY_DYNAMIC_DISPATCH(cap_factors)(weights, limit, n, factors);
}

void shares_below(float limit, std::size_t n, float* values) { HWY_DYNAMIC_DISPATCH(shares_below)(limit, n, values); }

void multiply(const float* factors, std::size_t n, float* values) {
  HWY_DYNAMIC_DISPATCH(multiply)(factors, n, values);
}

double squared_length(const float* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(squared_length)(x, n); }

float squared_norm(const float* x, std::size_t n) { return static_cast<float>(squared_length(x, n)); }

}  // namespace kinglet::simd
#endif
