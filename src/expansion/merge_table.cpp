#include "expansion/merge_table.hpp"

#include <algorithm>
#include <cmath>

namespace kinglet {
namespace {

// Below κ = e⁻² the loss may have two minima, one near each end.
const double kTwoMinima = std::exp(-2.0);
// Weights that are not parallel but do not point apart: orthogonal ones behave like parallel ones at κ².
const double kOneMinimum = std::exp(-1.0);

// Parallel weights, ratio = ‖α_m‖/‖α_n‖ ≤ 1. The stationary points satisfy
//   log(h/(1−h)) = log ratio + (1−2h) log κ,
// and the one nearest to the heavier vector (h = 0) is the best. Above e⁻² it is the only one and Newton's method finds
// it; below, iterating from 0 climbs to the first one.
double parallel_place(double ratio, double kappa) {
  if (ratio <= 0 || kappa <= 0) return 0;
  const double log_ratio = std::log(ratio);
  const double log_kappa = std::log(kappa);
  double h = kappa > kTwoMinima ? ratio / (1 + ratio) : 0;
  for (int i = 0; i < 200; ++i) {
    double next = 0;
    if (kappa > kTwoMinima) {
      const double slope = 1 / (h * (1 - h)) + 2 * log_kappa;
      next = h - (std::log(h / (1 - h)) - log_ratio - (1 - 2 * h) * log_kappa) / slope;
      next = std::clamp(next, h / 2, (1 + h) / 2);
    } else {
      next = 1 / (1 + std::exp(-log_ratio - (1 - 2 * h) * log_kappa));
    }
    const bool done = std::abs(next - h) < 1e-12;
    h = next;
    if (done) break;
  }
  return h;
}

constexpr double kPlaceTolerance = 1e-4;  // the loss is flat around its minimum

// Half the slope of ‖α_z(h)‖² over −2 log κ:  A(1−h) u² + P(1−2h) uv − B h v²  for weights A, B and product P.
double slope(const MergeWeights& weights, double log_kappa, double h) {
  const auto [u, v] = exact_shares(log_kappa, h);
  return weights.m * (1 - h) * u * u + weights.product * (1 - 2 * h) * u * v - weights.n * h * v * v;
}

// The zero of the slope between low, where it is positive, and high, where it is negative: regula falsi with the
// Illinois rule.
double falling_zero(const MergeWeights& weights, double log_kappa, double low, double high) {
  double at_low = slope(weights, log_kappa, low);
  double at_high = slope(weights, log_kappa, high);
  int side = 0;
  double h = low;
  for (int i = 0; i < 40 && high - low > kPlaceTolerance; ++i) {
    const double next = (low * at_high - high * at_low) / (at_high - at_low);
    if (std::abs(next - h) < kPlaceTolerance) return next;
    h = next;
    const double here = slope(weights, log_kappa, h);
    if (here > 0) {
      low = h;
      at_low = here;
      if (side == 1) at_high /= 2;
      side = 1;
    } else {
      high = h;
      at_high = here;
      if (side == -1) at_low /= 2;
      side = -1;
    }
  }
  return h;
}

}  // namespace

double merge_loss(const MergeWeights& weights, double kappa, double h) {
  if (kappa <= 0) return h == 0 ? weights.m : h == 1 ? weights.n : weights.m + weights.n;
  const double log_kappa = std::log(kappa);
  const double to_m = (1 - h) * (1 - h) * log_kappa;  // log u
  const double to_n = h * h * log_kappa;              // log v
  // 1 − u², 1 − v² and κ − uv = uv (κ^{2h(1−h)} − 1)
  return -weights.m * std::expm1(2 * to_m) - weights.n * std::expm1(2 * to_n) +
         2 * weights.product * std::exp(to_m + to_n) * std::expm1(2 * h * (1 - h) * log_kappa);
}

double best_merge_place(const MergeWeights& weights, double kappa) {
  double best = weights.m <= weights.n ? 0 : 1;
  const bool parallel = weights.product * weights.product >= (1 - 1e-6) * weights.m * weights.n;
  // For opposite weights the stationary point leaves [0, 1]: one of the two is projected on the other.
  if (parallel && weights.product <= 0) return best;
  if (!parallel && weights.product >= 0 && kappa > kOneMinimum) {
    const double log_kappa = std::log(kappa);
    const bool nearer_to_n = slope(weights, log_kappa, 0.5) <= 0;
    return nearer_to_n ? falling_zero(weights, log_kappa, 0, 0.5) : falling_zero(weights, log_kappa, 0.5, 1);
  }
  double least = merge_loss(weights, kappa, best);
  const auto consider = [&](double h) {
    const double loss = merge_loss(weights, kappa, h);
    if (loss < least) {
      least = loss;
      best = h;
    }
  };
  if (parallel) {
    const bool m_is_lighter = weights.m <= weights.n;
    const double ratio = std::sqrt(m_is_lighter ? weights.m / weights.n : weights.n / weights.m);
    const double h = parallel_place(ratio, kappa);
    consider(m_is_lighter ? h : 1 - h);
  } else {
    const double log_kappa = std::log(std::max(kappa, 1e-300));
    const double middle = slope(weights, log_kappa, 0.5);
    if (slope(weights, log_kappa, 0) > 0 && middle < 0) consider(falling_zero(weights, log_kappa, 0, 0.5));
    if (middle > 0 && slope(weights, log_kappa, 1) < 0) consider(falling_zero(weights, log_kappa, 0.5, 1));
    if (middle == 0) consider(0.5);
  }
  return best;
}

const MergeTable& MergeTable::instance() {
  static const MergeTable table;
  return table;
}

MergeTable::MergeTable() : loss_(kRatios * kKappas), place_(kRatios * kKappas) {
  for (std::size_t r = 0; r < kRatios; ++r) {
    const double ratio = static_cast<double>(r) / (kRatios - 1);
    for (std::size_t k = 0; k < kKappas; ++k) {
      const double kappa = static_cast<double>(k) / (kKappas - 1);
      float& loss = loss_[r * kKappas + k];
      float& place = place_[r * kKappas + k];
      if (r == 0) {
        // A vanishing weight next to x_n: what neither φ_n nor its derivative towards x_m can express.
        const double missing = kappa == 0 ? 1 : -std::expm1(2 * std::log(kappa)) + 2 * kappa * kappa * std::log(kappa);
        loss = static_cast<float>(std::sqrt(std::max(0.0, missing)));
        place = 0;
        continue;
      }
      const MergeWeights weights{ratio * ratio, 1, ratio};
      const double h = parallel_place(ratio, kappa);
      loss = static_cast<float>(std::sqrt(std::max(0.0, merge_loss(weights, kappa, h))) / ratio);
      place = static_cast<float>(h);
    }
  }
}

double MergeTable::interpolate(const std::vector<float>& table, double ratio, double kappa) const {
  const double r = std::clamp(ratio, 0.0, 1.0) * (kRatios - 1);
  const double k = std::clamp(kappa, 0.0, 1.0) * (kKappas - 1);
  const auto r0 = std::min(static_cast<std::size_t>(r), kRatios - 2);
  const auto k0 = std::min(static_cast<std::size_t>(k), kKappas - 2);
  const double tr = r - static_cast<double>(r0);
  const double tk = k - static_cast<double>(k0);
  const float* at = &table[r0 * kKappas + k0];
  const double low = at[0] + tk * (at[1] - at[0]);
  const double high = at[kKappas] + tk * (at[kKappas + 1] - at[kKappas]);
  return low + tr * (high - low);
}

double MergeTable::place(double ratio, double kappa) const {
  // Where two minima compete h jumps, and between the grid's points it would be neither.
  if (kappa < kTwoMinima + 1.0 / kKappas) return parallel_place(ratio, kappa);
  return interpolate(place_, ratio, kappa);
}

double MergeTable::root_loss(double ratio, double kappa) const { return interpolate(loss_, ratio, kappa); }

}  // namespace kinglet
