// Metrics compared with values computed by hand.
#include "lab/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "data/text_source.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr const char* kTwoHeaps = "a 1:-3\nb 1:3\na 1:-2.5\nb 1:2.5\na 1:-3.5\nb 1:3.5\na 1:-2\nb 1:2\n";

Model two_heaps() {
  Model model({{"budget", "10"}, {"scale", "none"}, {"gamma", "0.5"}});
  const auto source = read_memory(kTwoHeaps, {});
  Batch batch;
  while (source->next(batch)) model.learn(batch);
  return model;
}

Evaluation of(const std::string& text) {
  const Model model = two_heaps();
  const auto source = read_memory(text, {});
  return evaluate(model, *source, 1, [] { return false; });
}

TEST(Evaluation, CountsWhoWasTakenForWhom) {
  const Evaluation result = of("a 1:-3\na 1:3\nb 1:3\nb 1:3\nb 1:-3\n");
  EXPECT_EQ(result.labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(result.confusion, (std::vector<std::uint64_t>{1, 1, 1, 2}));
  EXPECT_EQ(result.examples, 5u);
  EXPECT_DOUBLE_EQ(result.accuracy(), 0.6);
  EXPECT_DOUBLE_EQ(result.precision(0), 0.5);
  EXPECT_DOUBLE_EQ(result.recall(1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(result.majority_error(), 0.4);
}

TEST(Evaluation, CountsUnknownLabelsAsErrors) {
  const Evaluation result = of("c 1:-3\na 1:-3\nc 1:3\nd 1:3\n");
  EXPECT_EQ(result.unknown, (std::map<std::string, std::uint64_t>{{"c", 2}, {"d", 1}}));
  EXPECT_DOUBLE_EQ(result.accuracy(), 0.25);
  EXPECT_DOUBLE_EQ(result.majority_error(), 0.5);
  EXPECT_TRUE(std::isnan(result.recall(1)));
  EXPECT_DOUBLE_EQ(result.precision(0), 0.5) << "a was predicted for one a and one c";
  EXPECT_DOUBLE_EQ(result.precision(1), 0.0) << "b was predicted for a c and a d";
}

TEST(Evaluation, WeighsClassesEquallyInBalancedAccuracyAndF1) {
  const Evaluation result = of("a 1:-3\na 1:3\nb 1:3\nb 1:3\nb 1:-3\n");
  EXPECT_DOUBLE_EQ(result.balanced_accuracy(), (1.0 / 2 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(result.f1(0), 2.0 * 1 / (2 + 2));
  EXPECT_DOUBLE_EQ(result.f1(1), 2.0 * 2 / (3 + 3));
  EXPECT_EQ(result.positive(), 1u);
  EXPECT_DOUBLE_EQ(result.f1(), result.f1(1)) << "of the second class";
}

TEST(Evaluation, CountsAnUnknownLabelAsAClassThatIsNeverRight) {
  const Evaluation result = of("a 1:-3\nb 1:3\nc 1:3\n");
  EXPECT_DOUBLE_EQ(result.balanced_accuracy(), 2.0 / 3);
  Evaluation three;
  three.labels = {"a", "b", "c", "d"};  // no example is a d, and none is taken for one
  three.confusion = {3, 1, 0, 0, 0, 2, 2, 0, 0, 0, 4, 0, 0, 0, 0, 0};
  EXPECT_FALSE(three.positive());
  EXPECT_DOUBLE_EQ(three.f1(), (6.0 / 7 + 4.0 / 7 + 8.0 / 10) / 3);
  EXPECT_DOUBLE_EQ(three.balanced_accuracy(), (3.0 / 4 + 2.0 / 4 + 1) / 3);
  three.unknown["e"] = 5;
  EXPECT_DOUBLE_EQ(three.f1(), (6.0 / 7 + 4.0 / 7 + 8.0 / 10) / 4);
  EXPECT_TRUE(std::isnan(three.f1(3)));
}

TEST(Evaluation, FillsTheRankingWithTheScoresOfKnownLabels) {
  const Model model = two_heaps();
  const auto source = read_memory("a 1:-3\na 1:3\nb 1:3\nb 1:3\nc 1:-3\n", {});
  Ranking ranking(2);
  evaluate(model, *source, 1, [] { return false; }, {}, {.ranking = &ranking});
  EXPECT_DOUBLE_EQ(ranking.auc(), (1 + 1 + 0.5 + 0.5) / 4);
}

TEST(Evaluation, CountsValuesThatTrainingNeverSaw) {
  EXPECT_EQ(of("a 1:-3 5:1\nb 1:3\n").ignored_values, 1u);
  EXPECT_EQ(of("a 1:-3\n").ignored_values, 0u);
}

// A regression model that has learned y = 2x.
Model doubling() {
  Model model({{"task", "regress"},
               {"update", "pa"},
               {"kernel", "linear"},
               {"maintain", "stop"},
               {"scale", "none"},
               {"target-scale", "none"},
               {"epsilon", "0"}});
  const auto source = read_memory("2 1:1\n4 1:2\n-2 1:-1\n", {.numeric_labels = true});
  Batch batch;
  while (source->next(batch)) model.learn(batch);
  return model;
}

TEST(Evaluation, MeasuresTheErrorsOfNumbers) {
  const Model model = doubling();
  const auto source = read_memory("2 1:1\n5 1:2\n0 1:1\n-3 1:-1\n", {.numeric_labels = true});
  const Evaluation result = evaluate(model, *source, 1, [] { return false; });
  EXPECT_EQ(result.examples, 4u);
  EXPECT_NEAR(result.rmse(), std::sqrt((0 + 1 + 4 + 1) / 4.0), 1e-6);
  EXPECT_NEAR(result.mae(), (0 + 1 + 2 + 1) / 4.0, 1e-6);
  EXPECT_NEAR(result.r2(), 1 - 6.0 / (1 + 16 + 1 + 16), 1e-6);  // the mean of the labels is 1
  EXPECT_NEAR(result.baseline_rmse(), std::sqrt(34 / 4.0), 1e-9);
}

TEST(Evaluation, OfEqualNumbersHasNoShareOfTheVariance) {
  const Model model = doubling();
  const auto source = read_memory("2 1:1\n2 1:1\n", {.numeric_labels = true});
  const Evaluation result = evaluate(model, *source, 1, [] { return false; });
  EXPECT_TRUE(std::isnan(result.r2()));
  EXPECT_NEAR(result.rmse(), 0, 1e-6);
}

TEST(Evaluation, OfNumbersWantsThem) {
  const Model model = doubling();
  const auto source = read_memory("1\n2\n", {.format = Format::csv, .label_column = "none", .numeric_labels = true});
  EXPECT_THROW(evaluate(model, *source, 1, [] { return false; }), Error);
}

TEST(Evaluation, OfNoveltiesCountsThemAsClasses) {
  Model model({{"task", "novelty"}, {"lambda", "0.01"}, {"budget", "50"}});
  Batch batch;
  const auto stream = open_source("gen:ring?n=20000", {});
  while (stream->next(batch)) model.learn(batch);
  const auto test = open_source("gen:ring?n=2000&seed=2", {});
  const Evaluation result = evaluate(model, *test, 1, [] { return false; });
  EXPECT_EQ(result.labels, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(result.positive(), 0u);
  EXPECT_EQ(result.actual(0) + result.actual(1), 2000u);
  EXPECT_EQ(result.predicted(0) + result.predicted(1), 2000u);
  const auto unlabelled = read_memory("1,0\n0,1\n9,9\n", {.format = Format::csv, .label_column = "none"});
  const Evaluation normal = evaluate(model, *unlabelled, 1, [] { return false; });
  EXPECT_EQ(normal.actual(1), 3u);
  EXPECT_EQ(normal.predicted(0), 1u);
}

TEST(Evaluation, WantsALabelForEachRow) {
  const Model model = two_heaps();
  const auto source = read_memory("1\n2\n", {.format = Format::csv, .label_column = "none"});
  EXPECT_THROW(evaluate(model, *source, 1, [] { return false; }), Error);
}

}  // namespace
}  // namespace kinglet
