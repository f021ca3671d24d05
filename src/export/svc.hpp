// Makes a model of a support vector machine in memory, such as one that scikit-learn has fitted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/flat_model.hpp"

namespace kinglet {

// For scikit-learn's SVC and NuSVC the members are support_vectors_, dual_coef_, intercept_, n_support_ and classes_.
// With two classes, the function is positive for the second class, as in scikit-learn and unlike LIBSVM's files.
struct SvcParts {
  Kernel kernel;
  std::vector<std::string> classes;
  std::vector<std::size_t> counts;       // number of vectors of each class; the vectors are grouped by class
  std::span<const float> vectors;        // one vector after the other
  std::span<const double> coefficients;  // k − 1 rows, each with one entry per vector
  std::span<const double> biases;        // one per pair
  std::uint32_t dimension = 0;
};

// Throws Error if the parts do not fit together.
FlatModel flat_from_svc(const SvcParts& svc);

}  // namespace kinglet
