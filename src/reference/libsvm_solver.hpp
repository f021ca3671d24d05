// LIBSVM as the solver of the batch SVM (`svm`): an independent exact reference.
// Chang, Lin: LIBSVM: A Library for Support Vector Machines, ACM Transactions on Intelligent Systems and Technology 2
// (2011).
#pragma once

#include "solver/batch_svm.hpp"

namespace kinglet {

// Makes LIBSVM the solver of `svm` in this program: to be called at the beginning of main().
void install_libsvm();

BatchSolution solve_with_libsvm(const BatchProblem& problem);

}  // namespace kinglet
