// How long single examples take, and how to say so.
#pragma once

#include <span>
#include <vector>

#include "kinglet/model.hpp"
#include "lab/stream_record.hpp"

namespace kinglet {

// The seconds that predicting each example of the sample takes, one at a time and on one thread; ends early when
// `at_most` seconds have passed.
std::vector<double> prediction_times(const Model& model, const SampledExamples& sample, double at_most);

// The value that `share` of the sorted values are not above (nearest rank); NaN where there are none.
double percentile(std::span<const double> sorted, double share);

}  // namespace kinglet
