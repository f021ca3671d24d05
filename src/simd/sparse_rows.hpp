// Kernel values of sparse rows against vectors in the lane layout (kernel_rows.hpp). A row visits only the features
// that it lists: B vectors and n listed features take B · n multiply-adds, whatever the dimension is.
//
// A kernel value depends only on its pair of vectors, as in kernel_rows.hpp: features are added in increasing order, a
// feature that is 0 in one of the two adds nothing, and every step treats the two alike.
//
// Gaussian distances are ‖x‖² + ‖z‖² − 2 x·z. Where the norms are so large that single precision loses too many digits
// (2γ x·z > kSafeExponent or γ(‖x‖²+‖z‖²) > kSafeNormExponent), the pair is computed again in double precision. The
// relative error of a value stays below 1e-5 (2e-5 for values between 1e-20 and 1e-15).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/kernel.hpp"
#include "simd/kernel_rows.hpp"

namespace kinglet::simd {

// Higher than kSafeExponent, which limits 2γ x·z here: only sums of many products lose that many digits.
inline constexpr double kSafeNormExponent = 32;

struct SparseRowView {
  const float* values = nullptr;
  const std::uint32_t* indices = nullptr;  // increasing in each row, and below the dimension of the vectors
  const std::uint64_t* offsets = nullptr;  // row q is [offsets[q], offsets[q + 1])
  const double* norms = nullptr;           // ‖x‖² of every row (sparse_norm)
  std::size_t count = 0;
};

// ‖x‖², independent of zeros in the list.
double sparse_norm(const Features& x);

// out[q · out_stride + v] = k(row q, vector v) for all vectors, padding included; `out` as for kernel_block(). `norms`
// are ‖z‖² in double precision, padded like vectors.norms, which are the same numbers in single precision. All kernels
// except laplacian.
void sparse_block(const Kernel& kernel, const LaneView& vectors, const double* norms, const SparseRowView& rows,
                  float* out, std::size_t out_stride);
// The same for some blocks of 16 vectors, given by their first vectors.
void sparse_blocks(const Kernel& kernel, const LaneView& vectors, const double* norms,
                   std::span<const std::size_t> starts, const SparseRowView& rows, float* out, std::size_t out_stride);

}  // namespace kinglet::simd
