// Small vector operations on padded float arrays: 64-byte aligned, lengths rounded up to whole blocks of 16 (kLanes).
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinglet::simd {

// out[q · outputs + c] = Σ_j coefficients[c · stride + j] · k[q · k_stride + j] for every row q and output c. The order of
// the additions depends on n alone.
struct Outputs {
  const float* coefficients = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
};
void dot_outputs(const float* k, std::size_t k_stride, std::size_t rows, const Outputs& outputs, std::size_t n,
                 float* out);

// out[j] = Σ_c weights[c] · coefficients[c · stride + j].
void combine_outputs(const float* weights, const Outputs& outputs, std::size_t n, float* out);

// The smallest of values[0 … count), count ≥ 1.
float least(const float* values, std::size_t count);
// Where the smallest of values[0 … count) is, count ≥ 1; of equals, the one with the lowest rank.
std::size_t smallest(const float* values, const std::uint64_t* ranks, std::size_t count);

// Σ x², of any alignment and length.
float squared_norm(const float* x, std::size_t n);

}  // namespace kinglet::simd
