// Merges two terms with the Gaussian kernel. They are replaced by
//
//   z = h x_m + (1−h) x_n,   α_z = u α_m + v α_n,   u = k(x_m, z) = κ^((1−h)²),   v = k(x_n, z) = κ^(h²),   κ = k(x_m, x_n)
//
// whose coefficients are optimal for that z: the difference is orthogonal to k(z, ·). For the choice of h, see
// expansion/merge_table.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <utility>

#include "budget/append_then.hpp"
#include "expansion/expansion.hpp"

namespace kinglet {

// 1 − e^y for y ≤ 0, accurate to float precision also near 0.
inline double one_minus_exp(double y) {
  if (y < -1) return 1 - std::exp(y);
  double sum = 0;  // (1 − e^y)/−y, the series
  for (const double factor : {1. / 362880, 1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1.}) {
    sum = sum * y + factor;
  }
  return -y * sum;
}

// The shares u and v of the two terms in the merged one. `part` is h. They are computed in single precision, as the
// coefficients are stored.
struct MergeShares {
  MergeShares(double kappa, double h) : part(static_cast<float>(h)) {
    log_kappa = std::log2(std::max(static_cast<float>(kappa), 1e-37F));
    u = static_cast<double>(std::exp2((1 - part) * (1 - part) * log_kappa));
    v = static_cast<double>(std::exp2(part * part * log_kappa));
  }
  double operator()(float m, float n) const { return u * static_cast<double>(m) + v * static_cast<double>(n); }
  // The squared loss of merging, from ‖α_m‖², ‖α_n‖² and α_m·α_n; a fast version of merge_loss() (merge_table.hpp).
  double loss(double m, double n, double product) const {
    const auto h = static_cast<double>(part);
    const double twice = 2 * std::numbers::ln2 * static_cast<double>(log_kappa);
    return m * one_minus_exp((1 - h) * (1 - h) * twice) + n * one_minus_exp(h * h * twice) -
           2 * product * u * v * one_minus_exp(h * (1 - h) * twice);
  }

  float part = 0;
  float log_kappa = 0;
  double u = 0;
  double v = 0;
};

// Merges the terms of two slots. The merged term takes the lower slot and the older birth.
inline void merge_terms(Expansion& f, std::size_t m, std::size_t n, double kappa, double h) {
  if (m > n) {  // so that no other vector has to move where one of them is the last
    std::swap(m, n);
    h = 1 - h;
  }
  const MergeShares shares(kappa, h);
  const auto merged = [&](std::size_t c) { return storable(shares(f.stored(m, c), f.stored(n, c))); };
  double product = 0;
  for (std::size_t c = 0; c < f.outputs(); ++c) {
    merged(c);  // throws where it is out of range
    product += static_cast<double>(f.stored(m, c)) * static_cast<double>(f.stored(n, c));
  }
  const double lost = shares.loss(static_cast<double>(f.sizes()[m]), static_cast<double>(f.sizes()[n]), product);
  const std::array<PartOfTerm, 2> both{{{m, m}, {n, n}}};
  const std::array<PartOfTerm, 1> one{{{m, m}}};
  f.log().approximate({.squared_length = std::max(0.0, lost), .before = both, .after = one}, [&] {
    f.edit(m, merged);
    f.edit(n, [](std::size_t) { return 0.0F; });
    f.blend(m, n, h);
    f.remove(n);
  });
}

// The same for a term that has no slot yet: equivalent to append(term) and merge_terms(the last, n, kappa, h), but
// changes only one vector. `stored` is the result of f.stored(term); k(x, x) = 1. There is no approximate() here:
// pass() reports the loss, and if the norm is kept (wants_single_terms()), the term is appended after all.
inline void merge_in(Expansion& f, const Term& term, std::span<const float> stored, std::size_t n, double kappa,
                     double h) {
  if (f.log().wants_single_terms()) {
    return append_then(f, term, [&](std::size_t slot) { merge_terms(f, slot, n, kappa, h); });
  }
  const MergeShares shares(kappa, 1 - h);  // x_n comes first
  const auto merged = [&](std::size_t c) { return storable(shares(f.stored(n, c), stored[c])); };
  double squared = 0;
  double product = 0;
  for (std::size_t c = 0; c < f.outputs(); ++c) {
    merged(c);  // throws where it is out of range
    squared += static_cast<double>(stored[c]) * static_cast<double>(stored[c]);
    product += static_cast<double>(stored[c]) * static_cast<double>(f.stored(n, c));
  }
  f.pass(squared, shares.loss(static_cast<double>(f.sizes()[n]), squared, product));
  f.edit(n, merged);
  f.blend(n, term.x, 1 - h);
}

}  // namespace kinglet
