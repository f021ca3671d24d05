// How long one prediction takes on this machine, when examples come one at a time.
#pragma once

#include <vector>

#include "kinglet/model.hpp"
#include "lab/dataset.hpp"

namespace kinglet {

// Seconds of single predictions of rows of the data, rising: the median stands in the middle. Takes some hundredths of a
// second, however slow the model is.
std::vector<double> prediction_seconds(const Model& model, const Dataset& data);

}  // namespace kinglet
