// What a learner knows about the coefficients of B fixed centres z_j: their mean W (B × outputs) and one covariance S
// (B × B) for all outputs. With the kernel row k = (k(z_j, x))_j of an example:
//
//   prior         W = 0,  S = (K + ε D)⁻¹/λ             K the kernel matrix of the centres, D its diagonal
//   direction     h = S k,  v = kᵀ S k
//   step          W_c ← W_c + s h                       how far is up to the learner (span_learner.hpp)
//   observation   S ← S − h hᵀ/(v + r)                  r: the noise of the example; its precision grows by k kᵀ/r
//
// Fast and exact: S = U Uᵀ (square_root.hpp), and the last n observations are pending: with the whitened rows
// A = (a_1 … a_n), a_i = Uᵀk_i, their images g_i = U a_i, the noise R = diag(r_i) and G = R + AᵀA,
//
//   S = U (I − A G⁻¹ Aᵀ) Uᵀ,      q = Aᵀa,  y = G⁻¹ q,      v = ‖a‖² − qᵀy,      h = g − Σ y_i g_i.
//
// So an example costs one row of two matrix products, a = Uᵀk and g = U a, which are computed for several examples at
// once (prepare), O(nB) for its direction, and its share of the fold of all pending observations into U, one pass over
// the matrix. Up to 16 observations are pending where U fits into the second-level cache, and up to 64 where it does
// not, since then each pass takes longer than its arithmetic. A result depends only on the sequence of observations,
// not on which rows were prepared together.
//
// Numerical health: v is a difference; where it has lost three digits (many equal examples in a row while S is still
// large), direction() refuses, and the caller folds and prepares again: without pending rows v is a sum of squares.
// Observations only ever lower S_ii, so after each fold one of them is compared with its prior; if rounding has raised
// it, S ← D S D brings it back, which keeps S positive definite.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "simd/vector_ops.hpp"
#include "span/square_root.hpp"

namespace kinglet {

struct SpanPrior {
  double ridge = 1e-3;      // ε
  double precision = 1e-3;  // λ
};

class SpanStatistics {
 public:
  SpanStatistics(std::size_t capacity, std::size_t outputs, const SpanPrior& prior);

  // How many observations can be pending with this capacity.
  static constexpr std::size_t most_pending(std::size_t capacity) {
    return std::clamp(round_up(capacity / 32, simd::kTriangleBlock), simd::kTriangleBlock, simd::kMostRotated);
  }

  std::size_t size() const { return root_.size(); }
  std::size_t padded_size() const { return round_up(size(), simd::kTriangleBlock); }
  std::size_t outputs() const { return outputs_; }
  simd::Outputs coefficients() const { return {coefficients_.data(), stride_, outputs_}; }
  double coefficient(std::size_t centre, std::size_t output) const {
    return static_cast<double>(coefficients_[output * stride_ + centre]);
  }

  void set_coefficient(std::size_t centre, std::size_t output, double value);

  // --- centres ---
  // Adds a centre while S is the prior: `kernel_row` has its kernel values with the centres so far, padded.
  void add_prior_centre(const float* kernel_row, double self_kernel);
  // Adds a centre at any time, with its shares a = (K + εD)⁻¹ k and its squared distance δ (with its ridge) from the
  // others. Folds first. Its coefficients are 0, and the predictions of the others do not change.
  void add_centre(const float* shares, double distance);
  // Centres leave until `left` remain. The next to leave is the one whose departure changes f least; its part is
  // projected on the rest: with a = (K + εD)⁻¹ k,  W ← W_rest + a W_z,  S ← [I a] S [I a]ᵀ. `kernel` is K, row after
  // row, in double precision. Returns the old places of those that stay, in order.
  std::vector<std::size_t> keep_most(std::size_t left, std::vector<double> kernel);

  // --- examples ---
  // How many rows can be prepared: those that can become pending before the next fold.
  std::size_t room() const { return most_pending_ - pending_; }
  void prepare(const simd::RowList& kernel_rows);
  // Prepares one row besides the others, in the place of the one before, and returns its number.
  std::size_t prepare_extra(const float* kernel_row);
  // The direction of prepared row i, counted from 0 as in prepare(); valid until the next call. False: v has lost its
  // digits; call fold() and prepare again.
  bool find_direction(std::size_t i);
  const float* direction() const { return direction_.data(); }  // h, padded
  double variance() const { return variance_; }                 // v
  // W_output ← W_output + length h
  void step(std::size_t output, double length);
  // S ← S − h hᵀ/(v + noise) for the row of the last direction. If that was the last room, it folds; then and after
  // fold(), no row is prepared.
  void observe(double noise);
  void fold();
  std::uint64_t folds() const { return folds_; }  // changes when prepared rows become void
  std::uint64_t repairs() const { return repairs_; }

  // v of other rows; thread-safe. out has one entry for each row.
  void variances(const simd::RowList& kernel_rows, std::span<double> out) const;
  std::vector<double> covariance() const;  // S row after row, as it is with all observations
  // Replaces S, given row after row; nothing is pending then.
  void assign(std::span<const double> covariance);

  void grow(std::size_t outputs);
  static std::size_t bytes(std::size_t capacity, std::size_t outputs);
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  // Prepared rows: a and g of one after the other, then of the extra one. They use the scratch of the fold, which makes
  // them void anyway.
  float* prepared_whitened(std::size_t i) { return &scratch_[i * stride_]; }
  float* prepared_image(std::size_t i) { return &scratch_[(most_pending_ + 1 + i) * stride_]; }
  static std::size_t scratch_floats(std::size_t stride, std::size_t pending) {
    return std::max(2 * (pending + 1) * stride, simd::rotation_room(stride, pending));
  }
  double inner(const float* a, const float* b) const;
  double explained(const float* a, std::span<double> shares) const;
  void look_after();

  SpanPrior prior_;
  std::size_t outputs_;
  std::size_t stride_;        // capacity in whole blocks
  std::size_t most_pending_;  // then they are folded
  ZeroedFloats coefficients_;
  SquareRoot root_;
  ZeroedFloats prior_variances_;  // S_ii of the prior

  std::size_t pending_ = 0;
  ZeroedFloats whitened_;                           // a_i
  ZeroedFloats images_;                             // g_i
  std::array<double, simd::kMostRotated> noise_{};  // r_i
  ZeroedDoubles inverse_;                           // G⁻¹, rows of most_pending_ numbers
  std::uint64_t folds_ = 0;
  std::uint64_t repairs_ = 0;

  std::size_t current_ = 0;  // the prepared row of the last direction
  double variance_ = 0;
  std::array<double, simd::kMostRotated> shares_{};  // its y
  ZeroedFloats direction_;
  ZeroedFloats scratch_;
};

}  // namespace kinglet
