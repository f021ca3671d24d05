// The steps of compression besides the refit (compress.hpp), one file each.
#pragma once

#include "export/compress_problem.hpp"

namespace kinglet::compression {

// Step 1, by merging; Gaussian kernel only (compress_merge.cpp).
Reduced merged_vectors(const Problem& problem, std::size_t budget);
// Step 1, by choosing (compress_choose.cpp).
Reduced chosen_vectors(const Problem& problem, std::size_t budget);
// Step 3: moves the vectors, and the coefficients with them; Gaussian kernel only (compress_move.cpp).
void move_vectors(const Problem& problem, Reduced& r);

}  // namespace kinglet::compression
