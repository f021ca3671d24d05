// Finds the best partner for merging among all support vectors (for the maths, see src/expansion/merge_table.hpp).
#pragma once

#include <cstddef>

namespace kinglet::simd {

// Two functions on a grid over (ratio, kappa) ∈ [0, 1]², kappa running fastest, to be interpolated bilinearly.
struct MergeGrid {
  const float* loss = nullptr;   // square root of the loss of merging weights (ratio, 1), relative to the lighter one
  const float* place = nullptr;  // h*: the position of the merged vector
  std::size_t ratios = 0;        // grid points along each axis
  std::size_t kappas = 0;
};

struct MergeQuery {
  const float* kappa = nullptr;     // k(x_m, x_n) for every n
  const float* sizes = nullptr;     // ‖α_n‖²
  const float* products = nullptr;  // α_m · α_n
  float* screen = nullptr;          // scratch of the same length
  std::size_t count = 0;            // number of partners; arrays are padded to whole blocks
  std::size_t self = 0;             // m, or `count` if m is not among them
  float own = 0;                    // ‖α_m‖²
  bool parallel = true;             // one output: all weights lie on one line
};

// The n ≠ m with the smallest loss of merging m and n, where ‖α_m‖² ≤ ‖α_n‖² for all n; ties go to the first. All
// partners are screened with a formula that is accurate within 2 % for parallel weights; if several candidates remain,
// the grid decides. For other weights the formula is an upper bound, at most a third too high, and its smallest value
// decides.
std::size_t best_partner(const MergeGrid& grid, const MergeQuery& query);

}  // namespace kinglet::simd
