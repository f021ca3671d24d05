// Reads and writes model files of LIBSVM (libsvm_reader.cpp, libsvm_writer.cpp).
//
// Reading: c_svc and nu_svc (two classes, or one function for each pair of classes), one_class, epsilon_svr and nu_svr,
// with linear, polynomial, rbf and sigmoid kernels. Precomputed kernels are rejected. Probabilities (probA, probB and
// the density marks of newer versions) are ignored, because labels do not depend on them.
//
// Writing: LIBSVM has one function per pair of classes; f_ab(x) > 0 means a. For a model that predicts the largest of k
// functions, f_ab = f_a − f_b is equivalent: the predicted class wins all of its pairs. In the file a support vector
// belongs to one class and has coefficients only in the pairs of that class, so it appears once for each class in which
// its coefficient is nonzero. Two classes are written as f_01 = −f, and more classes in reverse order, so that ties are
// broken as in kinglet.
//
// Chang, Lin: LIBSVM: A Library for Support Vector Machines, ACM TIST 2 (2011).
#pragma once

#include <string>
#include <string_view>

#include "learn/flat_model.hpp"

namespace kinglet {

// Whether a file that begins with these bytes is a LIBSVM model.
bool is_libsvm_model(std::string_view beginning);

// Throws Error with name:line if the file is invalid or not supported.
FlatModel parse_libsvm_model(std::string_view text, const std::string& name);

// Throws Error if LIBSVM cannot represent the model: a laplacian kernel, labels that are not integers, or rows scaled
// to length 1. Vectors are in the units of range_text(), if there is one.
std::string libsvm_model_text(const FlatModel& plain);

// The scaling in the format of svm-scale -r; empty if data are not scaled.
std::string libsvm_range_text(const FlatModel& plain);

}  // namespace kinglet
