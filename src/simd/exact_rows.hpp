// Kernel values in double precision, for matrices that are inverted. They equal Kernel::operator() up to the last digit
// of an exponential. A value depends only on its pair of vectors, whichever of the two is the query.
#pragma once

#include <cstddef>

#include "core/kernel.hpp"

namespace kinglet::simd {

// out[v] = k(query, vector v) for the 16 vectors of one block of lanes (simd/kernel_rows.hpp), 64-byte aligned.
void exact_block(const Kernel& kernel, const float* block, std::size_t dimension, const float* query, double* out);

}  // namespace kinglet::simd
