// Means, standard deviations, and a test whether two learners differ by more than chance.
#pragma once

#include <cstddef>
#include <span>

namespace kinglet {

struct Summary {
  std::size_t count = 0;
  double mean = 0;       // NaN if there are no values
  double deviation = 0;  // standard deviation of the sample (divided by count − 1); NaN below two values
};

Summary summary_of(std::span<const double> numbers);

// The two-sided p-value of Student's paired t-test for equal means: t = mean(d)·√n/deviation(d), p = I_x(ν/2, 1/2) with
// ν = n − 1 and x = ν/(ν + t²). NaN below two pairs; 1 if all pairs are equal, 0 if all differ by the same amount.
// Folds of cross-validation share most of their training rows, so their differences vary less than independent ones.
// With `overlap` = test rows / training rows, t = mean(d)/(√(1/n + overlap)·deviation(d)) corrects for this (Nadeau,
// Bengio: Inference for the Generalization Error, Machine Learning 52, 2003).
double paired_t_test(std::span<const double> a, std::span<const double> b, double overlap = 0);

}  // namespace kinglet
