// The margin of a support vector without its own term, as used by Crammer, Kandola and Singer (Online Classification on
// a Budget, NIPS 16, 2003).
//   two classes    y_j (f(x_j) − a_j k(x_j, x_j))
//   more classes   g_y − max_{r≠y} g_r,   g_c = f_c(x_j) − α_jc k(x_j, x_j),  y the class of x_j
// It is computed from the maintained values f(x_j) (needs_values).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "expansion/expansion.hpp"
#include "expansion/support_values.hpp"

namespace kinglet {

inline double margin_without(const Expansion& f, const SupportValues& values, std::size_t slot) {
  const double self_kernel = f.self_kernels()[slot];
  const auto score = [&](std::size_t c) { return values.value(slot, c) - f.coefficient(slot, c) * self_kernel; };
  const std::size_t label = f.labels()[slot];
  if (f.outputs() == 1) return label == 1 ? score(0) : -score(0);
  double rival = -std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < f.outputs(); ++c) {
    if (c != label && score(c) > rival) rival = score(c);
  }
  return score(label) - rival;
}

// Margins and scores that differ by no more than this count as ties, because the difference may be rounding. Ties are
// common, for example with steps of 1 or with orthogonal vectors.
inline double rounding_at(const Expansion& f, const SupportValues& values, std::size_t slot) {
  double value = 0;
  double own = 0;
  for (std::size_t c = 0; c < f.outputs(); ++c) {
    value = std::max(value, std::abs(values.value(slot, c)));
    own = std::max(own, std::abs(f.coefficient(slot, c)));
  }
  return SupportValues::kRounding * (value + own * std::abs(f.self_kernels()[slot]));
}

struct MarginOf {
  std::size_t slot = 0;
  double margin = 0;
};

// The vector with the largest such margin among those selected, at least one; ties go to the oldest.
template <class Selected>
MarginOf largest_margin_without(const Expansion& f, const SupportValues& values, Selected selected) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < f.size(); ++j) {
    if (selected(j)) largest = std::max(largest, margin_without(f, values, j));
  }
  MarginOf best{f.size(), largest};
  for (std::size_t j = 0; j < f.size(); ++j) {
    if (!selected(j)) continue;
    const double margin = margin_without(f, values, j);
    if (margin < largest && margin + rounding_at(f, values, j) < largest) continue;
    if (best.slot == f.size() || f.births()[j] < f.births()[best.slot]) best = {j, margin};
  }
  return best;
}
inline MarginOf largest_margin_without(const Expansion& f, SupportValues& values) {
  if (f.outputs() > 1) return largest_margin_without(f, values, [](std::size_t) { return true; });
  const auto best = values.best_without_help();
  return {best.slot, best.margin};
}

}  // namespace kinglet
