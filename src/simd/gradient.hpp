// The gradient of a weighted sum of radial kernels with respect to the query.
#pragma once

#include <cstddef>

#include "simd/kernel_rows.hpp"

namespace kinglet::simd {

// out[f] = Σ_j weights[j] (x[f] − x_j[f]) for each feature; `weights` is padded with zeros to whole blocks and aligned.
void weighted_differences(const LaneView& vectors, const float* weights, const float* x, float* out);
// out[f] = Σ_j weights[j] sign(x[f] − x_j[f]), where sign(0) = 0.
void weighted_signs(const LaneView& vectors, const float* weights, const float* x, float* out);

}  // namespace kinglet::simd
