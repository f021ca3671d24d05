// Vector code that searches all terms of an expansion, for the budget rules. It uses double precision and avoids fused
// operations that round differently, so every instruction set finds the same terms as a plain loop.
//
// The length of the arrays is n rounded up to whole blocks of 16; the content of the padding does not matter.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "simd/vector_ops.hpp"

namespace kinglet::simd {

// Margins of the support vectors without their own terms, for two classes:   m_j = signs[j] (values[j] − own[j])
struct Margins {
  double* values = nullptr;      // f(x_j)
  const double* own = nullptr;   // contribution of the term of x_j to f(x_j)
  const float* signs = nullptr;  // y_j, 1 or −1
  const std::uint64_t* births = nullptr;
  double tolerance = 0;
  double largest_own = 0;  // an upper bound of |own[j]|
};
// A term added to f, with its kernel values.
struct GainedTerm {
  float weight = 0;
  const float* k = nullptr;
};
// values[j] ← values[j] + Σ weight · k[j] over at most two terms, one after the other; returns the largest margin
// afterwards. The tops_for(n) entries of `tops` become the largest margins of the parts that largest_margin() searches.
// n ≥ 1.
double add_to_margins(const Margins& margins, std::span<const GainedTerm> gained, std::size_t n, double* tops);
constexpr std::size_t tops_for(std::size_t n) { return n / 4 + 8; }
// The largest margin if a term were added to f. Changes nothing.
double largest_margin_with(const Margins& margins, const GainedTerm& gained, std::size_t n);
// A margin that is smaller than the largest by more than this cannot be a tie (see below), for any vector.
inline double largest_rounding(const Margins& margins, double largest) {
  // |values[j]| ≤ |m_j| + |own[j]|. Half of this would be enough, except for the rounding of m_j itself.
  return 2 * margins.tolerance * (std::abs(largest) + 2 * margins.largest_own);
}

// The vector with the largest margin. Margins that differ from it by no more than rounding, tolerance · (|values[j]| +
// |own[j]|), count as ties; ties go to the oldest. `largest` and `tops` are the results of add_to_margins().
struct LargestMargin {
  std::size_t slot = 0;
  double margin = 0;
};
LargestMargin largest_margin(const Margins& margins, std::size_t n, double largest, const double* tops);

// The term with the smallest loss if it is replaced by its projection on a new vector t and, if there are neighbours,
// on its own nearest neighbour: argmin_r ‖α_r‖² D_r, where
//   D_r = k_rr − k_rt²/k_tt − (k_rn − k_rt k_nt/k_tt)² / (k_nn − k_nt²/k_tt),     n the neighbour of r
// The last part is omitted if there are no neighbours, or if n is in the span of t:
//   k_nn − k_nt²/k_tt ≤ span k_nn.
// Ties go to the oldest; n ≥ 1.
//
// An unknown neighbour is kNoNeighbour; to_neighbour then contains a bound κ ≥ k_rn. This requires kernel values
// between 0 and k(x, x) = 1. D_r is then replaced by a lower bound: with a = k_rt, b = k_nt and m ≥ b,
//   (k_rn − a b)² / (1 − b²) ≤ max{κ², (κ − a m)² / (1 − m²), a² m² / (1 − m²)}
// because for k_rn = κ the left side decreases in b up to a/κ and then increases, and for k_rn = 0 it increases. If
// such a term wins, the caller must find its neighbour and search again.
constexpr auto kNoNeighbour = std::numeric_limits<std::uint32_t>::max();
struct Projections {
  const float* to_new = nullptr;  // k_rt
  double inverse = 0;             // 1/k_tt
  Outputs outputs;
  const double* self_kernels = nullptr;
  const std::uint64_t* births = nullptr;
  const std::uint32_t* neighbours = nullptr;   // n for every r; null: no neighbours; padding: any n or kNoNeighbour
  const float* to_neighbour = nullptr;         // k_rn
  const double* neighbours_kernels = nullptr;  // k_nn, for every r
  bool bounded = false;                        // whether kernels are between 0 and k(x, x) = 1
  double largest_to_new = 0;                   // m, if bounded
  double span = 0;
};
std::size_t least_loss(const Projections& projections, std::size_t n);

// The vector nearest, in the feature space of the kernel, to the vector whose kernel row is k:
// argmin_j self_kernels[j] − 2 k[j] over all j except `skipped`; ties go to the oldest. n if there is none.
struct Distances {
  const float* k = nullptr;
  const double* self_kernels = nullptr;
  const std::uint64_t* births = nullptr;
};
std::size_t nearest(const Distances& distances, std::size_t n, std::size_t skipped);

// Enters a new vector with the kernel row `k` into a slot. It becomes the neighbour of all vectors that are nearer to
// it than to their present neighbour. Other vectors whose neighbour was in the slot lose it and keep the kernel value
// as a bound.
struct Newcomer {
  const float* k = nullptr;
  double self_kernel = 0;
  const double* neighbours_kernels = nullptr;  // k(x, x) of every vector's neighbour
  std::uint32_t slot = 0;
};
void make_neighbour(const Newcomer& newcomer, std::size_t n, std::uint32_t* neighbours, float* to_neighbour);

}  // namespace kinglet::simd
