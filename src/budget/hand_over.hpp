// Replaces a term by multiples of one or two others: α_r k(x_r, ·) becomes Σ_i share_i α_r k(x_i, ·). Used by the
// budgeted passive-aggressive rules with one vector (bpa_s.cpp) or two (bpa_nn.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/assert.hpp"
#include "expansion/expansion.hpp"

namespace kinglet {

struct Heir {
  std::size_t slot = 0;
  double share = 0;
};

// Removes the term of a slot after giving its shares to the heirs, at most two. `squared_distance` is that of k(x_r, ·)
// from Σ_i share_i k(x_i, ·). Only the heirs change: O(C), besides removing.
inline void hand_over(Expansion& f, std::size_t slot, std::span<const Heir> heirs, double squared_distance) {
  KINGLET_ASSERT(heirs.size() <= 2);
  const auto sum = [&](const Heir& heir, std::size_t c) {
    return storable(static_cast<double>(f.stored(heir.slot, c)) + heir.share * static_cast<double>(f.stored(slot, c)));
  };
  std::array<PartOfTerm, 3> parts{{{slot, slot}}};
  std::size_t count = 1;
  for (const Heir& heir : heirs) {
    for (std::size_t c = 0; c < f.outputs(); ++c) sum(heir, c);  // throws where it is out of range
    parts[count++] = {slot, heir.slot, -heir.share};
  }
  const double lost = squared_weight(f, slot) * squared_distance;
  f.log().approximate({.squared_length = lost, .before = std::span(parts).first(count)}, [&] {
    for (const Heir& heir : heirs) f.edit(heir.slot, [&](std::size_t c) { return sum(heir, c); });
    f.edit(slot, [](std::size_t) { return 0.0F; });
    f.remove(slot);
  });
}

}  // namespace kinglet
