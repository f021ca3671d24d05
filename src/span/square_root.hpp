// The covariance S of the coefficients of B centres, kept as its square root: S = U Uᵀ with an upper triangular U, in
// single precision (layout in simd/triangle.hpp, 0.5 MB for B = 500).
//
// S itself would not do in single precision: its eigenvalues reach from 1/(ελ) for directions that no example has shown
// to r/n for those that n examples have, nine orders of magnitude, and differences of large entries would make it
// indefinite. The root has half as many, kᵀSk = ‖Uᵀk‖² cannot be negative, and rounding errors of U are small where S
// is small.
//
// A centre is added as a column: with the shares a = (K + εI)⁻¹ k of the others and the squared distance δ from them,
//   S ← [S + aaᵀ/(λδ), −a/(λδ); ·, 1/(λδ)]        is        U ← [U, −a/√(λδ); 0, 1/√(λδ)].
// Starting from nothing, this gives the prior S = (K + εI)⁻¹/λ.
#pragma once

#include <cstddef>
#include <span>

#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "simd/triangle.hpp"

namespace kinglet {

class SquareRoot {
 public:
  explicit SquareRoot(std::size_t capacity);

  std::size_t size() const { return size_; }
  double at(std::size_t i, std::size_t j) const;  // U_ij
  double variance(std::size_t i) const;           // S_ii
  simd::ConstTriangle view() const { return {values_.data(), size_}; }

  // A new last centre: shares of the others (−a is its column, times `length`), and its own entry `length` = 1/√(λδ).
  void append(const float* shares, double length);
  // U ← U C after several observations (simd::rotate).
  void observe(const float* a, std::size_t stride, const double* noise, std::size_t count, float* scratch);
  // S ← D S D, D = 1 except for D_ii = factor.
  void shrink(std::size_t i, double factor);
  // Replaces all by the root of a symmetric positive definite S, given row after row.
  void assign(std::span<const double> covariance, std::size_t size);

  static std::size_t bytes(std::size_t capacity);
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  float& entry(std::size_t i, std::size_t j);

  std::size_t capacity_;  // in whole blocks
  std::size_t size_ = 0;
  ZeroedFloats values_;
};

}  // namespace kinglet
