// Ways to choose the term to remove, shared by several budget rules. Ties go to the oldest.
#pragma once

#include <algorithm>
#include <cstddef>

#include "expansion/expansion.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet {

inline std::size_t oldest_of(const Expansion& f) {
  return static_cast<std::size_t>(std::min_element(f.births(), f.births() + f.size()) - f.births());
}

inline std::size_t newest_of(const Expansion& f) {
  return static_cast<std::size_t>(std::max_element(f.births(), f.births() + f.size()) - f.births());
}

// The term of smallest size ‖α_p‖² k(x_p, x_p).
inline std::size_t smallest_of(const Expansion& f) { return simd::smallest(f.sizes(), f.births(), f.size()); }

}  // namespace kinglet
