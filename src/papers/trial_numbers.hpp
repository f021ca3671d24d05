// What cells read off a trial: a number of every measure, in the units of Published.
#pragma once

#include <array>
#include <limits>

#include "papers/paper.hpp"

namespace kinglet {

inline constexpr std::size_t kMeasures = static_cast<std::size_t>(Measure::seconds) + 1;

struct TrialNumbers {
  std::array<double, kMeasures> values{};  // by Measure
  double test_majority = 0;                // error of the most frequent class, in percent: of the test rows
  double online_majority = 0;              // and of the training rows
  double searched = std::numeric_limits<double>::quiet_NaN();  // the value found for PaperCell::searched; NaN: none

  double value(Measure measure) const { return values[static_cast<std::size_t>(measure)]; }
  double& value(Measure measure) { return values[static_cast<std::size_t>(measure)]; }
  double baseline(Measure measure) const;  // NaN if the measure has none
};

// Computes the shares that follow from others: test error and online accuracy.
void complete(TrialNumbers& numbers);

// The number of classes c in which coefficients[c] is the largest of a support vector. NaN for models with more than
// 100 support vectors, and for two classes.
double classes_of(const Model& model);

// Whole numbers are exact; others have eight digits, times four.
TrialNumbers numbers_of(const TrialOutcome& outcome, double classes);

}  // namespace kinglet
