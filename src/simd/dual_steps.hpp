// Steps of one dual variable at a time: max over α_i of D(α) = Σ α − ½ αᵀQα, 0 ≤ α ≤ C, where Q_ij = y_i y_j k(x_i, x_j).
// With the gradient g = 1 − y f the best step of α_i alone and what it gains are
//   Δ = clip(α_i + g_i/Q_ii, 0, C_i) − α_i,   D(α + Δ) − D(α) = Δ (g_i − ½ Q_ii Δ)
#pragma once

#include <cstddef>

namespace kinglet::simd {

// Arrays of whole blocks of 16, 64-byte aligned. A variable that may not move has y = 0 or C = 0 = α.
struct DualVariables {
  double* values = nullptr;       // f(x_i)
  const double* signs = nullptr;  // y_i
  const double* alphas = nullptr;
  const double* boxes = nullptr;   // C_i
  const double* selves = nullptr;  // Q_ii; null: all 1
  std::size_t count = 0;           // padded
};

struct BestStep {
  std::size_t slot = 0;
  double gain = 0;       // of the best step; 0: there is none
  double violation = 0;  // the largest |g_i| of those that can move the way g_i points
};

// Of equal gains, the first.
BestStep best_step(const DualVariables& variables);
// values += delta · row, and then the best step.
BestStep add_row(const DualVariables& variables, const float* row, double delta);

// values[i] += delta · row[i], n a multiple of 16.
void add_only(double* values, const float* row, double delta, std::size_t n);

}  // namespace kinglet::simd
