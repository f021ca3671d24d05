// Measures the time of single predictions on this machine.
#pragma once

#include <span>
#include <vector>

#include "kinglet/model.hpp"
#include "lab/dataset.hpp"
#include "lab/stream_record.hpp"

namespace kinglet {

// The times of single predictions in seconds, sorted, measured repeatedly on the first rows of the data or on a sample.
// Takes a few hundredths of a second, however slow the model is.
std::vector<double> prediction_seconds(const Model& model, const Dataset& data);
std::vector<double> prediction_seconds(const Model& model, const SampledExamples& sample);

// The quantile `share` of sorted values (nearest rank); NaN if there are none.
double percentile(std::span<const double> sorted, double share);

}  // namespace kinglet
