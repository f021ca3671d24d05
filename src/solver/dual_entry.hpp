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
  // Why these complete options are invalid; null or an empty string if they are valid.
  std::string (*incompatibility)(const Options& options) = nullptr;
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
std::string late_refusal(const Options& options);
// A dual problem has a solution if the kernel is positive definite.
std::string dual_refusal(const Options& options);

}  // namespace kinglet
