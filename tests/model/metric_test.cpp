// Models that learn their metric: nothing depends on batches, interruptions or the storage, and the weights find the
// features that matter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "error_of.hpp"
#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "kinglet/registry.hpp"
#include "learn/flat_model.hpp"
#include "learn/stream.hpp"
#include "model/model_access.hpp"
#include "sampled.hpp"

namespace kinglet {
namespace {

using testing::HasSubstr;

// Every rule that can learn with a metric, for classes, numbers and novelty.
std::vector<Options> metric_grid() {
  std::vector<Options> grid;
  std::size_t count = 0;
  for (const char* task : {"classify", "regress", "novelty"}) {
    for (const Entry* update : update_rules()) {
      for (const Entry* maintain : budget_rules()) {
        for (const char* kernel : {"rbf", "laplacian"}) {
          Options options{{"update", update->name},
                          {"maintain", maintain->name},
                          {"kernel", kernel},
                          {"task", task},
                          {"metric", "learned"}};
          if (maintain->name != "none") options.set("budget", "7");
          if (!is_sampled(count++) || !error_of([&] { complete_options(options); }).empty()) continue;
          if (maintain->name == "none" && update->name != "pegasos") continue;
          grid.push_back(std::move(options));
        }
      }
    }
  }
  for (const char* kernel : {"rbf", "laplacian"}) {
    for (const char* task : {"classify", "regress"}) {
      // The metric is frozen when the scout hands over.
      grid.push_back({{"algo", "bnewton"},
                      {"scout", "500"},
                      {"kernel", kernel},
                      {"task", task},
                      {"metric", "learned"},
                      {"budget", "7"}});
    }
  }
  return grid;
}

std::string text_of(const Options& options) {
  std::string text;
  for (const auto& [name, value] : options.all()) text += name + "=" + value + " ";
  return text;
}

// A feature and a class that appear late, and a feature that never varies.
LabelledTable late_table(std::uint64_t seed) {
  LabelledTable table = clouds(800, 7, {"a", "b", "c"}, seed, 0.3);
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    table.x[i][2] = 1;
    if (i < 400) table.x[i][6] = 0;
    if (i < 350 && table.y[i] == "c") table.y[i] = "b";
  }
  return table;
}

std::string learned(const Options& options, const LabelledTable& table, std::size_t rows_at_once, std::size_t stop_at) {
  Model model(options);
  Stream stream(table, true);
  Batch first = for_task(stream.next(200), model.task());
  model.learn(first);
  for (std::size_t row = 200; !stream.at_end();) {
    const Batch batch = for_task(stream.next(rows_at_once), model.task());
    if (row <= stop_at && stop_at < row + rows_at_once) {
      model = Model::deserialize(model.serialize(), "saved");
      Batch only_labels;
      Stream again(table, true);
      only_labels.new_labels = for_task(again.next(row), model.task()).new_labels;
      model.learn(only_labels);
    }
    model.learn(batch);
    row += rows_at_once;
  }
  return model.serialize();
}

TEST(MetricModel, IsTheSameHoweverRowsAreCutAndWhereverItStopped) {
  const LabelledTable table = late_table(3);
  constexpr std::size_t kNever = 1'000'000;
  for (const char* storage : {"dense", "mixed", "sparse"}) {
    for (Options options : metric_grid()) {
      options.set("storage", storage);
      const std::string whole = learned(options, table, 1000, kNever);
      EXPECT_EQ(learned(options, table, 1, kNever), whole) << text_of(options);
      EXPECT_EQ(learned(options, table, 50, 300), whole) << text_of(options);  // when the metric is about to change
      EXPECT_EQ(learned(options, table, 37, 500), whole) << text_of(options);
    }
  }
}

TEST(MetricModel, IsTheSameForEveryScalingHoweverRowsAreCut) {
  const LabelledTable table = late_table(4);
  for (const char* scale : {"minmax", "none"}) {
    const Options options{{"algo", "bpegasos"}, {"metric", "learned"}, {"scale", scale}, {"budget", "15"}};
    EXPECT_EQ(learned(options, table, 1, 600), learned(options, table, 1000, 1'000'000));
  }
}

TEST(MetricModel, AsksTheSameQuestionsHoweverRowsAreCut) {
  const LabelledTable table = late_table(5);
  for (const char* query : {"greedy", "ramp"}) {
    const Options options{
        {"algo", "bpegasos"}, {"metric", "learned"}, {"query", query}, {"budget", "15"}, {"query-window", "7"}};
    Options taken = options;
    if (taken.text("query") == "ramp") taken.unset("query-window");
    const std::string whole = learned(taken, table, 1000, 1'000'000);
    EXPECT_EQ(learned(taken, table, 1, 1'000'000), whole);
    EXPECT_EQ(learned(taken, table, 50, 450), whole);
  }
}

// The candidate of greedy stands for a row of before the change; its answer is learned afterwards.
TEST(MetricModel, WaitsForAnAnswerWithoutADifference) {
  const LabelledTable table = clouds(700, 5, {"a", "b"}, 6);
  const Options options{
      {"algo", "bpegasos"}, {"metric", "learned"}, {"query", "greedy"}, {"query-window", "300"}, {"budget", "15"}};
  Model straight(options);
  straight.learn(one_batch(table));
  Model waiting(options);
  Stream stream(table);
  Batch rest = stream.next(700);
  bool answers = false;
  const Oracle hesitant = [&](const Query& query) -> std::optional<std::string> {
    answers = !answers;
    return answers ? std::nullopt : label_in_data(query);
  };
  std::size_t done = 0;
  while (done < table.x.size()) {
    LabelledTable left{{table.x.begin() + static_cast<std::ptrdiff_t>(done), table.x.end()},
                       {table.y.begin() + static_cast<std::ptrdiff_t>(done), table.y.end()}};
    waiting.begin_source();
    std::vector<Prediction> before;
    waiting.learn(one_batch(left), &before, hesitant);
    done += before.size();
  }
  EXPECT_EQ(waiting.progress().labels, straight.progress().labels);
  EXPECT_EQ(waiting.scores(one_batch(table)).values, straight.scores(one_batch(table)).values);
}

TEST(MetricModel, LearnsSingleExamplesAsABatch) {
  const LabelledTable table = clouds(1300, 5, {"a", "b"}, 7);
  const Options options{{"algo", "bpegasos"}, {"metric", "learned"}, {"budget", "15"}};
  Model single(options), whole(options);
  for (std::size_t i = 0; i < table.x.size(); ++i) single.learn(table.x[i], table.y[i]);
  whole.learn(one_batch(table));
  EXPECT_EQ(single.scores(one_batch(table)).values, whole.scores(one_batch(table)).values);
}

// Two features decide, in any units, and the others are noise.
LabelledTable noisy_table(std::size_t rows) {
  Random random(8);
  LabelledTable table;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<float> x(10);
    for (float& value : x) value = static_cast<float>(random.normal());
    table.y.push_back(x[3] * x[3] + x[7] * x[7] > 1.4F ? "up" : "down");
    x[3] *= 1000;
    table.x.push_back(std::move(x));
  }
  return table;
}

