// A symmetric matrix that grows and shrinks by its last row and column; only one half is stored (simd/symmetric.hpp).
// `size` is the number of rows in use; the rest of the last block of 8 is zero. Input arrays are padded: 64-byte
// aligned, with zeros up to the next multiple of 8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/aligned.hpp"
#include "core/zeroed.hpp"
#include "simd/symmetric.hpp"

namespace kinglet {

class SymmetricMatrix {
 public:
  SymmetricMatrix() = default;
  explicit SymmetricMatrix(std::size_t capacity) { reserve(capacity, 0); }

  static std::size_t padded(std::size_t size) { return round_up(size, simd::kSymmetricBlock); }
  template <class Doubles>
  static void pad(Doubles& values, std::size_t size) {
    std::fill(values.data() + size, values.data() + padded(size), 0.0);
  }

  void reserve(std::size_t capacity, std::size_t size) {
    if (padded(capacity) <= stride_) return;
    SymmetricMatrix wider;
    wider.stride_ = padded(capacity);
    wider.values_ = ZeroedDoubles(wider.stride_ * wider.stride_);
    for (std::size_t c = 0; c < padded(size); ++c) std::copy_n(column(c), block_end(c), wider.column(c));
    *this = std::move(wider);
  }
  std::size_t stride() const { return stride_; }
  std::size_t memory_bytes() const { return values_.size() * sizeof(double); }
  static std::size_t bytes(std::size_t capacity) { return padded(capacity) * padded(capacity) * sizeof(double); }

  double* data() { return values_.data(); }
  const double* column(std::size_t c) const { return values_.data() + c * stride_; }
  double at(std::size_t i, std::size_t j) const { return column(std::max(i, j))[std::min(i, j)]; }

  void copy_column(std::size_t c, std::size_t size, double* out) const {
    const std::size_t contiguous = std::min(size, block_end(c));
    std::copy_n(column(c), contiguous, out);
    for (std::size_t i = contiguous; i < size; ++i) out[i] = column(i)[c];
  }
  // Sets a column and the row that mirrors it.
  void set_column(std::size_t c, std::size_t size, const double* values) {
    std::copy_n(values, std::min(size, block_end(c)), column(c));
    for (std::size_t i = block_begin(c); i < size; ++i) column(i)[c] = values[i];
  }
  // Makes room for one more row and column of zeros.
  void append_zeros(std::size_t size) {
    for (std::size_t c = size; c < block_end(size); ++c) clear_column(c);
  }
  // The last row and column replace others. `scratch` must have room for `size`.
  void remove(std::size_t c, std::size_t size, double* scratch) {
    const std::size_t last = size - 1;
    if (c != last) {
      copy_column(last, size, scratch);
      scratch[c] = scratch[last];
      set_column(c, last, scratch);
    }
    clear_column(last);
  }
  // Copies the upper half of the blocks on the diagonal to the lower half.
  void mirror_blocks(std::size_t size) {
    for (std::size_t c = 0; c < size; ++c) {
      for (std::size_t i = c + 1; i < std::min(size, block_end(c)); ++i) column(c)[i] = column(i)[c];
    }
  }
  // Rows up to the diagonal, whose number is that of the column.
  void set_upper_column(std::size_t c, const double* values) { std::copy_n(values, c + 1, column(c)); }

  void multiply(std::size_t size, const double* x, double* out) const {  // out = A x; its end is zeros
    simd::multiply({values_.data(), stride_, padded(size)}, x, out);
    std::fill(out + size, out + padded(size), 0.0);
  }
  void add_square(std::size_t size, double weight, const double* u) {  // A ← A + weight u uᵀ
    simd::add_square({values_.data(), stride_, padded(size)}, weight, u);
  }
  void add_squares(std::size_t size, double weight, const double* u, double other_weight, const double* v) {
    simd::add_squares({values_.data(), stride_, padded(size)}, weight, u, other_weight, v);
  }

 private:
  static std::size_t block_begin(std::size_t c) { return c / simd::kSymmetricBlock * simd::kSymmetricBlock; }
  static std::size_t block_end(std::size_t c) { return block_begin(c) + simd::kSymmetricBlock; }
  double* column(std::size_t c) { return values_.data() + c * stride_; }
  void clear_column(std::size_t c) {
    std::fill_n(column(c), block_end(c), 0.0);
    for (std::size_t i = block_begin(c); i < block_end(c); ++i) column(i)[c] = 0;
  }

  std::size_t stride_ = 0;
  ZeroedDoubles values_;
};

}  // namespace kinglet
