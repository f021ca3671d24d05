// "Significantly" in the papers' statements.
#pragma once

#include "lab/statistics.hpp"

namespace kinglet {

// Larger by more than both deviations together. A single run has none, and shows nothing.
inline bool is_significant(const Summary& larger, const Summary& smaller) {
  return larger.mean - smaller.mean > larger.deviation + smaller.deviation;
}

}  // namespace kinglet
