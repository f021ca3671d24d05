// The two phases of a scouted learner.
#include "span/scouted_learner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/rows_of.hpp"
#include "span/span_test.hpp"

namespace kinglet {
namespace {

Options scouted(const Options& more = {}) {
  Options given{{"scout", "200"}};
  for (const auto& [name, value] : more.all()) given.set(name, value);
  return span_options(25, given);
}

// The span learner of the same scout that learns the whole stream, head first.
TEST(ScoutedLearner, HandsItsVectorsAndRowsOver) {
  const SpanStream stream(500, 4, 3, 1);
  const Shape shape{.dimension = 4, .classes = 3};
  ScoutedLearner learner(scouted(), shape);
  const RowBlock block(stream.x);
  const Rows rows = block.rows();
  learner.learn_batch(rows.slice(0, 199), {stream.labels.data(), 199}, {}, {});
  EXPECT_TRUE(learner.is_scouting());
  learner.learn_batch(rows.slice(199, 1), {stream.labels.data() + 199, 1}, {}, {});
  EXPECT_FALSE(learner.is_scouting());
  learner.learn_batch(rows.slice(200, 300), {stream.labels.data() + 200, 300}, {}, {});

  AdditiveLearner scout(scout_options(scouted()), shape);
  scout.learn_batch(rows.slice(0, 200), {stream.labels.data(), 200}, {}, {});
  SpanLearner span(scouted(), shape, scout.expansion().set());
  span.learn_batch(rows, stream.labels, {}, {});
  EXPECT_TRUE(span_state(*learner.span()) == span_state(span));
  EXPECT_EQ(learner.stats().examples, 500u);
}

TEST(ScoutedLearner, PredictsWithTheScoutUntilThen) {
  const SpanStream stream(150, 4, 2, 2);
  ScoutedLearner learner(scouted(), {.dimension = 4, .classes = 2});
  AdditiveLearner scout(scout_options(scouted()), {.dimension = 4, .classes = 2});
  const RowBlock block(stream.x);
  std::vector<float> before(150), expected(150);
  learner.learn_batch(block.rows(), stream.labels, stream.weights, {{}, before});
  scout.learn_batch(block.rows(), stream.labels, stream.weights, {{}, expected});
  EXPECT_EQ(before, expected);
  learner.finish();  // a pass that is shorter than the scouting
  EXPECT_FALSE(learner.is_scouting());
}

TEST(ScoutedLearner, WaitsForSupportVectors) {
  const SpanStream stream(300, 4, 2, 3);
  ScoutedLearner learner(scouted(), {.dimension = 4, .classes = 2});
  const RowBlock block(stream.x);
  std::vector<float> weights(300);
  weights[250] = 1;  // the others are only predicted
  learner.learn_batch(block.rows().slice(0, 250), {stream.labels.data(), 250}, std::span(weights).subspan(0, 250), {});
  learner.finish();
  EXPECT_TRUE(learner.is_scouting());
  learner.learn_batch(block.rows().slice(250, 50), {stream.labels.data() + 250, 50}, std::span(weights).subspan(250),
                      {});
  EXPECT_FALSE(learner.is_scouting());
}

TEST(ScoutedLearner, ResumesBitForBitInBothPhases) {
  for (const Storage storage : kStorages) {
    for (const std::uint32_t classes : {0U, 2U, 4U}) {
      const SpanStream stream(400, 4, classes, 4);
      const Options options = scouted({{"task", classes == 0 ? "regress" : "classify"}});
      const Shape shape{.dimension = 4, .classes = classes, .storage = storage};
      ScoutedLearner whole(options, shape);
      const TableRows rows(stream.x);
      const Rows all = rows.in_form(storage);
      const Targets targets = stream.targets(classes == 0);
      whole.learn_batch(all, targets, stream.weights, {});
      auto now = std::make_unique<ScoutedLearner>(options, shape);
      for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, 77}, {77, 199}, {199, 260}, {260, 400}}) {
        now->learn_batch(all.slice(begin, end - begin), targets.slice(begin, end - begin),
                         std::span(stream.weights).subspan(begin, end - begin), {});
        const std::string saved = span_state(*now);
        now = std::make_unique<ScoutedLearner>(options, shape);
        StateReader in(saved);
        now->load(in);
        EXPECT_TRUE(in.at_end());
        EXPECT_TRUE(span_state(*now) == saved);
      }
      EXPECT_TRUE(span_state(*now) == span_state(whole)) << name_of(storage) << " " << classes;
    }
  }
}

