// Evaluation against a count by hand.
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
  EXPECT_TRUE(std::isnan(result.precision(1)));
}

TEST(Evaluation, CountsValuesThatTrainingNeverSaw) {
  EXPECT_EQ(of("a 1:-3 5:1\nb 1:3\n").ignored_values, 1u);
  EXPECT_EQ(of("a 1:-3\n").ignored_values, 0u);
}

TEST(Evaluation, WantsALabelForEachRow) {
  const Model model = two_heaps();
  const auto source = read_memory("1\n2\n", {.format = Format::csv, .label_column = "none"});
  EXPECT_THROW(evaluate(model, *source, 1, [] { return false; }), Error);
}

}  // namespace
}  // namespace kinglet
