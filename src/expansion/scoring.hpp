// Scores of many rows, for every learner that predicts with an expansion: kernel rows are computed a block of rows at a
// time, and multiplied with the coefficients of all outputs while they are in the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/assert.hpp"
#include "core/zeroed.hpp"
#include "expansion/support_set.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet {

// Per-thread scratch buffer for `count` kernel values. It only grows, so later calls of at most that size allocate
// nothing. Memory is taken for the values that are written.
inline float* kernel_value_scratch(std::size_t count) {
  thread_local ZeroedFloats values;
  if (values.size() < count) values = ZeroedFloats(count);
  return values.data();
}

// out[i · C + c] = Σ_j coefficients[c][j] k(x_j, row i), block after block. finish(first, count, kernel_rows, stride)
// is called for every block of rows, while their kernel rows are still in the buffer. `capacity` is the number of
// vectors to make room for.
template <class Finish>
void score_rows(const SupportSet& set, const simd::Outputs& outputs, std::size_t capacity, const Rows& rows,
                std::span<float> out, Finish finish) {
  KINGLET_ASSERT(out.size() == rows.count * outputs.count);
  const std::size_t stride = std::max<std::size_t>(16, set.padded_size());
  const std::size_t block = set.block();
  float* kernel_rows = kernel_value_scratch(block * std::max(stride, capacity));
  for (std::size_t first = 0; first < rows.count; first += block) {
    const std::size_t count = std::min(block, rows.count - first);
    set.kernel_rows(rows.slice(first, count), kernel_rows, stride);
    simd::dot_outputs(kernel_rows, stride, count, outputs, set.padded_size(), &out[first * outputs.count]);
    finish(first, count, kernel_rows, stride);
  }
}

}  // namespace kinglet
