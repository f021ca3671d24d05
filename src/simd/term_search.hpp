// Searches among all terms of an expansion at once, for the budget rules. Double precision and no fused operations that round
// differently: every instruction set finds the same winners, and they are those of a plain loop.
//
// Arrays are as long as n rounded up to whole blocks of 16; what stands in the padding does not matter.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "simd/vector_ops.hpp"

namespace kinglet::simd {

// Margins without the own term, two classes:   m_j = signs[j] (values[j] − own[j])
struct Margins {
  double* values = nullptr;      // f(x_j)
  const double* own = nullptr;   // what the term of x_j itself adds there
  const float* signs = nullptr;  // y_j, 1 or −1
  const std::uint64_t* births = nullptr;
  double tolerance = 0;
  double largest_own = 0;  // an upper bound of |own[j]|
};
// f has gained a term with these kernel values.
struct GainedTerm {
  float weight = 0;
  const float* k = nullptr;
};
// values[j] ← values[j] + Σ weight · k[j] over at most two terms, one after the other; returns the largest margin then.
// tops[·], tops_for(n) of them, become the largest margins of the parts that largest_margin() goes through. n ≥ 1.
double add_to_margins(const Margins& margins, std::span<const GainedTerm> gained, std::size_t n, double* tops);
constexpr std::size_t tops_for(std::size_t n) { return n / 4 + 8; }
// The largest margin if f gained a term. No value changes.
double largest_margin_with(const Margins& margins, const GainedTerm& gained, std::size_t n);
// A margin that is smaller than the largest by more than this is not equal to it (below), whichever vector has it.
inline double largest_rounding(const Margins& margins, double largest) {
  // |values[j]| ≤ |m_j| + |own[j]|, and half of this would do but for the rounding of m_j itself.
  return 2 * margins.tolerance * (std::abs(largest) + 2 * margins.largest_own);
}

// The vector with the largest margin: margins that are below it by no more than rounding, tolerance · (|values[j]| +
// |own[j]|), are equal to it; of equals, the oldest. `largest` and `tops` are those of add_to_margins().
struct LargestMargin {
  std::size_t slot = 0;
  double margin = 0;
};
LargestMargin largest_margin(const Margins& margins, std::size_t n, double largest, const double* tops);

// The term that loses least when its projection on a new vector t, and on its own neighbour if there are neighbours, takes
// its place: argmin_r ‖α_r‖² D_r, where
//   D_r = k_rr − k_rt²/k_tt − (k_rn − k_rt k_nt/k_tt)² / (k_nn − k_nt²/k_tt),     n the neighbour of r
// without the last part where there are no neighbours, or where n is in the span of t:
//   k_nn − k_nt²/k_tt ≤ span k_nn.
// Of equals, the oldest; n ≥ 1.
//
// A neighbour that is not known is kNoNeighbour, and to_neighbour then holds a bound κ ≥ k_rn. Kernels must be between 0
// and k(x, x) = 1 for that. In the place of D_r stands the least that it can be: with a = k_rt, b = k_nt and m ≥ b,
//   (k_rn − a b)² / (1 − b²) ≤ max{κ², (κ − a m)² / (1 − m²), a² m² / (1 − m²)}
// since for k_rn = κ the left side falls in b up to a/κ and then grows, and for k_rn = 0 it grows. Whoever finds that such a
// term wins has to look for its neighbour and ask again.
constexpr auto kNoNeighbour = std::numeric_limits<std::uint32_t>::max();
struct Projections {
  const float* to_new = nullptr;  // k_rt
  double inverse = 0;             // 1/k_tt
  Outputs outputs;
  const double* self_kernels = nullptr;
  const std::uint64_t* births = nullptr;
  const std::uint32_t* neighbours = nullptr;   // n for every r, or none; in the padding any n, or kNoNeighbour
  const float* to_neighbour = nullptr;         // k_rn
  const double* neighbours_kernels = nullptr;  // k_nn, for every r
  bool bounded = false;                        // whether kernels are between 0 and k(x, x) = 1
  double largest_to_new = 0;                   // m, if they are
  double span = 0;
};
std::size_t least_loss(const Projections& projections, std::size_t n);

// The vector nearest to the owner of a kernel row, in the distance of the kernel: argmin_j self_kernels[j] − 2 k[j] over all
// j but `skipped`; of equals, the oldest. n if there is none.
struct Distances {
  const float* k = nullptr;
  const double* self_kernels = nullptr;
  const std::uint64_t* births = nullptr;
};
std::size_t nearest(const Distances& distances, std::size_t n, std::size_t skipped);

// A new vector with the kernel row `k` comes into a slot and becomes the neighbour of all vectors that are nearer to it than
// to the one they have. Others whose neighbour had the slot have none then, and keep the kernel value as a bound.
struct Newcomer {
  const float* k = nullptr;
  double self_kernel = 0;
  const double* neighbours_kernels = nullptr;  // k(x, x) of every vector's neighbour
  std::uint32_t slot = 0;
};
void make_neighbour(const Newcomer& newcomer, std::size_t n, std::uint32_t* neighbours, float* to_neighbour);

}  // namespace kinglet::simd
