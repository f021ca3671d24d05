// A model that is a committee: with the learned metric, in batches of any size, saved and loaded, and as a flat model.
#include <gtest/gtest.h>

#include <cmath>

#include "kinglet/model.hpp"
#include "learn/flat_model.hpp"
#include "learn/stream.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

// Only the first two of five features matter.
LabelledTable board(std::size_t rows, bool numbers) {
  Random random(3);
  LabelledTable table;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<float> x;
    for (int k = 0; k < 5; ++k) x.push_back(static_cast<float>(3 * random.uniform()));
    const auto square = static_cast<int>(std::floor(x[0]) + std::floor(x[1]));
    table.x.push_back(std::move(x));
    table.y.push_back(numbers ? "" : square % 2 == 0 ? "even" : "odd");
  }
  return table;
}

Batch batch_of(Stream& stream, std::size_t rows, bool numbers) {
  return numbers ? with_numbers(stream.next(rows)) : stream.next(rows);
}

Options options_for(bool numbers) {
  return {{"algo", "auto"}, {"budget", "40"}, {"task", numbers ? "regress" : "classify"}};
}

Model trained(bool numbers, std::size_t first, std::size_t others, std::size_t saved_at) {
  const LabelledTable table = board(8000, numbers);
  Stream stream(table);
  Model model(options_for(numbers));
  model.learn(batch_of(stream, first, numbers));
  for (std::size_t at = first; !stream.at_end(); at += others) {
    if (at >= saved_at && at < saved_at + others) {
      model = Model::deserialize(model.serialize(), "saved");
      Batch next = batch_of(stream, others, numbers);
      if (!numbers) next.new_labels = {"even", "odd"};  // a new source
      model.learn(next);
      continue;
    }
    model.learn(batch_of(stream, others, numbers));
  }
  return model;
}

