#include "learn/make_learner.hpp"

#include "learn/additive_learner.hpp"
#include "learn/fixed_learner.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet {

std::unique_ptr<Learner> make_learner(const Options& options, const Shape& shape) {
  if (is_fixed(options)) return std::make_unique<FixedLearner>(options, shape);
  if (const LearnerEntry* whole = learner_entry(options)) return whole->make(options, shape);
  return std::make_unique<AdditiveLearner>(options, shape);
}

std::size_t learner_memory(const Options& options, const Shape& shape) {
  if (is_fixed(options)) return 0;  // no more than its file says
  if (const LearnerEntry* whole = learner_entry(options))
    return whole->memory == nullptr ? 0 : whole->memory(options, shape);
  return AdditiveLearner::bytes(options, shape);
}

}  // namespace kinglet
