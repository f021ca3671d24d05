// Searches among all terms of an expansion at once, for the budget rules. Double precision and no fused operations: every
// instruction set finds the same winners, and they are those of a plain loop.
//
// Arrays are as long as n rounded up to whole blocks of 16; what stands in the padding does not matter.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/vector_ops.hpp"

namespace kinglet::simd {

// The vector with the largest margin without its own term, two classes:
//   m_j = y_j (values[j] − coefficients[j] self_kernels[j]),   y_j = 2 labels[j] − 1
// Margins that differ by no more than rounding, tolerance · (|values[j]| + |coefficients[j] self_kernels[j]|), are equal; of
// equals, the oldest. n ≥ 1.
struct Margins {
  const double* values = nullptr;
  const float* coefficients = nullptr;
  const double* self_kernels = nullptr;
  const std::uint32_t* labels = nullptr;
  const std::uint64_t* births = nullptr;
  double tolerance = 0;
};
struct LargestMargin {
  std::size_t slot = 0;
  double margin = 0;
};
LargestMargin largest_margin(const Margins& margins, std::size_t n);

// The term that loses least when its projection on a new vector t, and on its own neighbour if there are neighbours, takes
// its place: argmin_r ‖α_r‖² D_r, where
//   D_r = k_rr − k_rt²/k_tt − (k_rn − k_rt k_nt/k_tt)² / (k_nn − k_nt²/k_tt),     n the neighbour of r
// without the last part where there are no neighbours, or where n is in the span of t:
//   k_nn − k_nt²/k_tt ≤ span k_nn.
// Of equals, the oldest; n ≥ 1.
struct Projections {
  const float* to_new = nullptr;  // k_rt
  double inverse = 0;             // 1/k_tt
  Outputs outputs;
  const double* self_kernels = nullptr;
  const std::uint64_t* births = nullptr;
  const float* to_neighbour = nullptr;         // k_rn, or none
  const float* neighbours_to_new = nullptr;    // k_nt, for every r
  const double* neighbours_kernels = nullptr;  // k_nn, for every r
  double span = 0;
};
std::size_t least_loss(const Projections& projections, std::size_t n);

// The vector nearest to the owner of a kernel row, in the distance of the kernel: argmin_j self_kernels[j] − 2 k[j] over all
// j but `skipped`; of equals, the first. n if there is none.
std::size_t nearest(const float* k, const double* self_kernels, std::size_t n, std::size_t skipped);

// A new vector with the kernel row `k` becomes the neighbour of all vectors that are nearer to it than to the one they have,
// but for those whose neighbour is `leaving`: they look for another one anyway.
struct Newcomer {
  const float* k = nullptr;
  double self_kernel = 0;
  const double* neighbours_kernels = nullptr;  // k(x, x) of every vector's neighbour
  std::uint32_t slot = 0;
  std::uint32_t leaving = 0;
};
void make_neighbour(const Newcomer& newcomer, std::size_t n, std::uint32_t* neighbours, float* to_neighbour);

// Writes the places of `value` among values[0 … n), in order, and returns how many there are.
std::size_t places_of(std::uint32_t value, const std::uint32_t* values, std::size_t n, std::uint32_t* out);

}  // namespace kinglet::simd
