// Symmetric matrices in double precision, of which only the part on and above the diagonal is kept, which halves the
// memory to go through: column c, `stride` after the one before, holds rows 0 … c and the rest of the 8 rows that c
// belongs to. So the blocks of 8 × 8 on the diagonal are whole, and no loop has an odd end.
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
