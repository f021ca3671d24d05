// The registry entry of a dual learner, as declared by each file of src/dual: a learner that does not combine an update and
// a budget rule, but solves a dual problem over examples that it keeps.
#pragma once

#include <memory>
#include <string>

#include "core/learner.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {

struct DualEntry {
  Entry entry;
  std::unique_ptr<Learner> (*make)(const Options& options, const Shape& shape) = nullptr;
  bool bounded = false;        // whether it has a budget
  bool keeps_examples = true;  // whether it keeps examples, which a second pass would count twice
  // Why the learner cannot be combined with these complete options; null or empty if it can.
  Message (*incompatibility)(const Options& options) = nullptr;
  // Memory in bytes with a full budget; null if it has no budget and grows with the stream.
  std::size_t (*memory)(const Options& options, const Shape& shape) = nullptr;
  // Why this program can load its models but not learn with it; null or an empty string: it can learn.
  std::string (*unavailable)() = nullptr;
};

// Options and checks shared by dual learners.
OptionSpec box_option();  // C
OptionSpec tolerance_option();
OptionSpec cache_option();  // memory for kernel rows
std::size_t cache_bytes(const Options& options);
// For learners that learn at the end of a pass: they have no scores to choose queries by or to calibrate probabilities on.
Message late_incompatibility(const Options& options);
// For all of them: they learn classes, and a dual problem has a solution only if the kernel is positive definite.
Message dual_incompatibility(const Options& options);

}  // namespace kinglet
