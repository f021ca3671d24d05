// The memory of a learner follows the terms that it has, up to the bound that it states for its budget.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/registry_entries.hpp"
#include "random_vectors.hpp"
#include "resident_memory.hpp"

namespace kinglet {
namespace {

// A rule with which nearly every example becomes a support vector.
Options options_for(const std::string& maintain, std::size_t budget) {
  Options options{{"maintain", maintain}, {"budget", std::to_string(budget)}, {"gamma", "5"}, {"update", "pegasos"}};
  if (maintain == "projectron++") {
    options.set("update", "perceptron");
    options.set("margin", "0.99");
  }
  return complete_options(options);
}

TEST(LearnerMemory, FollowsTheTermsAndNotTheBudget) {
#if KINGLET_SMALL_TILES
  GTEST_SKIP() << "sanitizers keep memory that was freed";
#endif
  constexpr std::size_t kRows = 500;
  constexpr std::size_t kSlack = std::size_t{4} << 20;  // of the heap, and of whole pages
  const Shape shape{.dimension = 8, .classes = 3};
  Random random(5);
  const Vectors x = random_vectors(random, kRows, shape.dimension);
  for (const Entry* rule : budget_rules()) {
    if (rule->name == "none") continue;
    // A rule with a matrix has a budget for which that takes some tens of megabytes.
    const bool linear = learner_memory(options_for(rule->name, 100'000), shape) < (std::size_t{1} << 30);
    const Options options = options_for(rule->name, linear ? 1'000'000 : 4'000);
    const std::size_t bound = learner_memory(options, shape);
    ASSERT_GT(bound, std::size_t{32} << 20) << rule->name;
    const std::size_t before = resident_bytes();
    const auto learner = make_learner(options, shape);
    for (std::size_t i = 0; i < x.size(); ++i) {
      learner->learn({Features::dense(x[i]), static_cast<ClassId>(random.below(3)), 1});
    }
    const std::size_t taken = resident_bytes() - std::min(before, resident_bytes());
    EXPECT_EQ(learner->stats().memory_bytes, bound) << rule->name;
    EXPECT_LT(taken, 2 * learner_memory(options_for(rule->name, kRows), shape) + kSlack) << rule->name;
  }
}

}  // namespace
}  // namespace kinglet
