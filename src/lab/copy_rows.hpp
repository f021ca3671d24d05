// Some rows of a batch as a batch of their own.
#pragma once

#include <cstddef>

#include "kinglet/source.hpp"

namespace kinglet {

// Rows [begin, begin + n) of `batch`; the caller must set new_labels.
void copy_rows(const Batch& batch, std::size_t begin, std::size_t n, Batch& out);

}  // namespace kinglet