TEST(ScoutedLearner, GrowsAndLowersItsBudgetInBothPhases) {
  const SpanStream stream(400, 4, 3, 5);
  const RowBlock block(stream.x);
  for (const std::size_t learned : {100U, 300U}) {
    ScoutedLearner learner(scouted(), {.dimension = 4, .classes = 3});
    learner.learn_batch(block.rows().slice(0, learned), {stream.labels.data(), learned}, {}, {});
    learner.grow({.dimension = 6, .classes = 5});
    EXPECT_EQ(learner.outputs(), 5u);
    learner.lower_budget(10);
    const std::string saved = span_state(learner);
    ScoutedLearner small(span_options(10, {{"scout", "200"}}), {.dimension = 6, .classes = 5});
    StateReader in(saved);
    small.load(in);
    EXPECT_TRUE(in.at_end());
    EXPECT_TRUE(span_state(small) == saved);
    const std::size_t left = 400 - learned;
    Vectors wide = stream.x;
    for (auto& x : wide) x.resize(6);
    const RowBlock wide_block(wide);
    small.learn_batch(wide_block.rows().slice(learned, left), {stream.labels.data() + learned, left}, {}, {});
    EXPECT_LE(small.stats().support_vectors, 10u);
    EXPECT_FALSE(small.is_scouting());
  }
}

// The metric follows the scout: vectors and kept rows move with it. At the hand-over it is frozen.
TEST(ScoutedLearner, MovesItsRowsWithTheMetric) {
  const SpanStream stream(200, 4, 2, 7);
  ScoutedLearner learner(scouted({{"metric", "learned"}}), {.dimension = 4, .classes = 2});
  const RowBlock block(stream.x);
  learner.learn_batch(block.rows().slice(0, 150), {stream.labels.data(), 150}, {}, {});
  ASSERT_EQ(learner.gradient_squares().size(), 4u);
  EXPECT_GT(learner.gradient_squares()[0], 0);
  const std::vector<float> before = learner.support_vector(0).x;
  learner.rescale_features(std::vector<float>{1, 2, 0.5F, 4});
  const std::vector<float> after = learner.support_vector(0).x;
  EXPECT_EQ(after, (std::vector<float>{before[0], 2 * before[1], before[2] / 2, 4 * before[3]}));
  learner.learn_batch(block.rows().slice(150, 50), {stream.labels.data() + 150, 50}, {}, {});
  EXPECT_FALSE(learner.is_scouting());
  EXPECT_TRUE(learner.gradient_squares().empty());
}

TEST(ScoutedLearner, StaysInTheMemoryThatItStates) {
  const SpanStream stream(400, 4, 2, 6);
  const RowBlock block(stream.x);
  for (const char* memory : {"none", "64K"}) {
    Options options = scouted();
    options.set("memory", memory);
    const Shape shape{.dimension = 4, .classes = 2};
    ScoutedLearner learner(options, shape);
    for (std::size_t i = 0; i < 400; ++i) {
      learner.learn_batch(block.rows().slice(i, 1), {stream.labels.data() + i, 1}, {}, {});
      ASSERT_LE(learner.stats().memory_bytes, learner_memory(options, shape));
    }
  }
  const Options options = span_options(500);
  EXPECT_LT(learner_memory(options, {.dimension = 54, .classes = 2}), std::size_t{2} << 20);
}

TEST(ScoutedLearner, ScoutsWithMergingWhereTheKernelAllowsIt) {
  for (const Entry* kernel : kernels()) {
    if (kernel->name == "sigmoid") continue;
    const Options scout = scout_options(complete_options({{"algo", "bnewton"}, {"kernel", kernel->name}}));
    EXPECT_EQ(scout.text("maintain"), kernel->name == "rbf" ? "merge" : "smallest") << kernel->name;
  }
}

TEST(ScoutedLearner, RefusesWhatItCannotLearn) {
  EXPECT_THROW(complete_options({{"algo", "bnewton"}, {"task", "novelty"}}), Error);
  EXPECT_THROW(complete_options({{"algo", "bnewton"}, {"kernel", "sigmoid"}}), Error);
  EXPECT_THROW(complete_options({{"algo", "bnewton"}, {"task", "regress"}, {"epsilon", "0.1"}}), Error);
  EXPECT_NO_THROW(complete_options({{"algo", "bnewton"}, {"task", "regress"}}));
}

}  // namespace
}  // namespace kinglet
