// Coordinate ascent on the dual problem max D(α) = Σ α_i − ½ αᵀQα, 0 ≤ α_i ≤ C_i, where Q_ij = y_i y_j k(x_i, x_j).
// With the gradient g_i = 1 − y_i f(x_i), the best step of α_i alone and its gain are
//   Δ = clip(α_i + g_i/Q_ii, 0, C_i) − α_i,   D(α + Δ) − D(α) = Δ (g_i − ½ Q_ii Δ)
#pragma once

#include <cstddef>

namespace kinglet::simd {

// Arrays are 64-byte aligned and padded to whole blocks of 16. A variable that must not move, such as padding, has
// C = α = 0.
struct DualVariables {
  double* values = nullptr;       // f(x_i)
  const double* signs = nullptr;  // y_i
  const double* alphas = nullptr;
  const double* boxes = nullptr;   // C_i
  const double* selves = nullptr;  // Q_ii; null means all 1
  std::size_t count = 0;           // including padding
};

struct BestStep {
  std::size_t slot = 0;
  double gain = 0;       // gain of the best step; 0 if no step improves the objective
  double violation = 0;  // the largest |g_i| among the variables that can move in the direction of g_i
};

// The step with the largest gain; ties go to the first.
BestStep best_step(const DualVariables& variables);
// Adds delta · row to the values, then finds the best step.
BestStep add_row(const DualVariables& variables, const float* row, double delta);

// values[i] += delta · row[i]; n is a multiple of 16.
void add_only(double* values, const float* row, double delta, std::size_t n);

}  // namespace kinglet::simd
