// Options and checks shared by dual learners (src/dual), which solve a dual problem over examples that they keep.
#pragma once

#include <cstddef>

#include "core/learner_entry.hpp"

namespace kinglet {

OptionSpec box_option();  // C
OptionSpec tolerance_option();
OptionSpec cache_option();  // memory for kernel rows
std::size_t cache_bytes(const Options& options);
// For learners that learn at the end of a pass: they have no scores to choose queries by or to calibrate probabilities
// on.
Message late_incompatibility(const Options& options);
// For all of them: they learn classes, and a dual problem has a solution only if the kernel is positive definite.
Message dual_incompatibility(const Options& options);

}  // namespace kinglet
