// The registry entry of a whole learner: one that is not a combination of an update rule and a budget rule. Each file
// of src/dual and src/newton, and src/committee/committee.cpp, declares one.
#pragma once

#include <memory>
#include <string>

#include "core/learner.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {

struct LearnerEntry {
  Entry entry;
  std::unique_ptr<Learner> (*make)(const Options& options, const Shape& shape) = nullptr;
  bool bounded = false;        // whether it has a budget
  bool keeps_examples = true;  // whether it keeps examples, which a second pass would count twice
  bool learns_metric = false;  // whether it has the option `metric`: Learner::gradient_squares()
  // Whether `metric` is `learned` by default, where it can be (metric_incompatibility()).
  bool prefers_metric = false;
  bool squared_loss = false;  // regression: errors of any size count, so it does not take `epsilon`
  bool adds_up = false;       // whether models that learned from one start add up (kinglet/mix.hpp)
  // Whether it takes the options of rules, too, and passes them on to learners inside it (src/committee).
  bool passes_on = false;
  // Replaces `auto` in complete options where it follows from other options; null: nothing to do.
  void (*settle)(const Options& given, Options& full) = nullptr;
  // Why the learner cannot be combined with these complete options; null or empty if it can.
  Message (*incompatibility)(const Options& options) = nullptr;
  // A warning about complete options that are allowed but work badly; null or empty: none.
  Message (*advice)(const Options& options) = nullptr;
  // Memory in bytes with a full budget; null if it has no budget and grows with the stream.
  std::size_t (*memory)(const Options& options, const Shape& shape) = nullptr;
  // The largest budget within a memory limit, where it is not simply the largest with which `memory` is within it; 0:
  // none.
  std::int64_t (*largest_budget)(const Options& options, const Shape& shape, std::uint64_t limit) = nullptr;
  // Why this program can load its models but not learn with it; null or an empty string: it can learn.
  std::string (*unavailable)() = nullptr;
};

}  // namespace kinglet
