// Small vector operations on padded float arrays: 64-byte aligned, lengths rounded up to whole blocks of 16 (kLanes).
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinglet::simd {

// out[q · outputs + c] = Σ_j coefficients[c · stride + j] · k[q · k_stride + j] for every row q and output c. The order
// of the additions depends only on n.
struct Outputs {
  const float* coefficients = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
};
void dot_outputs(const float* k, std::size_t k_stride, std::size_t rows, const Outputs& outputs, std::size_t n,
                 float* out);

// out[j] = Σ_c weights_c · coefficients[c · stride + j], with the weights of the first column of `weights`.
void combine_outputs(const Outputs& weights, const Outputs& outputs, std::size_t n, float* out);

// sums[j] ← sums[j] + weight · k[j] for j < n; n and the alignment of `sums` are arbitrary. Not fused.
void add_scaled(double weight, const float* k, std::size_t n, double* sums);
// sums[j] ← sums[j] + a · x[j] + b · z[j] in double precision. n is a multiple of 8; all arrays are 64-byte aligned.
void add_two_scaled(double a, const double* x, double b, const double* z, std::size_t n, double* sums);

// The smallest of values[0 … count), count ≥ 1.
float least(const float* values, std::size_t count);
// The position of the smallest of values[0 … count), count ≥ 1; ties go to the lowest rank.
std::size_t smallest(const float* values, const std::uint64_t* ranks, std::size_t count);

// The weighted number of correct predictions at n vectors (padded) after one term is removed from f. At vector j,
// output c becomes
//   values[c · stride + j] − coefficients[c] · k[j],
// the class with the largest value is predicted (ties go to the first; with one output, class 1 if it is ≥ 0), and it
// counts weights[class · weight_stride + j]. Values that differ by no more than rounding[j] count as equal. Returns the
// sum over j.
struct Departure {
  const float* k = nullptr;             // kernel values with the vector that is removed
  const float* coefficients = nullptr;  // coefficients of the term that is removed, one per output
  const double* values = nullptr;
  std::size_t stride = 0;
  std::size_t outputs = 0;
  const double* rounding = nullptr;
  const double* weights = nullptr;
  std::size_t weight_stride = 0;
};
double weight_of_winners(const Departure& departure, std::size_t n);

// out[j] = max_c |coefficients[c · stride + j]|; returns the largest of them. n is padded.
float largest_weights(const Outputs& outputs, std::size_t n, float* out);
// out[j] = Σ_c coefficients[c · stride + j]² · self_kernels[j], summed in double precision. n is padded.
void term_sizes(const Outputs& outputs, const double* self_kernels, std::size_t n, float* out);
// factors[j] ← min(factors[j], limit / weights[j]), weights ≥ 0; returns the largest weights[j] · factors[j]. n is
// padded.
float cap_factors(const float* weights, float limit, std::size_t n, float* factors);
// values[j] ← min(1, limit / values[j]), values ≥ 0. n is padded.
void shares_below(float limit, std::size_t n, float* values);
// values[j] ← values[j] · factors[j]. n is padded.
void multiply(const float* factors, std::size_t n, float* values);

// Σ x², for any alignment and length, summed in double precision; the same on every machine.
double squared_length(const float* x, std::size_t n);
float squared_norm(const float* x, std::size_t n);

}  // namespace kinglet::simd
