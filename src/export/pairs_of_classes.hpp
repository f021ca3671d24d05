// The coefficients of support vectors as LIBSVM and scikit-learn keep them, for one function per pair of classes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace kinglet {

// Coefficient c of a vector of class a belongs to the pair (a, c), or (a, c + 1) if c ≥ a. Coefficients are `stride`
// apart.
inline void fill_pairs(const double* given, std::size_t stride, std::size_t of_class, std::size_t classes,
                       std::span<double> row) {
  std::ranges::fill(row, 0.0);
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) {
      if (a == of_class) row[pair] = given[(b - 1) * stride];
      if (b == of_class) row[pair] = given[a * stride];
    }
  }
}

}  // namespace kinglet