TEST(CommitteeModel, LearnsAMetricWithTheFeaturesThatMatter) {
  const Model model = trained(false, 1024, 500, 100'000);
  EXPECT_EQ(model.options().text("metric"), "learned");
  const std::vector<double> importances = model.feature_importances();
  for (std::size_t k = 2; k < 5; ++k) EXPECT_GT(std::min(importances[0], importances[1]), importances[k]);
  EXPECT_LT(model.progress().online_error(), 0.3);
}

TEST(CommitteeModel, DoesNotDependOnTheDivisionIntoBatches) {
  for (const bool numbers : {false, true}) {
    const std::string whole = trained(numbers, 1024, 7000, 100'000).serialize();
    EXPECT_EQ(trained(numbers, 1024, 1, 100'000).serialize(), whole) << numbers;
    EXPECT_EQ(trained(numbers, 1024, 333, 100'000).serialize(), whole) << numbers;
  }
}

TEST(CommitteeModel, IsTheSameAfterSavingAndLoading) {
  for (const std::size_t saved_at : {1100, 3000, 5000, 7500}) {
    EXPECT_EQ(trained(true, 1024, 100, saved_at).serialize(), trained(true, 1024, 100, 100'000).serialize())
        << saved_at;
  }
}

TEST(CommitteeModel, RemembersThatItLearnsNoMetric) {
  for (const Options& more : {Options{{"metric", "none"}}, Options{{"kernel", "linear"}}}) {
    Options options = options_for(false);
    for (const auto& [name, value] : more.all()) options.set(name, value);
    Model model(options);
    const LabelledTable table = board(2000, false);
    model.learn(one_batch(table));
    const std::string bytes = model.serialize();
    const Model loaded = Model::deserialize(bytes, "saved");
    EXPECT_EQ(loaded.options().text("metric"), "none");
    EXPECT_EQ(loaded.serialize(), bytes);
  }
}

TEST(CommitteeModel, IsOneFlatModel) {
  for (const bool numbers : {false, true}) {
    const Model model = trained(numbers, 1024, 500, 100'000);
    const FlatModel flat = flatten(model);
    EXPECT_LE(flat.size(), 40U);
    const Model fixed = fixed_model(flat);
    const LabelledTable table = board(300, numbers);
    const Batch batch = one_batch(table);
    const RowValues expected = model.scores(batch);
    const RowValues actual = fixed.scores(batch);
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      EXPECT_NEAR(actual.values[i], expected.values[i], 1e-3 * (1 + std::abs(expected.values[i]))) << i;
    }
  }
}

TEST(CommitteeModel, GivesItsSupportVectorsInTheUnitsOfTheData) {
  const Model model = trained(false, 1024, 500, 100'000);
  for (const SupportVector& vector : model.support_vectors(10)) {
    for (const float value : vector.x) EXPECT_TRUE(value > -1.5F && value < 4.5F) << value;
  }
}

// Odd squares come after even ones, and the scaling changes along the stream, since even ones are farther to the left.
LabelledTable sorted_board() {
  LabelledTable table = board(9000, false);
  LabelledTable sorted;
  for (const char* label : {"even", "odd"}) {
    for (std::size_t i = 0; i < table.x.size(); ++i) {
      if (table.y[i] != label) continue;
      sorted.x.push_back(table.x[i]);
      if (table.y[i] == "odd") sorted.x.back()[2] += 40;
      sorted.y.push_back(label);
    }
  }
  return sorted;
}

Model trained_in_order(std::size_t step, std::size_t saved_at) {
  const LabelledTable table = sorted_board();
  Stream stream(table);
  Model model(options_for(false));
  model.learn(stream.next(1024));
  for (std::size_t at = 1024; !stream.at_end(); at += step) {
    Batch next = stream.next(step);
    if (at >= saved_at && at < saved_at + step) {
      model = Model::deserialize(model.serialize(), "saved");
      if (next.new_labels.empty()) next.new_labels = {"even"};  // a new source
      if (at >= table.x.size() / 2) next.new_labels = {"even", "odd"};
    }
    model.learn(next);
  }
  model.end_pass();
  return model;
}

TEST(CommitteeModel, KnowsAllOfASortedFileAtItsEnd) {
  const Model model = trained_in_order(500, 100'000);
  const LabelledTable table = sorted_board();
  const std::vector<Prediction> rows = model.predict(one_batch(table)).rows;
  std::size_t right = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) right += model.labels()[rows[i].label] == table.y[i];
  EXPECT_GT(right, 0.9 * static_cast<double>(rows.size()));
}

TEST(CommitteeModel, SamplesTheSameRowsWhateverTheBatchesAndStops) {
  const std::string whole = trained_in_order(500, 100'000).serialize();
  EXPECT_EQ(trained_in_order(1, 100'000).serialize(), whole);
  EXPECT_EQ(trained_in_order(100, 2024).serialize(), whole);
  EXPECT_EQ(trained_in_order(100, 7024).serialize(), whole);
}

// The budget is chosen before gamma is known.
TEST(CommitteeModel, HasAllItsMembersWithinEnoughMemory) {
  Model model({{"algo", "auto"}, {"memory", "4M"}});
  const LabelledTable table = board(2000, false);
  model.learn(one_batch(table));
  std::size_t run = 0;
  for (const MemberStanding& member : model.standings().members) run += member.examples > 0;
  EXPECT_GT(run, 5U);
  EXPECT_GE(model.options().integer("budget"), 500);
}

TEST(CommitteeModel, KnowsASortedFileOfFewRows) {
  LabelledTable table;
  Random random(4);
  for (const char* label : {"a", "b", "c"}) {
    for (int i = 0; i < 30; ++i) {
      const double centre = 3 * (label[0] - 'b');
      table.x.push_back({static_cast<float>(centre + random.normal()), static_cast<float>(random.normal())});
      table.y.emplace_back(label);
    }
  }
  Model model({{"algo", "auto"}});
  model.learn(one_batch(table));
  model.end_pass();
  const std::vector<Prediction> rows = model.predict(one_batch(table)).rows;
  std::size_t right = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) right += model.labels()[rows[i].label] == table.y[i];
  EXPECT_GE(right, 75U);
}

}  // namespace
}  // namespace kinglet
