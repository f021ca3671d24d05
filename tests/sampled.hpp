// Sampling for tests that run over all pairs of an update rule and a budget rule, or over many large data sets. Under
// the sanitizers, which are many times slower, such tests run only one case in eleven. These pairs still include every
// update rule and every budget rule that works with all update rules.
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
