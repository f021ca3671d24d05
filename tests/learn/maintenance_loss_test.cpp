// The budget maintenance loss (LearnerStats::maintenance_loss) compared with its definition in double precision: the
// norm of f + term − f' divided by the norm of the term, where f and f' are the functions before and after each step.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "kinglet/registry.hpp"
#include "learn/additive_learner.hpp"
#include "learn/registry_entries.hpp"
#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

constexpr double kGamma = 0.5;
constexpr double kLambda = 0.01;

struct Losses {
  double told = 0;  // reported by the learner
  double mean = 0;  // computed from the definition, like `most`
  double most = 0;
  int steps = 0;
};

// Options for Pegasos, which shrinks f and takes ever smaller steps, or for the margin perceptron, whose steps are all
// equal.
Options options_for(const std::string& update, const std::string& maintain, const std::string& budget = "12") {
  Options options{
      {"update", update}, {"maintain", maintain}, {"budget", budget}, {"gamma", std::to_string(kGamma)}, {"seed", "3"}};
  if (update == "pegasos") options.set("lambda", std::to_string(kLambda));
  return complete_options(options);
}

Losses watch(const Options& options, std::uint32_t classes, std::uint64_t seed, int examples = 400) {
  AdditiveLearner learner(options, {.dimension = 2, .classes = classes});
  Random random(seed);
  Losses losses;
  for (int t = 1; t <= examples; ++t) {
    const auto x = random_vector(random, 2);
    const auto label = static_cast<ClassId>(random.below(classes));
    PlainModel expected = plain(learner.expansion());
    const LearnerStats before = learner.stats();
    const std::vector<double> scores = expected.scores(x);
    learner.learn({Features::dense(x), label});
    if (learner.stats().maintenance == before.maintenance) continue;
    const bool pegasos = options.text("update") == "pegasos";
    const double step = pegasos ? 1 / (kLambda * t) : 1;
    PlainTerm term{x, std::vector<double>(expected.outputs(), 0.0)};
    if (classes == 2) {
      term.weights[0] = label == 1 ? step : -step;
    } else {
      term.weights[label] = step;
      term.weights[PlainModel::rival(scores, label)] = -step;
    }
    if (pegasos) expected.scale(1 - 1.0 / t);
    expected.terms.push_back(term);
    PlainModel after = plain(learner.expansion());
    after.scale(-1);
    expected.terms.insert(expected.terms.end(), after.terms.begin(), after.terms.end());
    const double loss = std::sqrt(std::max(0.0, expected.squared_norm()) / expected.size(term));
    losses.mean += loss;
    losses.most = std::max(losses.most, loss);
    ++losses.steps;
  }
  losses.mean /= losses.steps;
  losses.told = learner.stats().maintenance_loss;
  return losses;
}

// The budget rules that make one removal, merge or projection for each new term once the budget is full. Those that
// rescale what stays announce no loss, and a rule that decides itself how many vectors there are may remove any number
// of them. projectron++ also learns where the update rule does not, so its steps are not those of watch().
std::vector<std::string> rules_that_lose_one_term_at_a_time() {
  std::vector<std::string> names;
  for (const BudgetRuleEntry* rule : budget_rule_entries()) {
    const std::string& name = rule->entry.name;
    if (rule->bounded && !rule->rescales && !rule->sizes_itself && name != "projectron++") names.push_back(name);
  }
  return names;
}

TEST(MaintenanceLoss, IsTheLengthOfWhatIsTakenAway) {
  EXPECT_GE(rules_that_lose_one_term_at_a_time().size(), 13U);
  for (const std::string& maintain : rules_that_lose_one_term_at_a_time()) {
    for (const char* update : {"pegasos", "mp"}) {
      for (const std::uint32_t classes : {2U, 3U}) {
        for (const std::uint64_t seed : {1U, 2U}) {
          const Losses losses = watch(options_for(update, maintain), classes, seed);
          EXPECT_GT(losses.steps, 100);
          EXPECT_NEAR(losses.told, losses.mean, 1e-3 * losses.mean)
              << update << '+' << maintain << ", " << classes << " classes";
        }
      }
    }
  }
}

