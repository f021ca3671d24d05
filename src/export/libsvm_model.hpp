// Model files of LIBSVM, both ways.
//
// Reading: c_svc and nu_svc (two classes, or one function for each pair of more), one_class, epsilon_svr and nu_svr, with
// linear, polynomial, rbf and sigmoid kernels. Precomputed kernels are refused; probabilities (probA, probB and the density
// marks of newer versions) are left out, for labels do not depend on them.
//
// Writing: LIBSVM knows functions for pairs of classes, f_ab(x) > 0 meaning a. Where a class is the largest of k functions,
// f_ab = f_a − f_b says the same: the winner wins all of its pairs. In the file a support vector belongs to one class and
// has coefficients in the pairs of that class only, so it stands there once for each class in which its coefficient is not 0.
// Two classes are written as f_01 = −f, and more in the order of the last class first, so that ties go where they go here.
//
// Chang, Lin: LIBSVM: A Library for Support Vector Machines, ACM TIST 2 (2011).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/flat_model.hpp"

namespace kinglet {

// Whether these bytes, the first of a file, begin a model file of LIBSVM.
bool is_libsvm_model(std::string_view beginning);

// Throws Error with name:line for what is wrong or not supported.
FlatModel parse_libsvm_model(std::string_view text, const std::string& name);

// Throws Error with the reason where LIBSVM has no such model: a laplacian kernel, labels that are no whole numbers, or
// rows scaled to length 1. Vectors are in the units of range_text(), if there is one.
std::string libsvm_model_text(const FlatModel& plain);

// The scaling as svm-scale -r reads it; empty where data go in as they are.
std::string libsvm_range_text(const FlatModel& plain);

// A support vector machine as LIBSVM's relatives keep one in memory; for scikit-learn's SVC and NuSVC these are
// support_vectors_, dual_coef_, intercept_, n_support_ and classes_. Two classes have one function that is positive for the
// second class, as scikit-learn has it and not as LIBSVM's files do.
struct SvcParts {
  Kernel kernel;
  std::vector<std::string> classes;
  std::vector<std::size_t> counts;       // vectors of each class, which follow each other
  std::span<const float> vectors;        // vector after vector
  std::span<const double> coefficients;  // k − 1 rows, each with an entry for every vector
  std::span<const double> biases;        // by pair
  std::uint32_t dimension = 0;
};
FlatModel flat_from_svc(const SvcParts& svc);

}  // namespace kinglet
