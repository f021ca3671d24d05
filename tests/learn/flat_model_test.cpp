// FlatModel, and the models that only predict: they give the same predictions as the model they were made from, for
// every kind of learner.
#include "learn/flat_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "error_of.hpp"
#include "kinglet/model.hpp"
#include "learn/stream.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

using testing::HasSubstr;

struct Case {
  Options options;
  std::vector<std::string> labels = {"-1", "1"};
  bool sparse = false;
};

std::vector<Case> cases() {
  const std::vector<std::string> three = {"a", "b", "c"};
  return {{{{"budget", "20"}}},
          {{{"budget", "20"}}, three},
          {{{"budget", "20"}, {"storage", "sparse"}}, three, true},
          {{{"budget", "20"}, {"scale", "minmax"}, {"kernel", "laplacian"}, {"maintain", "smallest"}}},
          {{{"budget", "20"}, {"scale", "unit"}, {"kernel", "linear"}, {"maintain", "smallest"}}, three},
          {{{"budget", "20"}, {"scale", "none"}, {"kernel", "poly"}, {"maintain", "oldest"}}},
          {{{"budget", "20"}, {"kernel", "hpoly"}, {"degree", "2"}, {"maintain", "oldest"}}},
          {{{"budget", "20"}, {"kernel", "sigmoid"}, {"maintain", "oldest"}}, three},
          {{{"algo", "oskl"}}, three},
          {{{"algo", "svm"}}, three},
          {{{"algo", "lasvm"}}},
          {{{"algo", "tvm"}, {"budget", "12"}}, three},
          {{{"task", "regress"}, {"budget", "20"}}},
          {{{"task", "novelty"}, {"budget", "20"}}}};
}

Model trained(const Case& each, const LabelledTable& table) {
  Model model(each.options);
  model.learn(for_task(one_batch(table, each.sparse), model.task()));
  model.end_pass();
  return model;
}

// The scores by the formula in flat_model.hpp, in double precision.
std::vector<double> plain_scores(const FlatModel& plain, std::vector<float> x) {
  if (plain.is_shifted()) {
    for (std::size_t f = 0; f < x.size(); ++f) x[f] = (x[f] - plain.shift[f]) * plain.factor[f];
  }
  if (plain.scale == ScaleKind::unit) {
    double length = 0;
    for (const float value : x) length += static_cast<double>(value) * static_cast<double>(value);
    for (float& value : x) value = length > 0 ? value / static_cast<float>(std::sqrt(length)) : 0;
  }
  std::vector<double> out = plain.biases;
  for (std::size_t j = 0; j < plain.size(); ++j) {
    const double k = plain.kernel(Features::dense(plain.vector(j)), Features::dense(x));
    for (std::size_t m = 0; m < out.size(); ++m) out[m] += plain.row(j)[m] * k;
  }
  return out;
}

TEST(FlatModel, SaysWhatTheModelSays) {
  for (const Case& each : cases()) {
    const LabelledTable table = clouds(300, 5, each.labels, 3, each.sparse ? 0.5 : 0);
    const Model model = trained(each, table);
    const FlatModel plain = flatten(model);
    SCOPED_TRACE(plain.origin);
    const std::vector<float> scores = model.scores(one_batch(table, each.sparse)).values;
    double size = 1;
    for (const float score : scores) size = std::max(size, std::abs(static_cast<double>(score)));
    for (std::size_t i = 0; i < table.x.size(); ++i) {
      const auto expected = plain_scores(plain, table.x[i]);
      for (std::size_t m = 0; m < expected.size(); ++m) {
        ASSERT_NEAR(expected[m], static_cast<double>(scores[i * expected.size() + m]), 1e-4 * size);
      }
    }
  }
}

TEST(FlatModel, AModelThatOnlyPredictsComesBackFromItsBytes) {
  for (const Case& each : cases()) {
    const LabelledTable table = clouds(200, 5, each.labels, 4, each.sparse ? 0.5 : 0);
    const Model model = trained(each, table);
    const Model fixed = fixed_model(flatten(model));
    const std::string bytes = fixed.serialize();
    const Model again = Model::deserialize(bytes, "bytes");
    EXPECT_EQ(again.serialize(), bytes);
    const Batch batch = one_batch(table, each.sparse);
    std::vector<Prediction> expected, same, loaded;
    expected = model.predict(batch).rows;
    same = fixed.predict(batch).rows;
    loaded = again.predict(batch).rows;
    double size = 1;
    for (const Prediction& p : expected) size = std::max(size, std::abs(static_cast<double>(p.score)));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(expected[i].label, same[i].label);
      EXPECT_NEAR(static_cast<double>(expected[i].score), static_cast<double>(same[i].score), 1e-5 * size);
      EXPECT_EQ(same[i].score, loaded[i].score);
    }
    EXPECT_TRUE(again.stats().only_predicts);
  }
}

TEST(FlatModel, AModelThatOnlyPredictsDoesNotLearn) {
  const LabelledTable table = clouds(100, 3, {"a", "b"});
  Model fixed = fixed_model(flatten(trained({{{"budget", "5"}}, {"a", "b"}}, table)));
  EXPECT_THAT(error_of([&] { fixed.learn(one_batch(table)); }),
              HasSubstr("can only predict (auto with 5 support vectors); train the original instead"));
}

TEST(FlatModel, MissingValuesAreFilledInAsByTheModel) {
  LabelledTable table = clouds(200, 3, {"a", "b"});
  for (std::size_t i = 0; i < table.x.size(); i += 7) table.x[i][1] = std::nanf("");
  const Model model = trained({{{"budget", "10"}, {"scale", "minmax"}}, {"a", "b"}}, table);
  const FlatModel plain = flatten(model);
  EXPECT_TRUE(plain.has_missing);
  const Model fixed = fixed_model(plain);
  std::vector<float> expected, same;
  expected = model.scores(one_batch(table)).values;
  same = fixed.scores(one_batch(table)).values;
  for (std::size_t i = 0; i < same.size(); ++i) EXPECT_NEAR(same[i], expected[i], 1e-4);
}

TEST(FlatModel, VotesGoToTheFirstOfEquals) {
  const std::vector<float> pairs = {1, -1, 1};  // 0 beats 1, 2 beats 0, 1 beats 2
  std::vector<float> votes(3);
  count_votes(pairs, votes);
  EXPECT_THAT(votes, testing::ElementsAre(1, 1, 1));
}

TEST(FlatModel, WithoutLearningThereIsNothing) {
  EXPECT_THAT(error_of([] { flatten(Model(Options{})); }), HasSubstr("learned nothing"));
}

TEST(FlatModel, ALinearFunctionNeedsOneVector) {
  const LabelledTable table = clouds(200, 4, {"a", "b", "c"});
  const Model model =
      trained({{{"budget", "20"}, {"kernel", "linear"}, {"maintain", "smallest"}}, {"a", "b", "c"}}, table);
  const FlatModel plain = flatten(model), simple = collapse_linear(plain);
  EXPECT_GT(plain.size(), 3u);
  EXPECT_EQ(simple.size(), 3u);
  for (const auto& x : table.x) {
    const auto a = plain_scores(plain, x), b = plain_scores(simple, x);
    for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(a[m], b[m], 1e-4 * (1 + std::abs(a[m])));
  }
}

}  // namespace
}  // namespace kinglet
