// Kernel values of many pairs at once: rows of queries against vectors in the lane layout.
//
// Lane layout: vectors are stored in blocks of 16, feature-major inside a block, so that 16 vectors are processed side
// by side without horizontal sums:   feature f of vector v  =  data[((v / 16) · dimension + f) · 16 + v % 16].
//
// A kernel value depends only on its pair of vectors: not on the tile it was computed in, nor on which of the two was
// the query. Learning in blocks is therefore bit for bit the same as learning one example at a time.
//
// Gaussian kernels of more than kDirectDimensions features use ‖x−z‖² = ‖x‖² + ‖z‖² − 2 x·z, one multiply-add per
// feature. Pairs whose norms are so large that this loses too many digits (γ(‖x‖²+‖z‖²) > kSafeExponent) are recomputed
// from the differences. The relative error of a value stays below 1e-5 (2e-5 for values between 1e-20 and 1e-15). Long
// sums are accumulated in runs of 64 features to limit rounding.
#pragma once

#include <cstddef>

#include "core/kernel.hpp"

namespace kinglet::simd {

inline constexpr std::size_t kLanes = 16;
inline constexpr std::size_t kDirectDimensions = 8;
inline constexpr double kSafeExponent = 16;
inline constexpr double kHopelessExponent = 1e5;  // beyond it, the error of the expanded form is of the order of 1

struct LaneView {
  const float* data = nullptr;   // 64-byte aligned
  const float* norms = nullptr;  // ‖z‖² of every vector, padded to whole blocks
  std::size_t count = 0;
  std::size_t dimension = 0;
  float largest_norm = 0;  // an upper bound of `norms`
};

// Dense rows with their squared norms.
struct RowView {
  const float* data = nullptr;
  const float* norms = nullptr;
  std::size_t count = 0;
  std::size_t stride = 0;
};

// out[q · out_stride + v] = k(row q, vector v) for all vectors, padding included: out_stride ≥ count rounded up to
// whole blocks, `out` 64-byte aligned with out_stride a multiple of 16.
void kernel_block(const Kernel& kernel, const LaneView& vectors, const RowView& rows, float* out,
                  std::size_t out_stride);

// values[i] ← exp(−gamma · values[i]), n a multiple of 16, values ≥ 0. For callers that already have the distances.
void exp_negative(double gamma, float* values, std::size_t n);

}  // namespace kinglet::simd
