// Features of mean 0 and deviation 1 before a stream begins, as papers have them; along a stream, where nobody knows the
// data beforehand, the model does it (option `scale`). Sparse rows are not centred, so that zeros stay zeros: distances are
// the same.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

struct Standardisation {
  std::vector<float> means;    // empty for sparse rows
  std::vector<float> factors;  // 1/deviation; 1 for a feature that is the same in all rows
};

// Of the rows of a source, at most `rows` of them (0: all).
Standardisation standardisation_of(Source& source, std::uint64_t rows = 0);

// The source with each row standardised. A feature beyond those that the standardisation knows stays as it is.
std::unique_ptr<Source> standardised(std::unique_ptr<Source> source, std::shared_ptr<const Standardisation> by);

}  // namespace kinglet
