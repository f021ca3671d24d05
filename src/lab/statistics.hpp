// Means, deviations, and whether two learners that saw the same shuffles differ by more than chance.
#pragma once

#include <cstddef>
#include <span>

namespace kinglet {

struct Summary {
  std::size_t count = 0;
  double mean = 0;       // NaN where there is nothing
  double deviation = 0;  // of the sample (divided by count − 1); NaN below two
};

Summary summary_of(std::span<const double> numbers);

// The probability of a mean difference at least this large, either way, if there were none (Student's paired test):
// t = mean(d)·√n/deviation(d), p = I_x(ν/2, 1/2) with ν = n − 1 and x = ν/(ν + t²). NaN below two pairs; 1 where all
// pairs are equal, 0 where all differ by the same amount.
// Folds of cross-validation share most of what they learn, so their differences vary less than independent ones would:
// with `overlap` = rows tested / rows learned, t = mean(d)/(√(1/n + overlap)·deviation(d)) makes up for that (Nadeau,
// Bengio: Inference for the Generalization Error, Machine Learning 52, 2003).
double paired_t_test(std::span<const double> a, std::span<const double> b, double overlap = 0);

}  // namespace kinglet
