// What a file of src/dual declares: a learner that is no point of the grid of update and budget rules, but solves a dual
// problem over examples that it keeps.
#pragma once

#include <memory>
#include <string>

#include "core/learner.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {

struct DualEntry {
  Entry entry;
  std::unique_ptr<Learner> (*make)(const Options& options, const Shape& shape) = nullptr;
  bool bounded = false;        // takes a budget
  bool keeps_examples = true;  // whether it keeps examples, which a second pass would count twice
  // Why these complete options cannot be; null or an empty string: they can.
  std::string (*incompatibility)(const Options& options) = nullptr;
  // Bytes that it holds at its budget; null: it has none, and grows with the stream.
  std::size_t (*memory)(const Options& options, const Shape& shape) = nullptr;
  // Why this program can load its models but not learn with it; null or an empty string: it can learn.
  std::string (*unavailable)() = nullptr;
};

// Options that all of them have, and what goes with them.
OptionSpec box_option();  // C
OptionSpec tolerance_option();
OptionSpec cache_option();  // memory for kernel rows
std::size_t cache_bytes(const Options& options);
// For learners that know nothing before the end of a pass: they have no way to choose whose label to ask for, and nothing
// that probabilities could be learned from.
std::string late_refusal(const Options& options);
// A dual problem has a solution where the kernel is an inner product.
std::string dual_refusal(const Options& options);

}  // namespace kinglet
