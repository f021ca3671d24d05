// Rows in the form that a learner needs, in memory that is reused from block to block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kinglet/example.hpp"

namespace kinglet {

struct RowBuffer {
  std::vector<float> values;
  std::vector<float> raw;              // unscaled dense rows, if the source has them in another form
  std::vector<std::uint32_t> indices;  // sparse only
  std::vector<std::uint64_t> offsets;  // sparse only

  // Space for `count` floats with unspecified content.
  static float* room(std::vector<float>& floats, std::size_t count) {
    if (floats.size() < count) floats.resize(count);
    return floats.data();
  }
  // Starts without rows, with space for all values of these rows and `more`; and for one more, as pointers to no values
  // must not be null, which would mean dense rows.
  void begin_sparse(const Rows& rows, std::size_t more = 0) {
    const std::size_t most =
        more + (rows.is_sparse() ? rows.offsets[rows.count] - rows.offsets[0] : rows.count * rows.dimension);
    if (values.size() <= most) values.resize(most + 1);
    if (indices.size() <= most) indices.resize(most + 1);
    offsets.assign(1, 0);
  }
  Rows dense_view(std::size_t rows, std::uint32_t dimension) const {
    return {.count = rows, .dimension = dimension, .values = values.data(), .stride = dimension};
  }
  Rows sparse_view(std::uint32_t dimension) const {
    return {.count = offsets.size() - 1,
            .dimension = dimension,
            .values = values.data(),
            .indices = indices.data(),
            .offsets = offsets.data()};
  }
};

// The number of rows to process at a time: whole windows for a learner that looks ahead, but few enough for the cache,
// and fewer if they are so long that they would take much memory.
inline std::size_t rows_at_a_time(std::uint32_t dimension) {
  constexpr std::size_t kFloats = 1u << 16;
  constexpr std::size_t kMostFloats = 1u << 24;
  const std::size_t rows = std::clamp<std::size_t>(kFloats / std::max(dimension, 1u) / 64 * 64, 64, 1024);
  return std::clamp<std::size_t>(kMostFloats / std::max(dimension, 1u), 1, rows);
}

}  // namespace kinglet
