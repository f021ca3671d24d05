// Small vector operations on padded float arrays: 64-byte aligned, lengths rounded up to whole blocks of 16 (kLanes).
#pragma once

#include <cstddef>

namespace kinglet::simd {

// out[c] = Σ_j coefficients[c · stride + j] · k[j] for every output c. The order of the additions depends on n alone.
void dot_outputs(const float* k, const float* coefficients, std::size_t stride, std::size_t outputs, std::size_t n,
                 float* out);

// out[j] += Σ_c weights[c] · coefficients[c · stride + j].
void combine_outputs(const float* weights, const float* coefficients, std::size_t stride, std::size_t outputs,
                     std::size_t n, float* out);

// The smallest of values[0 … count), count ≥ 1 (the padding is not looked at).
float smallest(const float* values, std::size_t count);

// Σ x², of any alignment and length.
float squared_norm(const float* x, std::size_t n);

}  // namespace kinglet::simd
