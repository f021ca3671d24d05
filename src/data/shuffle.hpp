// Returns the rows of another source in random order. A buffer is filled with the first rows; then each row that comes
// takes the place of a random one, which is returned; at the end the rest follows in random order. A buffer that holds
// all rows gives every order with the same probability. A smaller one moves a row forward by at most its size, so it
// mixes only runs that are much shorter than it is.
//
// The order depends only on the rows, the size of the buffer, the seed and the number of the pass (Source::begin_pass),
// so that a run that is resumed finds its place by reading the pass from its beginning.
#pragma once

#include <cstdint>
#include <memory>

#include "kinglet/source.hpp"

namespace kinglet {

struct ShuffleOptions {
  std::uint64_t rows = 0;  // in the buffer; 0: all
  std::uint64_t seed = 1;
  std::uint64_t memory_limit =
      UINT64_MAX;  // bytes that the buffer may take; a row takes about 100 more than its values
};

std::unique_ptr<Source> shuffle(std::unique_ptr<Source> source, const ShuffleOptions& options);

}  // namespace kinglet
