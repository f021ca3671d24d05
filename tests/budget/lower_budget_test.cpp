// A budget that is lowered while learning goes on: every rule has its way of making f smaller.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/state.hpp"
#include "error_of.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/registry_entries.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

std::string state_of(const Learner& learner) {
  StateWriter out;
  learner.save(out);
  return out.bytes();
}

std::unique_ptr<Learner> with_state(const Options& options, const Shape& shape, const std::string& state) {
  auto learner = make_learner(options, shape);
  StateReader in(state);
  learner->load(in);
  EXPECT_TRUE(in.at_end());
  return learner;
}

struct Setting {
  std::string update;
  std::string maintain;
  std::string kernel;
  Options with(std::size_t budget) const {
    Options options{{"update", update}, {"maintain", maintain}, {"kernel", kernel}, {"budget", std::to_string(budget)}};
    if (kernel != "linear") options.set("gamma", "0.5");
    if (update == "mp") options.set("radius", "3");
    return complete_options(options);
  }
};

std::vector<Setting> settings() {
  std::vector<Setting> list;
  for (const char* update : {"pegasos", "perceptron", "mp"}) {
    for (const Entry* maintain : budget_rules()) {
      for (const char* kernel : {"rbf", "linear", "poly"}) {
        if (maintain->name == "none") continue;
        const Setting setting{update, maintain->name, kernel};
        if (error_of([&] { setting.with(20); }).empty()) list.push_back(setting);
      }
    }
  }
  return list;
}

void learn(Learner& learner, const Vectors& x, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const auto label = static_cast<ClassId>(i * i % 7 % learner.classes());
    learner.learn({Features::dense(x[i]), label, 1});
  }
}

TEST(LowerBudget, LeavesEveryRuleWithTheStateOfASmallerOneThatGoesOn) {
  Random random(7);
  const Vectors x = random_vectors(random, 400, 5);
  for (const Setting& setting : settings()) {
    for (const std::uint32_t classes : {2U, 3U}) {
      for (const std::size_t budget : {19, 12, 1}) {
        const std::string what = setting.update + " " + setting.maintain + " " + setting.kernel;
        const Shape shape{.dimension = 5, .classes = classes};
        const auto learner = make_learner(setting.with(20), shape);
        learn(*learner, x, 0, 200);
        const std::size_t before = learner->stats().support_vectors;
        ASSERT_TRUE(learner->can_lower_budget());
        learner->lower_budget(budget);
        const std::string state = state_of(*learner);
        const auto smaller = with_state(setting.with(budget), shape, state);
        EXPECT_EQ(smaller->stats().support_vectors, std::min(before, budget)) << what;
        EXPECT_EQ(state_of(*smaller), state) << what;
        // It goes on as one that was loaded again in between.
        learn(*smaller, x, 200, 300);
        const auto again = with_state(setting.with(budget), shape, state_of(*smaller));
        learn(*smaller, x, 300, 400);
        learn(*again, x, 300, 400);
        EXPECT_EQ(state_of(*smaller), state_of(*again)) << what;
        EXPECT_LE(smaller->stats().support_vectors, budget) << what;
        std::vector<float> scores(smaller->outputs());
        for (const auto& row : x) EXPECT_TRUE(std::isfinite(smaller->predict(Features::dense(row)).score)) << what;
      }
    }
  }
}

// Merging and projecting lose least: one term less changes f by little.
TEST(LowerBudget, LosesLittleWhereTheRuleKeepsWhatItCan) {
  Random random(8);
  const Vectors x = random_vectors(random, 300, 2);
  const Shape shape{.dimension = 2, .classes = 2};
  for (const char* rule : {"merge", "project", "bpa-p", "projectron"}) {
    const Setting setting{"perceptron", rule, "rbf"};
    const auto learner = make_learner(setting.with(40), shape);
    learn(*learner, x, 0, 300);
    const std::size_t size = learner->stats().support_vectors;
    const auto before = with_state(setting.with(40), shape, state_of(*learner));
    learner->lower_budget(size - 1);
    const auto after = with_state(setting.with(size - 1), shape, state_of(*learner));
    double change = 0;
    double whole = 0;
    for (const auto& row : x) {
      const auto score = static_cast<double>(before->predict(Features::dense(row)).score);
      change += std::abs(static_cast<double>(after->predict(Features::dense(row)).score) - score);
      whole += std::abs(score);
    }
    EXPECT_LT(change, 0.05 * whole) << rule;
  }
}

TEST(LowerBudget, IsImpossibleWithoutABudgetAndForAverages) {
  const Shape shape{.dimension = 2, .classes = 2};
  const auto can = [&](const Options& given) {
    return make_learner(complete_options(given), shape)->can_lower_budget();
  };
  EXPECT_TRUE(can({{"gamma", "1"}}));
  EXPECT_TRUE(can({{"gamma", "1"}, {"algo", "bpegasos"}}));
  EXPECT_FALSE(can({{"gamma", "1"}, {"maintain", "none"}}));
  EXPECT_FALSE(can({{"gamma", "1"}, {"update", "pegasos"}, {"maintain", "stop"}, {"output", "average"}}));
  EXPECT_FALSE(can({{"gamma", "1"}, {"algo", "tvm"}}));
  EXPECT_FALSE(can({{"gamma", "1"}, {"algo", "lasvm"}}));
}

}  // namespace
}  // namespace kinglet
