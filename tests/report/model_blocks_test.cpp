// Report blocks that show a model: decision maps, confusion matrices, tables and charts.
#include "report/model_blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kinglet/source.hpp"
#include "lab/latency.hpp"

namespace kinglet::report {
namespace {

struct Trained {
  Model model;
  StreamRecord record;

  Trained(const Options& options, const std::string& data) : model(options), record(model) {
    SourceOptions how;
    how.numeric_labels = model.task() == TaskKind::regress;
    const auto source = open_source(data, how);
    TrainingEvents events;
    events.learned = [&](const LearnedPart& part) { record.add(part); };
    events.times_rows = true;
    train(model, *source, {}, events);
  }
};

TEST(PictureSize, IsASquare) {
  EXPECT_EQ(guess_picture_size(64)->width, 8U);
  EXPECT_EQ(guess_picture_size(256)->height, 16U);
  EXPECT_EQ(guess_picture_size(784)->width, 28U);
  EXPECT_EQ(guess_picture_size(780)->width, 28U);  // MNIST as a LIBSVM file: the last four pixels are always 0
  EXPECT_FALSE(guess_picture_size(49));
  EXPECT_FALSE(guess_picture_size(63));
  EXPECT_FALSE(guess_picture_size(123));
  EXPECT_FALSE(guess_picture_size(300));
  EXPECT_FALSE(guess_picture_size(0));
}

TEST(Importances, ComeWithTheLargestFirst) {
  const std::vector<double> importances{0.1, 0.3, 0.1, 0.5};
  EXPECT_EQ(most_important(importances, 3), (std::vector<std::size_t>{3, 1, 0}));
  EXPECT_EQ(most_important(importances, 9).size(), 4U);
}

TEST(Importances, AreBarsWithTheNamesOfTheFeatures) {
  const Trained trained({{"algo", "bpegasos"}, {"metric", "learned"}, {"budget", "50"}},
                        "gen:checkerboard?n=2000&seed=1");
  const Bars bars = importance_bars(trained.model, {"left", "up"});
  ASSERT_EQ(bars.bars.size(), 2U);
  EXPECT_GE(bars.bars[0].value, bars.bars[1].value);
  EXPECT_NEAR(bars.bars[0].value + bars.bars[1].value, 1, 1e-9);
  EXPECT_TRUE(bars.bars[0].name == "left" || bars.bars[0].name == "up");
}

TEST(DecisionMap, ShowsTheBoard) {
  Trained trained({{"budget", "100"}, {"gamma", "8"}, {"lambda", "1e-5"}}, "gen:checkerboard?n=20000&seed=1");
  const DecisionMap map = decision_map(trained.model, trained.record.sample(), {"longitude"});
  EXPECT_EQ(map.x, "longitude");
  EXPECT_EQ(map.y, "feature 2");
  EXPECT_NEAR(map.left, -0.2, 0.05);
  EXPECT_NEAR(map.top, 4.2, 0.05);
  ASSERT_EQ(map.scores.size(), map.width * map.height);
  EXPECT_EQ(map.support.size(), 100U);
  // Neighbouring fields of the checkerboard have opposite signs. Count the fields with the right sign at their centre.
  int right = 0;
  const auto index = [&](int field) {
    return static_cast<std::size_t>((field + 0.5 - map.left) / (map.right - map.left) * static_cast<double>(map.width));
  };
  const bool first = map.scores[index(0) * map.width + index(0)] > 0;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      const bool positive = map.scores[index(row) * map.width + index(column)] > 0;
      right += positive == (first == ((row + column) % 2 == 0)) ? 1 : 0;
    }
  }
  EXPECT_GE(right, 15);
  // The support vectors are in the units of the data, so the map undoes the scaling.
  for (const Place& vector : map.support) {
    EXPECT_GT(vector.x, -0.5);
    EXPECT_LT(vector.x, 4.5);
    EXPECT_EQ(vector.of_class, vector.coefficient >= 0 ? 1 : 0);
  }
}

