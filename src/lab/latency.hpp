// How long one prediction takes on this machine, when examples come one at a time.
#pragma once

#include <span>
#include <vector>

#include "kinglet/model.hpp"
#include "lab/dataset.hpp"
#include "lab/stream_record.hpp"

namespace kinglet {

// Seconds of single predictions, rising: of the first rows of the data, or of a sample, again and again. Takes some
// hundredths of a second, however slow the model is.
std::vector<double> prediction_seconds(const Model& model, const Dataset& data);
std::vector<double> prediction_seconds(const Model& model, const SampledExamples& sample);

// The value that `share` of the sorted values are not above (nearest rank); NaN where there are none.
double percentile(std::span<const double> sorted, double share);

}  // namespace kinglet
