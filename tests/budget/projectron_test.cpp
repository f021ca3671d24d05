// Projectron and Projectron++ compared with the formulas of the paper, with dense solves in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "budget/rule_at_work.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"

namespace kinglet {
namespace {

Options options_of(const std::string& rule, std::size_t budget, const std::string& threshold) {
  return {{"update", "perceptron"}, {"maintain", rule}, {"budget", std::to_string(budget)}, {"threshold", threshold}};
}

TEST(Projectron, AgreesWithThePaper) {
  for (const std::string rule : {"projectron", "projectron++"}) {
    for (const std::size_t outputs : {1U, 4U}) {
      for (const std::size_t budget : {1U, 4U, 15U}) {
        for (const double threshold : {0.05, 0.5}) {
          const std::uint32_t dimension = budget == 4 ? 11 : 3;
          RuleAtWork work(options_of(rule, budget, std::to_string(threshold)), gaussian(0.15), dimension, outputs);
          Random random(budget + outputs);
          const Vectors probes = random_vectors(random, 20, dimension);
          int absorbed = 0, doubtful = 0;
          for (int i = 0; i < 80; ++i) {
            const std::vector<float> x = random_vector(random, dimension);
            const std::vector<double> weights = random_step(random, outputs, 1);
            PlainModel expected = work.plain();
            const auto slots = expected.all();
            const double residual = expected.residual(x, slots);
            const bool near = residual <= threshold * threshold;
            const bool full = slots.size() == budget;
            const bool forced = work.place(x, weights);
            if (std::abs(residual - threshold * threshold) < 1e-6) {
              ++doubtful;
              continue;
            }
            EXPECT_EQ(forced, full && !near);
            if (near || full) {
              expected.add(weights, expected.shares(x, slots), slots);
              ++absorbed;
            } else {
              expected.terms.push_back({x, weights, 0});
            }
            ASSERT_EQ(work.f().size(), expected.terms.size());
            ASSERT_LE(work.error(expected, probes), 1e-4) << rule << ' ' << outputs << ' ' << budget << ' ' << i;
          }
          EXPECT_GT(absorbed, 10);
          EXPECT_LT(doubtful, 3);
        }
      }
    }
  }
}

std::vector<std::size_t> slots_of_class(const PlainModel& model, ClassId label) {
  std::vector<std::size_t> slots;
  for (std::size_t j = 0; j < model.terms.size(); ++j) {
    if (model.terms[j].label == label) slots.push_back(j);
  }
  return slots;
}

Options within_classes(const std::string& rule, std::size_t budget, const std::string& threshold) {
  Options options = options_of(rule, budget, threshold);
  options.set("project-on", "class");
  return options;
}

TEST(Projectron, ProjectsOnTheVectorsOfTheSameClass) {
  constexpr std::uint32_t kDimension = 3;
  constexpr std::size_t kBudget = 9;
  for (const std::string rule : {"projectron", "projectron++"}) {
    for (const std::size_t outputs : {1U, 4U}) {
      RuleAtWork work(within_classes(rule, kBudget, "0.5"), gaussian(0.15), kDimension, outputs, true);
      Random random(outputs);
      const Vectors probes = random_vectors(random, 20, kDimension);
      const std::uint64_t classes = outputs == 1 ? 2 : outputs;
      int absorbed = 0;
      for (int i = 0; i < 300; ++i) {
        const std::vector<float> x = random_vector(random, kDimension);
        const std::vector<double> weights = random_step(random, outputs, 1);
        const auto label = static_cast<ClassId>(random.below(classes));
        PlainModel expected = work.plain();
        const auto slots = slots_of_class(expected, label);
        const double residual = expected.residual(x, slots);
        if (std::abs(residual - 0.25) < 1e-6) continue;
        work.place(x, weights, 1, 0, label);
        if (residual <= 0.25 || expected.terms.size() == kBudget) {
          expected.add(weights, expected.shares(x, slots), slots);
          ++absorbed;
        } else {
          expected.terms.push_back({x, weights, 0, label});
        }
        ASSERT_EQ(work.f().size(), expected.terms.size());
        ASSERT_LE(work.error(expected, probes), 1e-4) << rule << ' ' << outputs << ' ' << i;
        ASSERT_NEAR(work.squared_norm(), expected.squared_norm(), 1e-3 * expected.squared_norm());
      }
      EXPECT_GT(absorbed, 100);
    }
  }
}

// A lowered budget: the term with the smallest loss is projected on the others of its class.
TEST(Projectron, TakesOutWithinTheClass) {
  RuleAtWork work(within_classes("projectron", 12, "0.1"), gaussian(0.3), 2, 1, true);
  Random random(5);
  ClassId label = 0;
  while (work.f().size() < 12) work.place(random_vector(random, 2), {1}, 1, 0, label = 1 - label);
  const Vectors probes = random_vectors(random, 20, 2);
  while (work.f().size() > 4) {
    const PlainModel before = work.plain();
    work.rule().take_one_out(work.f(), work.random);
    double least = std::numeric_limits<double>::infinity();
    PlainModel expected = before;
    for (std::size_t p = 0; p < before.terms.size(); ++p) {
      PlainModel without = before;
      const PlainTerm out = without.terms[p];
      without.terms.erase(without.terms.begin() + static_cast<std::ptrdiff_t>(p));
      const auto slots = slots_of_class(without, out.label);
      const double loss = out.squared() * without.residual(out.x, slots);
      if (loss >= least) continue;
      least = loss;
      without.add(out.weights, without.shares(out.x, slots), slots);
      expected = without;
    }
    ASSERT_LE(work.error(expected, probes), 1e-4);
    ASSERT_NEAR(work.squared_norm(), expected.squared_norm(), 1e-3 * expected.squared_norm());
  }
}

TEST(Projectron, NeedsClassesToProjectWithinThem) {
  Options options = within_classes("projectron", 12, "0.1");
  options.set("update", "ogd");
  EXPECT_NO_THROW(complete_options(options));
  options.set("task", "regress");
  EXPECT_THROW(complete_options(options), Error);
  options.set("project-on", "all");
  EXPECT_NO_THROW(complete_options(options));
}

TEST(Projectron, LosesNoVector) {
  RuleAtWork work(options_of("projectron", 6, "0.1"), gaussian(0.5), 2);
  Random random(2);
  Vectors first;
  for (int i = 0; i < 200; ++i) {
    work.place(random_vector(random, 2), random_step(random, 1, 1));
    const auto terms = work.plain().terms;
    for (std::size_t j = 0; j < first.size(); ++j) ASSERT_EQ(terms[j].x, first[j]);
    if (terms.size() > first.size()) first.push_back(terms.back().x);
  }
  EXPECT_EQ(first.size(), 6U);
}

TEST(Projectron, KeepsItsInverseGoodOnceItIsFull) {
  for (const std::string rule : {"projectron", "projectron++"}) {
    RuleAtWork work(options_of(rule, 6, "0.1"), gaussian(0.5), 2);
    Random random(4);
    while (work.f().size() < 6) work.place(random_vector(random, 2, 2), {1});
    StateWriter out;
    work.rule().save(out);
    StateReader saved(out.bytes());
    StateWriter damaged;
    damaged.put(saved.get<std::uint64_t>());
    std::vector<double> values = saved.get_array<double>();
    for (std::size_t i = 0; i < 6; ++i) values[i * 7 + i] *= 1.01;
    damaged.put_array(values);
    StateReader in(damaged.bytes());
    work.rule().load(in);
    // The rule checks its inverse once in 64 calls. These calls leave f as it is: terms of weight 0, or margin errors
    // too far from the span to learn from.
    for (int i = 0; i < 64; ++i) {
      if (rule == "projectron") {
        work.place(random_vector(random, 2), {0});
      } else {
        EXPECT_FALSE(work.on_margin_error({9, 9}, {1}, 0.5));
      }
    }
    PlainModel expected = work.plain();
    const std::vector<float> x = random_vector(random, 2);
    expected.add({1}, expected.shares(x, expected.all()), expected.all());
    work.place(x, {1});
    EXPECT_LE(work.error(expected, random_vectors(random, 20, 2)), 1e-5) << rule;
  }
}

TEST(Projectron, ProjectsDuplicatesWhateverTheThreshold) {
  RuleAtWork work(options_of("projectron", 10, "0"), gaussian(0.5), 2);
  for (int i = 0; i < 50; ++i) work.place({0.3F, -0.4F * (1 + 1e-7F * static_cast<float>(i))}, {1});
  EXPECT_EQ(work.f().size(), 1U);
  EXPECT_NEAR(work.scores({0.3F, -0.4F})[0], 50, 1e-3);
}

TEST(Projectron, LivesWithVectorsThatTheKernelCannotSee) {
  for (const std::string rule : {"projectron", "projectron++"}) {
    RuleAtWork work(options_of(rule, 2, "0.1"), {.kind = KernelKind::linear}, 2);
    EXPECT_FALSE(work.on_margin_error({0, 0}, {1}, 0.5));
    for (int i = 0; i < 5; ++i) work.place({0, 0}, {1});
    EXPECT_EQ(work.f().size(), 0U);
    work.place({1, 0}, {1});
    EXPECT_FALSE(work.on_margin_error({0, 1}, {1}, 0.5));
    EXPECT_FALSE(work.on_margin_error({0, 0}, {1}, 0.5));
    EXPECT_NEAR(work.scores({1, 0})[0], 1, 1e-6);
  }
}

double squared_distance(const PlainModel& f, const PlainModel& g) {
  return f.squared_norm() - 2 * f.inner(g) + g.squared_norm();
}

TEST(ProjectronPlusPlus, LearnsFromMarginErrorsAsThePaperSays) {
  for (const std::size_t outputs : {1U, 4U}) {
    const double squared = outputs == 1 ? 1 : 2;  // ‖u‖²
    for (const double threshold : {0.2, 0.9}) {
      RuleAtWork work(options_of("projectron++", 20, std::to_string(threshold)), gaussian(0.1), 3, outputs);
      Random random(outputs);
      const Vectors probes = random_vectors(random, 20, 3);
      int learned = 0, limited = 0, left_alone = 0;
      for (int i = 0; i < 400; ++i) {
        const std::vector<float> x = random_vector(random, 3);
        const std::vector<double> direction = random_step(random, outputs, 1);
        const PlainModel before = work.plain();
        const std::vector<double> scores = before.scores(x);
        double margin = 0;
        for (std::size_t c = 0; c < outputs; ++c) margin += direction[c] * scores[c];
        if (margin <= 0) {
          work.place(x, direction, 1, margin);
          continue;
        }
        const auto slots = before.all();
        const double residual = before.residual(x, slots);
        const double length = squared * (1 - residual);
        const double loss = 1 - margin;
        const double within = loss - std::sqrt(squared * residual) / threshold;
        const bool changed = work.on_margin_error(x, direction, margin);
        if (std::abs(within) < 1e-5 || std::abs(loss) < 1e-5) continue;
        ASSERT_EQ(changed, within > 0) << margin;
        PlainModel expected = before;
        if (changed) {
          const double step = std::min({loss / length, 2 * within / length, 1.0});
          std::vector<double> weights = direction;
          for (double& weight : weights) weight *= step;
          expected.add(weights, expected.shares(x, slots), slots);
          ++learned;
          limited += 2 * within < loss ? 1 : 0;
        } else {
          ++left_alone;
        }
        ASSERT_LE(work.error(expected, probes), 1e-4);
        // The step must not move f away from a model of norm at most 1/η with a margin of 1 at x. `good` is the one
        // with the smallest norm, 1/‖u‖.
        PlainModel good(gaussian(0.1), outputs);
        std::vector<double> weights = direction;
        for (double& weight : weights) weight /= squared;
        good.terms.push_back({x, weights, 0});
        ASSERT_LE(squared_distance(expected, good), squared_distance(before, good) + 1e-9);
        // The step does not raise the margin above 1.
        double after = 0;
        for (std::size_t c = 0; c < outputs; ++c) after += direction[c] * work.scores(x)[c];
        ASSERT_LE(after, std::max(1.0, margin) + 1e-4);
      }
      EXPECT_GT(learned, 20) << outputs << ' ' << threshold;
      EXPECT_GT(limited, 0) << outputs << ' ' << threshold;
      EXPECT_GT(left_alone, 5) << outputs << ' ' << threshold;
    }
  }
}

TEST(ProjectronPlusPlus, LearnsNothingFromExamplesOfNoWeight) {
  const auto learner = make_learner(complete_options({{"update", "perceptron"},
                                                      {"maintain", "projectron++"},
                                                      {"budget", "10"},
                                                      {"gamma", "0.1"},
                                                      {"threshold", "0.5"}}),
                                    {.dimension = 2, .classes = 2});
  const std::vector<float> x{0.1F, 0.2F};
  std::vector<float> score(1);
  learner->learn({Features::dense(x), 1, 0.5F});  // the margin of x is now ½
  learner->scores(RowBlock({x}).rows(), score);
  ASSERT_NEAR(score[0], 0.5F, 1e-6F);
  // A step is at most the weight of the example, and does not raise the margin above 1.
  const std::vector<std::pair<float, float>> weights_and_gains{{0.0F, 0.0F}, {0.1F, 0.1F}, {1.0F, 0.4F}};
  for (const auto& [weight, gain] : weights_and_gains) {
    const float before = score[0];
    learner->learn({Features::dense(x), 1, weight});
    learner->scores(RowBlock({x}).rows(), score);
    EXPECT_NEAR(score[0] - before, gain, 1e-5F) << weight;
  }
  EXPECT_EQ(learner->stats().support_vectors, 1U);
}

TEST(ProjectronPlusPlus, GoesWithRulesThatLearnFromMistakes) {
  for (const Entry* update : update_rules()) {
    const Options options{{"update", update->name}, {"maintain", "projectron++"}};
    if (update->name == "perceptron" || update->name == "mira") {
      EXPECT_NO_THROW(complete_options(options));
    } else {
      EXPECT_THROW(complete_options(options), Error) << update->name;
    }
    EXPECT_NO_THROW(complete_options({{"update", update->name}, {"maintain", "projectron"}}));
  }
  EXPECT_NO_THROW(complete_options({{"update", "perceptron"}, {"maintain", "projectron"}, {"output", "average"}}));
  EXPECT_THROW(complete_options(options_of("projectron++", 5, "0")), Error);
}

}  // namespace
}  // namespace kinglet
