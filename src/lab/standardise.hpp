// Features of mean 0 and deviation 1, or of one range, before a stream begins, as papers have them; along a stream, where
// nobody knows the data beforehand, the model does it (option `scale`). Sparse rows are not centred, so that zeros stay
// zeros, and neither are ranges: distances are the same.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

struct Standardisation {
  std::vector<float> means;    // empty: not centred
  std::vector<float> factors;  // 1/deviation, or width/range; 1 for a feature that is the same in all rows
};

// Of the rows of a source, at most `rows` of them (0: all).
Standardisation standardisation_of(Source& source, std::uint64_t rows = 0);
// Every feature from its least to its largest value over an interval of this width: 1 for [0, 1], 2 for [-1, 1].
Standardisation range_scaling_of(Source& source, double width);

// The source with each row standardised. A feature beyond those that the standardisation knows stays as it is.
std::unique_ptr<Source> standardised(std::unique_ptr<Source> source, std::shared_ptr<const Standardisation> by);

}  // namespace kinglet
