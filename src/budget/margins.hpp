// How well f would do at a support vector if that one were not a part of f: the margin that Crammer, Kandola and Singer
// choose by (Online Classification on a Budget, NIPS 16, 2003).
//   two classes    y_j (f(x_j) − a_j k(x_j, x_j))
//   more classes   g_y − max_{r≠y} g_r,   g_c = f_c(x_j) − α_jc k(x_j, x_j),  y the class of x_j
// f must keep its values at the support vectors (needs_values).
#pragma once

#include <cstddef>
#include <limits>

#include "model/expansion.hpp"

namespace kinglet {

inline double margin_without(const Expansion& f, std::size_t slot) {
  const double self_kernel = f.set().self_kernel(slot);
  const auto score = [&](std::size_t c) { return f.value(slot, c) - f.coefficient(slot, c) * self_kernel; };
  const std::size_t label = f.label(slot);
  if (f.outputs() == 1) return label == 1 ? score(0) : -score(0);
  double rival = -std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < f.outputs(); ++c) {
    if (c != label && score(c) > rival) rival = score(c);
  }
  return score(label) - rival;
}

struct MarginOf {
  std::size_t slot = 0;
  double margin = 0;
};

// The vector with the largest such margin; of equals, the oldest. f is not empty.
inline MarginOf largest_margin_without(const Expansion& f) {
  MarginOf best{0, margin_without(f, 0)};
  for (std::size_t j = 1; j < f.size(); ++j) {
    const double margin = margin_without(f, j);
    if (margin < best.margin || (margin == best.margin && f.birth(j) > f.birth(best.slot))) continue;
    best = {j, margin};
  }
  return best;
}

}  // namespace kinglet
