// Sums of vectors in double precision. Every entry is computed in the same way, so results do not depend on the
// alignment or capacity of a vector.
#pragma once

#include <cstddef>

namespace kinglet {

// y ← y + a x
inline void add_scaled(double a, const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

inline double dot(const double* x, const double* y, std::size_t n) {
  double sums[4] = {};  // four at a time hide the latency of an addition
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += x[i + k] * y[i + k];
  }
  for (; i < n; ++i) sums[i % 4] += x[i] * y[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace kinglet