// With both rules, all terms have the same weight at any time. So removing a term loses exactly as much as the step
// adds.
TEST(MaintenanceLoss, OfRemovalIsAllThatAStepAdds) {
  for (const std::uint32_t classes : {2U, 3U}) {
    for (const char* update : {"pegasos", "mp"}) {
      const Losses losses = watch(options_for(update, "smallest"), classes, 5);
      EXPECT_NEAR(losses.told, 1, 1e-5);
      EXPECT_NEAR(losses.most, 1, 1e-5);
    }
  }
}

TEST(MaintenanceLoss, OfMergingAndProjectingIsLessThanThatOfRemoval) {
  for (const std::uint32_t classes : {2U, 3U}) {
    for (const char* maintain : {"merge", "project"}) {
      const Losses losses = watch(options_for("pegasos", maintain), classes, 7);
      EXPECT_LE(losses.most, 1 + 1e-5) << maintain;
      EXPECT_LT(losses.told, 0.8) << maintain;
    }
  }
}

TEST(MaintenanceLoss, OfSeveralTermsAtOnceIsNoLessThanTheLengthOfTheirSum) {
  Options options = options_for("pegasos", "merge");
  options.set("merge-pairs", "4");
  for (const std::uint32_t classes : {2U, 3U}) {
    const Losses losses = watch(options, classes, 9);
    EXPECT_GE(losses.told, (1 - 1e-3) * losses.mean);
    EXPECT_LT(losses.told, 3 * losses.mean);
  }
}

TEST(MaintenanceLoss, IsNotKnownOfRulesThatRescaleWhatStays) {
  for (const char* maintain : {"bogd", "bogd++", "forget"}) {
    EXPECT_TRUE(std::isnan(watch(options_for("mp", maintain), 2, 1).told)) << maintain;
  }
  EXPECT_TRUE(std::isnan(watch(options_for("mp", "merge", "500"), 2, 1, 100).told)) << "before the first step";
}

// Vectors in the span of the others, up to the option `dependence`, are projected before the budget is full, too.
TEST(MaintenanceLoss, CountsWhatIsAbsorbedBeforeTheBudgetIsFull) {
  for (const char* maintain : {"project", "bpa-p"}) {
    Options options = options_for("mp", maintain, "500");
    const Losses exact = watch(options, 2, 4, 300);
    options.set("dependence", "0.05");
    const Losses rough = watch(options, 2, 4, 300);
    EXPECT_GT(rough.steps, 100) << maintain;
    EXPECT_GT(rough.mean, 1e-3) << maintain;
    EXPECT_NEAR(rough.told, rough.mean, 1e-3 * rough.mean) << maintain;
    EXPECT_LE(rough.most, std::sqrt(0.05) * (1 + 1e-3)) << maintain;
    EXPECT_LT(exact.steps, rough.steps) << maintain << ": a smaller dependence gives a larger model";
  }
}

TEST(MaintenanceLoss, IsKeptInTheState) {
  const Options options = options_for("pegasos", "merge");
  const Shape shape{.dimension = 2, .classes = 2};
  AdditiveLearner learner(options, shape);
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const auto x = random_vector(random, 2);
    learner.learn({Features::dense(x), static_cast<ClassId>(random.below(2))});
  }
  StateWriter out;
  learner.save(out);
  AdditiveLearner again(options, shape);
  StateReader in(out.bytes());
  again.load(in);
  EXPECT_EQ(again.stats().maintenance_loss, learner.stats().maintenance_loss);

  // A state of format version 2 ends before the loss, which is the last 16 bytes.
  AdditiveLearner old(options, shape);
  StateReader without(std::string_view(out.bytes()).substr(0, out.bytes().size() - 16));
  old.load(without);
  EXPECT_EQ(old.stats().maintenance, learner.stats().maintenance);
  EXPECT_TRUE(std::isnan(old.stats().maintenance_loss));
}

}  // namespace
}  // namespace kinglet