double error_on(const Model& model, const LabelledTable& table) {
  const Predictions predictions = model.predict(one_batch(table));
  double wrong = 0;
  for (std::size_t i = 0; i < table.y.size(); ++i) wrong += model.labels()[predictions.rows[i].label] != table.y[i];
  return wrong / static_cast<double>(table.y.size());
}

TEST(MetricModel, FindsTheFeaturesThatMatter) {
  const LabelledTable all = noisy_table(6000);
  const LabelledTable table{{all.x.begin(), all.x.begin() + 5000}, {all.y.begin(), all.y.begin() + 5000}};
  const LabelledTable rest{{all.x.begin() + 5000, all.x.end()}, {all.y.begin() + 5000, all.y.end()}};
  for (const char* kernel : {"rbf", "laplacian"}) {
    Options options{{"algo", "bpegasos"}, {"budget", "100"}, {"kernel", kernel}};
    if (options.text("kernel") == "laplacian") options.set("maintain", "smallest");
    Model without(options);
    options.set("metric", "learned");
    Model model(options);
    without.learn(one_batch(table));
    model.learn(one_batch(table));
    const std::vector<double> importances = model.feature_importances();
    ASSERT_EQ(importances.size(), 10U);
    EXPECT_NEAR(std::accumulate(importances.begin(), importances.end(), 0.0), 1, 1e-9);
    for (std::size_t k = 0; k < 10; ++k) {
      if (k == 3 || k == 7) continue;
      EXPECT_GT(importances[3], 1.5 * importances[k]) << kernel;
      EXPECT_GT(importances[7], 1.5 * importances[k]) << kernel;
    }
    EXPECT_LT(error_on(model, rest), 0.8 * error_on(without, rest)) << kernel;
  }
}

