// Converts support vector machines of scikit-learn.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "registry.hpp"

namespace kinglet::python {

// A model that only predicts, from support_vectors_ (float32), dual_coef_ and intercept_ (float64). `kernel` has the
// parameters kernel, gamma, coef0 and degree.
Model model_from_svc(const OptionTexts& kernel, const std::vector<std::string>& classes,
                     const std::vector<std::size_t>& counts, nanobind::handle vectors, nanobind::handle coefficients,
                     nanobind::handle biases, const std::vector<std::string>& feature_names);

}  // namespace kinglet::python
