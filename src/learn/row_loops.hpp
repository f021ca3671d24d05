// Loops over all values of rows, shared by the statistics of features and their transform (feature_moments.cpp,
// scaler.cpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kinglet/example.hpp"
#include "learn/row_buffer.hpp"

namespace kinglet {

inline bool any_missing(const float* values, std::size_t count) {
  // In integers, so that the compiler can vectorise it.
  constexpr std::int32_t kInfinity = 0x7F800000;
  std::int32_t missing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    missing |= (std::bit_cast<std::int32_t>(values[i]) & 0x7FFFFFFF) > kInfinity ? 1 : 0;
  }
  return missing != 0;
}

// Calls body(d) with small dimensions as compile-time constants, so that loops over features are unrolled.
template <class Body>
void with_dimension(std::size_t dimension, Body body) {
  switch (dimension) {
    case 1:
      return body(std::integral_constant<std::size_t, 1>{});
    case 2:
      return body(std::integral_constant<std::size_t, 2>{});
    case 3:
      return body(std::integral_constant<std::size_t, 3>{});
    case 4:
      return body(std::integral_constant<std::size_t, 4>{});
    default:
      return body(dimension);
  }
}

// The rows in dense form with `dimension` features: the rows themselves if possible, else a copy in buffer.raw.
inline const float* as_dense(const Rows& rows, std::uint32_t dimension, RowBuffer& buffer) {
  if (!rows.is_sparse() && rows.dimension == dimension && rows.stride == dimension) return rows.values;
  float* out = RowBuffer::room(buffer.raw, rows.count * dimension);
  std::fill_n(out, rows.count * dimension, 0.0F);
  for (std::size_t i = 0; i < rows.count; ++i, out += dimension) {
    const Features row = rows[i];
    if (!row.is_sparse()) {
      std::copy_n(row.values, std::min(row.count, dimension), out);
      continue;
    }
    for (std::uint32_t k = 0; k < row.count; ++k) {
      if (row.indices[k] < dimension) out[row.indices[k]] = row.values[k];
    }
  }
  return buffer.raw.data();
}

// The same as a copy in buffer.raw, which may be changed.
inline float* copy_to_raw(const float* values, std::size_t count, RowBuffer& buffer) {
  float* raw = RowBuffer::room(buffer.raw, count);
  if (raw != values) std::copy_n(values, count, raw);
  return raw;
}

// Calls each(feature, value) for every nonzero value of a row.
template <class Each>
void for_each_value(const Features& row, Each each) {
  for (std::uint32_t k = 0; k < row.count; ++k) {
    if (row.values[k] != 0) each(row.is_sparse() ? row.indices[k] : k, row.values[k]);
  }
}

}  // namespace kinglet
