// The best partner for merging (the maths is in src/expansion/merge_table.hpp), over all support vectors at once.
#pragma once

#include <cstddef>

namespace kinglet::simd {

// Two functions on a grid over (ratio, kappa) ∈ [0, 1]², kappa running fastest, to be interpolated bilinearly.
struct MergeGrid {
  const float* loss = nullptr;   // root of the loss of merging weights (ratio, 1), relative to the lighter one's
  const float* place = nullptr;  // h*: where the merged vector lies
  std::size_t ratios = 0;        // grid points along each axis
  std::size_t kappas = 0;
};

struct MergeQuery {
  const float* kappa = nullptr;     // k(x_m, x_n) for every n
  const float* sizes = nullptr;     // ‖α_n‖²
  const float* products = nullptr;  // α_m · α_n
  float* screen = nullptr;          // scratch of the same length
  std::size_t count = 0;            // of partners; arrays are padded to whole blocks
  std::size_t self = 0;             // m, or `count` where m is not among them
  float own = 0;                    // ‖α_m‖²
  bool parallel = true;             // one output: all weights lie on one line
};

// The n ≠ m with the least loss of merging m and n, where ‖α_m‖² ≤ ‖α_n‖² for all n; of equal losses the first wins.
// All partners are screened by a formula that is right within 2 % for parallel weights; where that leaves a doubt, the
// grid decides. For others it is an upper bound, at most a third too high, and its least value decides.
std::size_t best_partner(const MergeGrid& grid, const MergeQuery& query);

}  // namespace kinglet::simd
