// Arrays with one row for each output, `stride` numbers apart, and one number for each slot in a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

namespace kinglet {

// More room in each row.
template <class Array>
void widen_rows(Array& rows, std::size_t outputs, std::size_t old_stride, std::size_t stride) {
  Array wider(outputs * stride);
  for (std::size_t c = 0; c < outputs && old_stride > 0; ++c) {
    std::copy_n(&rows[c * old_stride], old_stride, &wider[c * stride]);
  }
  rows = std::move(wider);
}

// More rows. One output f becomes one for each class, f_0 = −f/2 and f_1 = f/2: the margin f_y − f_r is what y f was.
template <class Array>
void add_rows(Array& rows, std::size_t old_outputs, std::size_t outputs, std::size_t stride, std::size_t size) {
  Array more(outputs * stride);
  if (old_outputs == 1) {
    for (std::size_t j = 0; j < size; ++j) {
      more[j] = -rows[j] / 2;
      more[stride + j] = rows[j] / 2;
    }
  } else {
    for (std::size_t c = 0; c < old_outputs; ++c) std::copy_n(&rows[c * stride], size, &more[c * stride]);
  }
  rows = std::move(more);
}

}  // namespace kinglet
