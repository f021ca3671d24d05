// A term Σ_c a_c k(x, ·) that a budget rule is asked to place into an expansion.
#pragma once

#include <cstdint>
#include <span>

#include "kinglet/example.hpp"

namespace kinglet {

struct Term {
  Features x;
  // k(x_j, x) for the support vectors, padded to whole blocks of 16. It does not follow changes of the expansion: after
  // append() it lacks the new slot, after any other change of the vectors it is out of date.
  const float* kernel_row = nullptr;
  double self_kernel = 1;                // k(x, x)
  std::span<const double> coefficients;  // a_c, true values: not divided by the scale of the expansion
  double step = 1;                       // coefficients = step · u, where u is the direction of the task
  double margin = 0;                     // margin of the example before the step
  ClassId label = 0;                     // class of the example; 1 where the task has no classes
  // f(x) in stored units, if it is known. It is valid while the expansion has this number of edits and this scale.
  const float* scores = nullptr;
  std::uint64_t edits = 0;
  double scale = 1;
};

}  // namespace kinglet
