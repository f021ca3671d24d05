// Sums of outer products of kernel rows in double precision, for statistics that add up across models
// (span/span_sums.hpp).
//
// Layout of a symmetric sum: blocks of 8 columns, of which the rows 0 … up to the end of the block are stored, block
// after block; inside a block each group of 8 rows has its 8 columns one after the other, 8 doubles each. So little
// more than half of the matrix is stored, and more columns are appended at the end. n is a multiple of 8; all arrays
// are 64-byte aligned.
//
// Every entry is a sum in the order of the rows, so it does not matter how they are divided into calls.
#pragma once

#include <cstddef>

namespace kinglet::simd {

inline constexpr std::size_t kOuterBlock = 8;

// The number of doubles of a symmetric sum of n columns.
constexpr std::size_t outer_sum_size(std::size_t n) {
  const std::size_t blocks = (n + kOuterBlock - 1) / kOuterBlock;
  return kOuterBlock * kOuterBlock * (blocks * (blocks + 1) / 2);
}
// Where entry (row, column) is, for row ≤ column.
constexpr std::size_t outer_sum_place(std::size_t row, std::size_t column) {
  const std::size_t panel = column / kOuterBlock;
  const std::size_t group = panel * (panel + 1) / 2 + row / kOuterBlock;
  return (group * kOuterBlock + column % kOuterBlock) * kOuterBlock + row % kOuterBlock;
}

// Rows of n doubles side by side, with room for `capacity` of them: 8 entries of each row follow one another, so that
// what is needed together is together in memory.
struct RowPanel {
  const double* values = nullptr;
  std::size_t capacity = 0;
  std::size_t count = 0;
  std::size_t n = 0;

  const double* block(std::size_t first) const { return values + first * capacity; }  // entries from `first` on
};
constexpr std::size_t row_panel_place(std::size_t row, std::size_t entry, std::size_t capacity) {
  return (entry / kOuterBlock * capacity + row) * kOuterBlock + entry % kOuterBlock;
}

// sums ← sums + Σ_q left_q right_qᵀ; only the part that is stored.
void add_outer(const RowPanel& left, const RowPanel& right, double* sums);
// to[j] ← to[j] + Σ_q weights[q · weight_stride] rows_q[j] for j < n
void add_weighted(const double* weights, std::size_t weight_stride, const RowPanel& rows, double* to);

}  // namespace kinglet::simd
