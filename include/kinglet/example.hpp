// Views of feature vectors. They own no memory.
//
//   Features  one vector: dense (values[i] is feature i) or sparse (values[k] is feature indices[k])
//   Rows      many vectors: dense rows at a fixed stride, or compressed sparse rows (CSR)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kinglet {

// A class: a place in Model::labels().
using ClassId = std::uint32_t;
inline constexpr ClassId kNoClass = 0xFFFFFFFF;

struct Features {
  const float* values = nullptr;
  const std::uint32_t* indices = nullptr;  // null: dense; otherwise in strictly increasing order
  std::uint32_t count = 0;                 // number of values (and indices)

  static Features dense(std::span<const float> x) { return {x.data(), nullptr, static_cast<std::uint32_t>(x.size())}; }
  static Features sparse(std::span<const std::uint32_t> indices, std::span<const float> values) {
    return {values.data(), indices.data(), static_cast<std::uint32_t>(values.size())};
  }
  bool is_sparse() const { return indices != nullptr; }
  // The highest feature that may be non-zero, plus one.
  std::uint32_t extent() const {
    if (!is_sparse()) return count;
    return count == 0 ? 0 : indices[count - 1] + 1;
  }
};

struct Rows {
  std::size_t count = 0;
  std::uint32_t dimension = 0;
  const float* values = nullptr;
  std::size_t stride = 0;                  // dense: row i starts at values + i * stride
  const std::uint32_t* indices = nullptr;  // sparse: row i is [offsets[i], offsets[i + 1])
  const std::uint64_t* offsets = nullptr;

  bool is_sparse() const { return offsets != nullptr; }
  Features operator[](std::size_t i) const {
    if (!is_sparse()) return {values + i * stride, nullptr, dimension};
    const auto begin = offsets[i];
    return {values + begin, indices + begin, static_cast<std::uint32_t>(offsets[i + 1] - begin)};
  }
  Rows slice(std::size_t begin, std::size_t n) const {
    if (is_sparse()) return {n, dimension, values, stride, indices, offsets + begin};
    return {n, dimension, values + begin * stride, stride, nullptr, nullptr};
  }
};

}  // namespace kinglet
