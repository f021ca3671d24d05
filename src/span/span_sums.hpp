// What was learned in a span as sums, which add up across models that share the span. An observation of the noise ρ
// says that the outputs should be t at an example with the kernel row k:
//
//   P = Σ k kᵀ/ρ,    H = Σ k tᵀ/ρ          over all observations, in double precision
//   Λ = Λ₀ + P,      W = W₀ + Λ⁻¹ (H − P W₀)     Λ₀ = λ (K + εD) and W₀: precision and coefficients of the start
//
// For regression t is the target, and W is the exact least-squares solution. An observation of a learner with the step
// s_c along h = S k is one with t_c = f_c + s_c (v + ρ), since Λ W changes by k t_cᵀ/ρ:
//   two classes     t = y, as in regression, for the examples that were learned
//   more classes    t_y = f_y + a (v + ρ),  t_rival = f_rival − a (v + ρ),  all others f_c
// So Σ_i Λ_i W_i of models that learned apart is Λ₀ W₀ + Σ_i H_i, and P and H are all that has to be added.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "kinglet/example.hpp"
#include "simd/outer_sums.hpp"

namespace kinglet {

// Coefficients and covariance of B centres, row after row.
struct SpanSolution {
  std::vector<double> coefficients;  // output by output
  std::vector<double> covariance;    // S = Λ⁻¹; empty unless it was asked for
};

class SpanSums {
 public:
  SpanSums(std::size_t capacity, std::size_t outputs);

  // k has `size` entries, one for each centre. flush() adds what is pending.
  void observe(std::span<const float> k, double noise, std::span<const double> targets);
  void flush();
  // Adds those of another learner in the same span, whose class c is class classes[c] here. Both are flushed.
  void add(const SpanSums& other, std::size_t size, std::span<const ClassId> classes);
  // Takes W₀ of another learner likewise.
  void take_origin(const SpanSums& other, std::size_t size, std::span<const ClassId> classes);
  bool has_origin_of(const SpanSums& other, std::size_t size, std::span<const ClassId> classes) const;
  void set_origin(std::size_t centre, std::size_t output, double value) { origin_[output * stride_ + centre] = value; }

  // Λ₀ is given row after row. Throws Error where Λ is singular in double precision.
  SpanSolution solve(std::span<const double> prior, std::size_t size, bool with_covariance) const;

  std::size_t outputs() const { return outputs_; }
  void grow(std::size_t outputs, std::size_t size);
  static std::size_t bytes(std::size_t capacity, std::size_t outputs);
  void save(StateWriter& out, std::size_t size) const;  // flushed
  void load(StateReader& in, std::size_t size);

 private:
  static constexpr std::size_t kPending = 32;

  std::size_t outputs_;
  std::size_t stride_;      // capacity in whole blocks
  ZeroedDoubles squares_;   // P (simd/outer_sums.hpp)
  ZeroedDoubles products_;  // H, output by output
  ZeroedDoubles origin_;    // W₀, output by output
  std::size_t pending_ = 0;
  std::size_t width_ = 0;        // entries in use of the pending rows, in whole blocks
  ZeroedDoubles rows_;           // k (simd::RowPanel)
  ZeroedDoubles weighted_;       // k/ρ
  std::vector<double> targets_;  // t, row by row
};

}  // namespace kinglet