TEST(MetricModel, HasImportancesOnlyWhereItLearnsThem) {
  Model model(Options{{"algo", "bpegasos"}, {"budget", "15"}});
  model.learn(one_batch(clouds(400, 3, {"a", "b"})));
  EXPECT_THAT(error_of([&] { (void)model.feature_importances(); }), HasSubstr("metric"));
}

TEST(MetricModel, KeepsItsImportancesFiniteWhateverComesIn) {
  LabelledTable table = clouds(1500, 4, {"a", "b"}, 9);
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    table.x[i][1] = 5;                                        // constant
    table.x[i][2] = i % 7 == 0 ? 1e30F : -1e-30F;             // of huge and tiny values
    table.x[i][3] = std::numeric_limits<float>::quiet_NaN();  // always missing
  }
  for (const char* scale : {"standard", "minmax", "none"}) {
    Model model(Options{{"algo", "bpegasos"}, {"budget", "15"}, {"metric", "learned"}, {"scale", scale}});
    model.learn(one_batch(table));
    for (const double importance : model.feature_importances()) EXPECT_TRUE(importance >= 0 && importance <= 1);
    Model::deserialize(model.serialize(), "saved");
  }
}

// What exports and compression start from.
TEST(MetricModel, GivesAFlatModelWithTheSameScores) {
  const LabelledTable table = late_table(10);
  for (const char* scale : {"standard", "minmax", "none"}) {
    for (const char* storage : {"dense", "mixed", "sparse"}) {
      Model model(Options{
          {"algo", "bpegasos"}, {"budget", "15"}, {"metric", "learned"}, {"scale", scale}, {"storage", storage}});
      model.learn(one_batch(table));
      const Model flat = fixed_model(flatten(model));
      const auto want = model.scores(one_batch(table)).values;
      const auto got = flat.scores(one_batch(table)).values;
      for (std::size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(got[i], want[i], 1e-4F * (1 + std::abs(want[i])));
    }
  }
}

TEST(MetricModel, IsFrozenWhenAScoutHandsOver) {
  const LabelledTable table = noisy_table(1500);
  Model model(Options{{"algo", "bnewton"}, {"scout", "500"}, {"budget", "30"}, {"metric", "learned"}});
  Stream stream(table);
  model.learn(stream.next(500));  // the metric changed at 300 and 450
  const std::vector<double> frozen = model.feature_importances();
  EXPECT_GT(frozen[3], frozen[0]);
  model.learn(stream.next(1000));
  EXPECT_EQ(model.feature_importances(), frozen);
  const Model flat = fixed_model(flatten(model));
  const auto want = model.scores(one_batch(table)).values;
  const auto got = flat.scores(one_batch(table)).values;
  for (std::size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(got[i], want[i], 1e-3F * (1 + std::abs(want[i])));
}

// Support vectors are shown in the units of the data.
TEST(MetricModel, ShowsItsVectorsAsTheyWere) {
  const LabelledTable table = noisy_table(600);
  Model model(Options{{"algo", "bpegasos"}, {"budget", "1000"}, {"metric", "learned"}});
  model.learn(one_batch(table));
  for (const SupportVector& vector : model.support_vectors(20)) {
    const auto distance = [&](const std::vector<float>& x) {
      double most = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const auto unit = k == 3 ? 1000.0 : 1.0;
        most = std::max(most, std::abs(static_cast<double>(x[k]) - static_cast<double>(vector.x[k])) / unit);
      }
      return most;
    };
    const auto nearest = std::ranges::min_element(table.x, {}, distance);
    EXPECT_LT(distance(*nearest), 1e-4);
  }
}

TEST(MetricModel, RefusesWhatAMetricCannotDo) {
  const auto refusal = [](Options options) {
    options.set("metric", "learned");
    return error_of([&] { complete_options(options); });
  };
  EXPECT_THAT(refusal({{"algo", "bpegasos"}, {"kernel", "linear"}, {"maintain", "smallest"}}), HasSubstr("Gaussian"));
  EXPECT_THAT(refusal({{"algo", "bpegasos"}, {"scale", "unit"}}), HasSubstr("unit"));
  EXPECT_THAT(refusal({{"algo", "lasvm"}}), HasSubstr("lasvm"));
  for (const char* rule : {"project", "projectron", "projectron++", "bpa-p"}) {
    EXPECT_THAT(refusal({{"maintain", rule}, {"update", "perceptron"}}), HasSubstr("inverse")) << rule;
  }
  EXPECT_EQ(refusal({{"algo", "bpa-nn"}}), "");
}

}  // namespace
}  // namespace kinglet