TEST(Latency, CountsPercentilesByRank) {
  std::vector<double> values(1000);
  std::iota(values.begin(), values.end(), 1);
  EXPECT_EQ(percentile(values, 0.5), 500);
  EXPECT_EQ(percentile(values, 0.999), 999);
  EXPECT_EQ(percentile(values, 1), 1000);
  EXPECT_EQ(percentile(values, 0), 1);
  EXPECT_TRUE(std::isnan(percentile({}, 0.5)));
}

// Class c is right in c of 100 examples; the others go to the class after it.
std::vector<std::uint64_t> counts_of(std::size_t classes) {
  std::vector<std::uint64_t> counts(classes * classes, 0);
  for (std::size_t c = 0; c < classes; ++c) {
    const std::size_t rank = (c * 7) % classes;  // not in the order of the classes
    counts[c * classes + c] = rank;
    counts[c * classes + (c + 1) % classes] += 100 - rank;
  }
  return counts;
}

std::vector<std::string> names_of(std::size_t classes) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < classes; ++c) names.push_back("class " + std::to_string(c));
  return names;
}

TEST(ConfusionBlock, KeepsTheOrderOfAFewClasses) {
  const Confusion block = confusion_block("title", "caption", names_of(12), counts_of(12));
  EXPECT_EQ(block.labels, names_of(12));
  EXPECT_EQ(block.counts, counts_of(12));
  EXPECT_TRUE(block.recalls.empty());
}

TEST(ConfusionBlock, BeginsWithTheWorstRecallOfManyClasses) {
  const Confusion block = confusion_block("title", "caption", names_of(26), counts_of(26));
  ASSERT_EQ(block.labels.size(), 26U);
  EXPECT_EQ(block.labels[0], "class 0");
  EXPECT_EQ(block.labels[1], "class 15");  // 15 · 7 mod 26 = 1
  EXPECT_TRUE(std::ranges::is_sorted(block.recalls));
  for (std::size_t i = 0; i < 26; ++i) EXPECT_EQ(block.counts[i * 26 + i], i);
}

TEST(ConfusionBlock, ShowsTheBestOfVeryManyClassesTogether) {
  const Confusion block = confusion_block("title", "caption", names_of(90), counts_of(90));
  ASSERT_EQ(block.labels.size(), 61U);
  EXPECT_EQ(block.labels.back(), "30 others");
  EXPECT_EQ(std::accumulate(block.counts.begin(), block.counts.end(), std::uint64_t{0}), 9000U);
  EXPECT_EQ(mistake_table(names_of(90), counts_of(90)).rows.size(), 15U);
  EXPECT_EQ(class_table(names_of(90), counts_of(90)).rows.size(), 30U);
}

TEST(ClassTable, HasPrecisionAndRecall) {
  const Table table = class_table({"a", "b"}, std::vector<std::uint64_t>{8, 2, 1, 9});
  EXPECT_EQ(table.rows[0].cells[1].text, "10");
  EXPECT_EQ(table.rows[0].cells[2].text, "88.9");
  EXPECT_EQ(table.rows[0].cells[3].text, "80.0");
}

TEST(FunctionChart, FollowsOneFeature) {
  Trained trained({{"task", "regress"}, {"budget", "50"}}, "gen:friedman?n=2000&seed=1");
  const Chart fit = fit_chart(trained.model, trained.record.sample(), "examples");
  ASSERT_EQ(fit.series.size(), 2U);
  EXPECT_EQ(fit.series[0].points.size(), trained.record.sample().rows.size());
  const Chart left = residual_chart(trained.model, trained.record.sample(), "examples");
  for (std::size_t i = 0; i < fit.series[0].points.size(); ++i) {
    const Point& pair = fit.series[0].points[i];
    EXPECT_DOUBLE_EQ(left.series[0].points[i].x, pair.y);
    EXPECT_DOUBLE_EQ(left.series[0].points[i].y, pair.x - pair.y);
  }
}

}  // namespace
}  // namespace kinglet::report
