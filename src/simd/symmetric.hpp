// Symmetric matrices in double precision. Only the part on and above the diagonal is stored, which halves the memory
// traffic. Column c begins `stride` after the previous one and contains rows 0 … c, rounded up to a multiple of 8 rows.
// So the 8 × 8 blocks on the diagonal are complete, and no loop has a remainder.
//
// n is a multiple of 8, and so is the stride; all arrays are 64-byte aligned and have n entries.
#pragma once

#include <cstddef>

namespace kinglet::simd {

inline constexpr std::size_t kSymmetricBlock = 8;

template <class Number>
struct SymmetricView {
  Number* columns = nullptr;
  std::size_t stride = 0;
  std::size_t n = 0;
};
using Symmetric = SymmetricView<double>;
using ConstSymmetric = SymmetricView<const double>;

// out = A x
void multiply(const ConstSymmetric& a, const double* x, double* out);
// A ← A + weight u uᵀ
void add_square(const Symmetric& a, double weight, const double* u);
// A ← A + weight u uᵀ + other_weight v vᵀ
void add_squares(const Symmetric& a, double weight, const double* u, double other_weight, const double* v);

}  // namespace kinglet::simd
