// Scales features to mean 0 and deviation 1, or to a range, before training starts, as papers do. (To scale during
// training, use the model's option `scale`.) Sparse rows are not centred, so that zeros stay zeros, and scaling to a
// range does not centre either; centring would not change distances.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

struct Standardisation {
  std::vector<float> means;    // empty: not centred
  std::vector<float> factors;  // 1/deviation, or width/range; 1 for a constant feature
};

// Computed from the rows of a source, at most `rows` of them (0: all).
Standardisation standardisation_of(Source& source, std::uint64_t rows = 0);
// Scales every feature from its minimum and maximum to an interval of this width: 1 for [0, 1], 2 for [-1, 1].
Standardisation range_scaling_of(Source& source, double width);

// A source whose rows are standardised. Features that the standardisation does not know are not changed.
std::unique_ptr<Source> standardised(std::unique_ptr<Source> source, std::shared_ptr<const Standardisation> by);

}  // namespace kinglet
