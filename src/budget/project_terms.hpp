// Projections of terms on the span of the support vectors, as Σ_j shares[j] k(x_j, ·). expansion/gram_inverse.hpp finds
// the shares.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/assert.hpp"
#include "expansion/expansion.hpp"

namespace kinglet {

// α_jc ← α_jc + weight(c) · shares[j] in stored units, for all slots j but `skipped`. Only inside a compound change.
template <class Weight>
void add_shares(Expansion& f, Weight weight, std::span<const double> shares, std::size_t skipped) {
  KINGLET_ASSERT(f.log().is_in_compound_change());
  f.rewrite([&](float* coefficients) {
    const std::size_t size = f.size();
    const std::size_t stride = f.stored_outputs().stride;
    for (const bool storing : {false, true}) {  // the first round only looks, so that an Error changes nothing
      for (std::size_t c = 0; c < f.outputs(); ++c) {
        const double factor = weight(c);
        if (factor == 0) continue;
        float* a = coefficients + c * stride;
        for (std::size_t j = 0; j < size; ++j) {
          if (j == skipped) continue;
          const float sum = storable(static_cast<double>(a[j]) + factor * shares[j]);
          if (storing) a[j] = sum;
        }
      }
    }
  });
}

// Adds the projection of a new term on the support vectors, or `part` of it, 0 ≤ part ≤ 1. `length` is the squared
// length of the projection of k(x, ·); `on_all`: whether it is on all support vectors.
inline void absorb(Expansion& f, const Term& term, std::span<const double> shares, double length, double part = 1,
                   bool on_all = true) {
  f.stored(term);  // throws where a coefficient is out of range; may fold the scale
  f.log().project({.term = term, .shares = shares, .length = length, .part = part, .on_all = on_all}, [&] {
    add_shares(
        f, [&](std::size_t c) { return part * term.coefficients[c] / f.scale(); }, shares, f.size());
  });
}

// Removes a term after adding its projection on the others, Σ_{j≠slot} shares[j] k(x_j, ·). `residual` is the squared
// distance of k(x_slot, ·) from its projection; shares[slot] is not used. `on_all`: whether it is on all the others.
inline void project_out(Expansion& f, std::size_t slot, std::span<const double> shares, double residual,
                        bool on_all = true) {
  const double lost = squared_weight(f, slot) * residual;
  std::vector<PartOfTerm> parts;  // of what f loses, unless that is orthogonal to the rest of f
  for (std::size_t j = 0; j < f.size() && !on_all; ++j) {
    if (j == slot || shares[j] != 0) parts.push_back({slot, j, j == slot ? 1 : -shares[j]});
  }
  f.log().approximate({.squared_length = lost, .before = parts, .is_projection = on_all}, [&] {
    add_shares(
        f, [&](std::size_t c) { return static_cast<double>(f.stored(slot, c)); }, shares, slot);
    f.edit(slot, [](std::size_t) { return 0.0F; });
    f.remove(slot);
  });
}

}  // namespace kinglet
