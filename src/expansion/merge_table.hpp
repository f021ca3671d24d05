// Merging two terms of a Gaussian expansion into one.
//
//   z = h x_m + (1−h) x_n,  κ = k(x_m, x_n),  u = k(x_m, z) = κ^{(1−h)²},  v = k(x_n, z) = κ^{h²}
//   α_z = u α_m + v α_n                                   (per output; the best coefficient for a given h)
//   loss(h) = ‖α_m φ_m + α_n φ_n − α_z φ_z‖² = ‖α_m‖² + ‖α_n‖² + 2κ α_m·α_n − ‖α_z‖²
//
// For parallel weights the best h and the loss depend only on the ratio ‖α_m‖/‖α_n‖ ≤ 1 and on κ, so they are tabulated
// once. The table contains the square root of the loss relative to the lighter weight: near κ = 1 the loss itself is a
// difference of nearly equal numbers, while its root is a smooth function that vanishes like −log κ.
// Wang, Crammer, Vucetic: JMLR 13 (2012), section 6.3; tabulated: Glasmachers, Qaadan: 2018.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "simd/merge_search.hpp"

namespace kinglet {

// Weights of two terms: ‖α_m‖², ‖α_n‖², α_m·α_n.
struct MergeWeights {
  double m = 0;
  double n = 0;
  double product = 0;
};

// The shares u and v of the two terms in the merged one, from log κ. Learners compute them in single precision, as
// their coefficients are stored (MergeShares in budget/merge_terms.hpp).
struct ExactShares {
  double u = 0;
  double v = 0;
};
inline ExactShares exact_shares(double log_kappa, double h) {
  return {.u = std::exp((1 - h) * (1 - h) * log_kappa), .v = std::exp(h * h * log_kappa)};
}

// loss(h) of the formula above, computed without cancellation.
double merge_loss(const MergeWeights& weights, double kappa, double h);

// The h ∈ [0, 1] with the smallest loss, by search in double precision.
double best_merge_place(const MergeWeights& weights, double kappa);

class MergeTable {
 public:
  static const MergeTable& instance();

  simd::MergeGrid grid() const { return {loss_.data(), place_.data(), kRatios, kKappas}; }
  // h* for parallel weights.
  double place(double ratio, double kappa) const;
  // The square root of the relative loss for parallel weights.
  double root_loss(double ratio, double kappa) const;

 private:
  static constexpr std::size_t kRatios = 33;
  static constexpr std::size_t kKappas = 129;

  MergeTable();
  double interpolate(const std::vector<float>& table, double ratio, double kappa) const;

  std::vector<float> loss_;
  std::vector<float> place_;
};

}  // namespace kinglet
