// Tests that run over all pairs of rules take one pair in eleven where the sanitizers make every one many times as slow: each
// update rule and each budget rule is among them all the same.
#pragma once

#include <cstddef>

namespace kinglet {

inline bool is_sampled([[maybe_unused]] std::size_t index) {
#if KINGLET_SMALL_TILES
  return index % 11 == 0;
#else
  return true;
#endif
}

}  // namespace kinglet
