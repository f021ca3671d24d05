// What the blocks that show a model have in common: names, ranges of plots, and what they ask of support vectors.
#pragma once

#include <string>
#include <vector>

#include "kinglet/model.hpp"

namespace kinglet::report {

// The name of feature i, or its number if `names` does not have it.
std::string feature_name(const std::vector<std::string>& names, std::size_t i);
// The labels; for novelty detection, what the two sides mean.
std::vector<std::string> class_names(const Model& model);

// The range of most values, with a margin around it.
struct Range {
  double low = 0;
  double high = 1;
};
Range range_of(std::vector<double> values);
// The range of all values, or of most of them if a few are far away.
Range range_of_all(std::vector<double> values);
bool holds(const Range& range, double value);

// The class that a support vector supports; −1 for regression.
int class_of(const SupportVector& vector, TaskKind task);
// Its coefficient, or with several outputs the norm of its coefficients.
double coefficient_of(const SupportVector& vector);

// A batch of dense rows without labels.
Batch rows_of(std::vector<float> values, std::uint32_t dimension);

}  // namespace kinglet::report
