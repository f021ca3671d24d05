// Upper triangular matrices U in single precision, for the square root of a covariance, S = U Uᵀ
// (span/square_root.hpp).
//
// Layout: blocks of 16 × 16, of which those on and above the diagonal are stored, panel after panel: panel J has the
// columns 16 J … 16 J + 15 of the block rows 0 … J. Inside a block the columns follow each other, 16 floats each. So
// little more than half of the matrix is stored, more columns are appended at the end, and no loop has a remainder.
// Entries below the diagonal, rows and columns from n on are zero. All arrays are 64-byte aligned.
#pragma once

#include <cstddef>

namespace kinglet::simd {

inline constexpr std::size_t kTriangleBlock = 16;

template <class Number>
struct TriangleView {
  Number* blocks = nullptr;
  std::size_t n = 0;

  // Where block (row, panel) begins, for row ≤ panel; offset(0, p) is the size of a matrix of p panels.
  static constexpr std::size_t offset(std::size_t row, std::size_t panel) {
    return kTriangleBlock * kTriangleBlock * (panel * (panel + 1) / 2 + row);
  }
  // How far a block is from the one in the same row of the next panel.
  static constexpr std::size_t panel_step(std::size_t panel) { return offset(0, panel + 1) - offset(0, panel); }
  Number* block(std::size_t row, std::size_t panel) const { return blocks + offset(row, panel); }
  std::size_t panels() const { return (n + kTriangleBlock - 1) / kTriangleBlock; }
};
using Triangle = TriangleView<float>;
using ConstTriangle = TriangleView<const float>;

// Rows of numbers at a stride; row q is the array rows[order[q]].
struct RowList {
  const float* rows = nullptr;
  std::size_t stride = 0;
  const std::size_t* order = nullptr;
  std::size_t count = 0;

  const float* operator[](std::size_t q) const { return rows + order[q] * stride; }
};

// out[q · out_stride + j] = Σ_i U_ij x_q[i] for j < n, and 0 up to the end of the block. The x have n entries, rounded
// up to whole blocks with finite numbers. A result depends only on U and its own x, to the last bit, not on the other
// rows.
void multiply_transposed(const ConstTriangle& u, const RowList& x, float* out, std::size_t out_stride);
// out[q · out_stride + i] = Σ_j U_ij x_q[j], up to the end of the block.
void multiply(const ConstTriangle& u, const float* x, std::size_t x_stride, std::size_t count, float* out,
              std::size_t out_stride);

// U ← U C, where the upper triangular C has C Cᵀ = I − A (R + AᵀA)⁻¹ Aᵀ: the square root after `count` ≤ kMostRotated
// observations with the whitened directions A = (a_1 … a_count), a_i = Uᵀk_i, and the noise R = diag(r). Column after
// column, with A_j the j-th row of A, G_0 = R and B_0 = 0:
//   y_j = G_{j−1}⁻¹ A_jᵀ,  d_j = 1 + A_j y_j,   U_j ← (U_j − B_{j−1} y_j)/√d_j,   B_j = B_{j−1} + U_j A_j,
//   G_j = G_{j−1} + A_jᵀA_j
// With one observation this is Carlson's square root filter. All d_j are ≥ 1, so nothing cancels that matters, and U Uᵀ
// stays positive definite. `scratch` has room for rotation_room(n, count) floats.
inline constexpr std::size_t kMostRotated = 64;
constexpr std::size_t rotation_room(std::size_t n, std::size_t count) {
  const auto whole = [](std::size_t of) { return (of + kTriangleBlock - 1) / kTriangleBlock; };
  return whole(count) * (2 * kTriangleBlock + 1) * whole(n) * kTriangleBlock;
}
void rotate(const Triangle& u, const float* a, std::size_t stride, const double* noise, std::size_t count,
            float* scratch);

// to[j] ← to[j] + Σ_i weights[i] rows[i · stride + j] for j < n; n is a multiple of 16. The order depends only on
// `count`.
void add_rows(const float* weights, std::size_t count, const float* rows, std::size_t stride, std::size_t n, float* to);

}  // namespace kinglet::simd
