// Training runs: the model does not depend on the size of batches, nor on where a run is interrupted and continued.
#include "lab/training.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "data/shuffle.hpp"
#include "data/text_source.hpp"
#include "kinglet/error.hpp"
#include "kinglet/source.hpp"
#include "lab/copy_rows.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

const Options kLearner = {{"budget", "20"}, {"gamma", "2"}};

// Sparse rows of three classes. The third class appears after half of the rows, the third feature after two thirds.
std::string late_stream(int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    const int kind = i < rows / 2 ? i % 2 : i % 3;
    const double wobble = 0.01 * (i * 37 % 101);
    text += std::string(kind == 0 ? "wren" : kind == 1 ? "robin" : "finch") + " 1:" + std::to_string(kind + wobble);
    text += i % 5 == 0 ? "" : " 2:" + std::to_string(wobble - kind);
    text += i > 2 * rows / 3 && i % 7 == 0 ? " 3:1\n" : "\n";
  }
  return text;
}

enum class Order { of_the_text, shuffled };

std::unique_ptr<Source> read(const std::string& text, Order order) {
  auto source = read_memory(text, {});
  return order == Order::shuffled ? shuffle(std::move(source), {}) : std::move(source);
}

std::string trained(const std::string& text, const TrainingPlan& plan, const TrainingEvents& events = {},
                    Order order = Order::of_the_text) {
  Model model(kLearner);
  train(model, *read(text, order), plan, events);
  return model.serialize();
}

class Folder {
 public:
  Folder()
      : path_(std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

TEST(Training, IsTheSameAsLearningBatchByBatch) {
  const std::string text = late_stream(3000);
  const auto source = read_memory(text, {});
  Model model(kLearner);
  Batch batch;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass > 0) source->rewind();
    while (source->next(batch)) model.learn(batch);
    model.end_pass();
  }
  EXPECT_EQ(model.serialize(), trained(text, {.passes = 2}));
}

TEST(Training, TheCurveHasAPointWheneverTheLabelsHaveDoubled) {
  const std::string text = late_stream(3000);
  for (const char* rule : {"all", "ramp", "greedy"}) {
    const Options options{{"algo", "bmp"}, {"gamma", "2"}, {"query", rule}, {"query-budget", "100"}};
    const auto source = read_memory(text, {});
    Model model(options);
    std::vector<std::uint64_t> tested;
    const auto result = train(model, *source, {}, {.test = [&] {
                                tested.push_back(model.progress().labels);
                                return std::optional(0.5);
                              }});
    std::vector<std::uint64_t> labels;
    double mistakes = 0;
    std::uint64_t examples = 0;
    for (const CurvePoint& point : result.curve) {
      labels.push_back(point.labels);
      mistakes += point.error_since * static_cast<double>(point.examples - examples);
      examples = point.examples;
    }
    EXPECT_EQ(labels, (std::vector<std::uint64_t>{10, 20, 40, 80, 100})) << rule;
    labels.pop_back();
    EXPECT_EQ(tested, labels);
    EXPECT_EQ(examples, 3000u);
    EXPECT_NEAR(mistakes, static_cast<double>(model.progress().mistakes), 1e-6);
    EXPECT_FALSE(result.curve.back().test_accuracy);
    // Recording the curve does not change the model.
    Model same(options);
    const auto again = read_memory(text, {});
    for (Batch batch; again->next(batch);) same.learn(batch);
    same.end_pass();
    EXPECT_EQ(same.serialize(), model.serialize());
  }
  Model model(kLearner);
  EXPECT_TRUE(train(model, *read_memory(text, {}), {}, {}).curve.empty());
}

TEST(Training, CheckpointsDoNotChangeTheModel) {
  const Folder folder;
  const std::string text = late_stream(5000);
  const std::string plain = trained(text, {.passes = 2});
  for (const std::uint64_t every : {61u, 1024u, 1500u, 7000u}) {
    EXPECT_EQ(plain, trained(text, {.passes = 2, .checkpoint = folder / "c", .every = every})) << every;
  }
}

TEST(Training, StoppedAnywhereAndResumedGivesTheSameModel) {
  const Folder folder;
  const std::string text = late_stream(5000);
  const TrainingPlan plan{.passes = 3, .checkpoint = folder / "c", .every = 700};
  for (const Order order : {Order::of_the_text, Order::shuffled}) {
    const std::string whole = trained(text, {.passes = 3}, {}, order);
    for (int batches = 1; batches <= 15; ++batches) {
      int seen = 0;
      trained(text, plan, {.stopped = [&] { return seen >= batches; }, .batch = [&] { ++seen; }}, order);
      Model model = Model::load(folder / "c");
      EXPECT_GT(model.progress().examples, 0u);
      train(model, *read(text, order), plan, {});
      EXPECT_EQ(whole, model.serialize()) << batches;
    }
  }
}

TEST(Training, StoppedBetweenTwoShuffledPassesAndResumedGivesTheSameModel) {
  const Folder folder;
  const std::string text = late_stream(2000);
  const TrainingPlan plan{.passes = 3, .checkpoint = folder / "c", .every = 1'000'000};
  Model model(kLearner);
  const auto between = [&] { return position_of(model).pass == 1; };
  ASSERT_TRUE(train(model, *read(text, Order::shuffled), plan, {.stopped = between}).stopped);
  Model resumed = Model::load(folder / "c");
  ASSERT_EQ(resumed.progress().examples, 2000u);
  EXPECT_THROW(train(resumed, *read(late_stream(1999), Order::shuffled), plan, {}), Error);
  resumed = Model::load(folder / "c");
  train(resumed, *read(text, Order::shuffled), plan, {});
  EXPECT_EQ(trained(text, {.passes = 3}, {}, Order::shuffled), resumed.serialize());
}

TEST(Training, EachPassOverShuffledDataHasItsOwnOrder) {
  const std::string text = late_stream(2000);
  const auto source = read(text, Order::shuffled);
  Model model(kLearner);
  for (std::uint64_t pass = 0; pass < 3; ++pass) {
    if (pass > 0) source->begin_pass(pass);
    for (Batch batch; source->next(batch);) model.learn(batch);
    model.end_pass();
  }
  EXPECT_EQ(model.serialize(), trained(text, {.passes = 3}, {}, Order::shuffled));
}

// A killed run continues from its last checkpoint, which may be in the middle of a batch.
TEST(Training, ResumedFromAnyCheckpointGivesTheSameModel) {
  const Folder folder;
  const std::string text = late_stream(4000);
  const TrainingPlan plan{.passes = 2, .checkpoint = folder / "c", .every = 450};
  const std::string whole = trained(text, {.passes = 2});
  std::vector<std::string> states;
  trained(text, plan, {.batch = [&] { states.push_back(Model::load(folder / "c").serialize()); }});
  ASSERT_GE(states.size(), 8u);
  for (const std::string& state : states) {
    Model model = Model::deserialize(state, "state");
    const auto source = read_memory(text, {});
    train(model, *source, plan, {});
    EXPECT_EQ(whole, model.serialize());
  }
}

TEST(Training, LinesComeAtDoublingCountsAndAddUp) {
  std::vector<ProgressLine> lines;
  Model model(kLearner);
  const std::string text = late_stream(3000);
  const auto source = read_memory(text, {});
  const auto result = train(model, *source, {}, {.line = [&](const ProgressLine& line) { lines.push_back(line); }});
  std::vector<std::uint64_t> counts;
  double mistakes = 0;
  std::uint64_t before = 0;
  for (const ProgressLine& line : lines) {
    counts.push_back(line.examples);
    mistakes += line.error_since * static_cast<double>(line.examples - before);
    EXPECT_NEAR(mistakes / static_cast<double>(line.examples), line.error_so_far, 1e-12);
    EXPECT_EQ(line.support_vectors.has_value(), line.examples >= kBatchRows);
    before = line.examples;
  }
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{128, 256, 512, 1024, 2048, 3000}));
  EXPECT_NEAR(mistakes, static_cast<double>(model.progress().mistakes), 1e-9);
  EXPECT_EQ(result.learned, 3000u);
  ASSERT_TRUE(result.majority_error.has_value());
  EXPECT_NEAR(*result.majority_error, 1 - 1250.0 / 3000, 1e-12);
}

TEST(Training, RefusesAStreamThatIsShorterThanTheCheckpoint) {
  Model model(kLearner);
  const std::string text = late_stream(3000);
  const std::string other = late_stream(1500);
  const auto source = read_memory(text, {});
  int seen = 0;
  train(model, *source, {}, {.stopped = [&] { return seen == 2; }, .batch = [&] { ++seen; }});
  const auto shorter = read_memory(other, {});
  EXPECT_THROW(train(model, *shorter, {}, {}), Error);
}

// Returns the rows of another source after a pause, as a slow producer does.
class SlowSource final : public Source {
 public:
  SlowSource(std::unique_ptr<Source> source, std::function<void()> pause)
      : source_(std::move(source)), pause_(std::move(pause)) {}
  bool next(Batch& batch) override {
    pause_();
    return source_->next(batch);
  }
  bool can_rewind() const override { return false; }
  void rewind() override { source_->rewind(); }
  std::optional<double> progress() const override { return std::nullopt; }
  std::string name() const override { return "slow"; }
  void stop() override { source_->stop(); }

 private:
  std::unique_ptr<Source> source_;
  std::function<void()> pause_;
};

TEST(Training, LinesComeByTimeToo) {
  const std::string text = late_stream(5 * 1024);
  Model model(kLearner);
  SlowSource source(read_memory(text, {}), [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  std::vector<std::uint64_t> counts;
  train(model, source, {.line_seconds = 0.01},
        {.line = [&](const ProgressLine& line) { counts.push_back(line.examples); }});
  for (const std::uint64_t batch : {1u, 2u, 3u, 4u, 5u})
    EXPECT_EQ(std::ranges::count(counts, batch * 1024), 1) << batch;
}

TEST(Training, TellsThatItWaits) {
  const std::string text = late_stream(1500);
  Model model(kLearner);
  std::atomic<int> waited = 0;
  // The rows come once the run has said that it waits for them, however busy the machine is.
  const auto wait_for_it = [&] {
    for (int i = 0; waited == 0 && i < 6000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  };
  const auto source = read_ahead(std::make_unique<SlowSource>(read_memory(text, {}), wait_for_it));
  train(model, *source, {}, {.waiting = [&](std::optional<std::uint64_t>) { ++waited; }});
  EXPECT_GE(waited, 1);
  EXPECT_EQ(model.progress().examples, 1500u);
}

TEST(Training, WhatComesBeforeAnErrorIsLearned) {
  for (const int rows : {1024, 1025, 3000}) {
    const std::string good = late_stream(rows);
    const std::string text = good + "1 1:x\n" + late_stream(10);
    Model model(kLearner);
    const auto source = read_memory(text, {});
    EXPECT_THROW(train(model, *source, {}, {}), Error);
    EXPECT_EQ(model.progress().examples, static_cast<std::uint64_t>(rows));
    EXPECT_EQ(position_of(model).row, static_cast<std::uint64_t>(rows));
    Model same(kLearner);
    const auto all = read_memory(good, {});
    for (Batch batch; all->next(batch);) same.learn(batch);
    EXPECT_EQ(model.serialize(), same.serialize()) << rows;
  }
}

TEST(Training, AnErrorInTheFirstBatchLeavesNothing) {
  const Folder folder;
  for (const int rows : {300, 3000}) {
    const std::string text = late_stream(rows) + "1 1:x\n";
    Model model(kLearner);
    const auto source = read_memory(text, {});
    EXPECT_THROW(train(model, *source, {.checkpoint = folder / "c", .every = 100}, {}), Error);
    EXPECT_EQ(std::filesystem::exists(folder / "c"), rows > 1024);
    EXPECT_EQ(model.has_learned(), rows > 1024);
  }
}

TEST(Training, GoesOnWithRowsThatWereAppended) {
  const Folder folder;
  const std::string text = late_stream(6000);
  const TrainingPlan plan{.checkpoint = folder / "c", .every = 1000};
  std::size_t cut = 0;
  for (int line = 0; line < 3500; ++line) cut = text.find('\n', cut) + 1;
  trained(text.substr(0, cut), plan);
  Model model = Model::load(folder / "c");
  EXPECT_EQ(position_of(model).row, 3500u);
  const auto source = read_memory(text, {});
  EXPECT_EQ(train(model, *source, plan, {}).learned, 2500u);
  EXPECT_EQ(model.serialize(), trained(text, {}));
}

TEST(Training, ChecksAllRowsThatItSkips) {
  const Folder folder;
  const std::string text = late_stream(3000);
  const TrainingPlan plan{.checkpoint = folder / "c", .every = 1000};
  trained(text, plan);
  for (const int changed : {1, 500, 2999}) {
    std::string other = text;
    std::size_t at = 0;
    for (int line = 1; line < changed; ++line) at = other.find('\n', at) + 1;
    at = other.find(':', at) + 1;
    other[at] = other[at] == '1' ? '2' : '1';
    Model model = Model::load(folder / "c");
    const auto source = read_memory(other, {});
    EXPECT_THROW(train(model, *source, plan, {}), Error) << changed;
  }
}

TEST(Training, TellsOfRowsSortedByClassOnce) {
  std::string sorted;
  for (int i = 0; i < 6000; ++i) sorted += (i < 3000 ? "a 1:" : "b 1:") + std::to_string(i % 17) + "\n";
  for (const bool is_sorted : {true, false}) {
    const std::string text = is_sorted ? sorted : late_stream(6000);
    Model model(kLearner);
    const auto source = read_memory(text, {});
    int told = 0;
    train(model, *source, {.passes = 2}, {.sorted = [&](const LabelOrder&) { ++told; }});
    EXPECT_EQ(told, is_sorted ? 1 : 0);
  }
}

TEST(Training, CopiesRowsOfBothKinds) {
  Batch dense;
  dense.dimension = 2;
  dense.values = {1, 2, 3, 4, 5, 6};
  dense.labels = {0, 1, 0};
  dense.targets = {7, 8, 9};
  dense.weights = {1, 2, 3};
  Batch part;
  copy_rows(dense, 1, 2, part);
  EXPECT_EQ(part.values, (std::vector<float>{3, 4, 5, 6}));
  EXPECT_EQ(part.labels, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(part.targets, (std::vector<float>{8, 9}));
  EXPECT_EQ(part.weights, (std::vector<float>{2, 3}));

  Batch sparse;
  sparse.sparse = true;
  sparse.dimension = 9;
  sparse.values = {1, 2, 3};
  sparse.indices = {0, 8, 4};
  sparse.offsets = {0, 2, 2, 3};
  sparse.labels = {0, 0, 1};
  copy_rows(sparse, 1, 2, part);
  EXPECT_EQ(part.offsets, (std::vector<std::uint64_t>{0, 0, 1}));
  EXPECT_EQ(part.indices, (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(part.features()[1].values[0], 3);
  EXPECT_TRUE(part.weights.empty());
  EXPECT_TRUE(part.targets.empty());
}

const Options kRegression = {{"task", "regress"}, {"update", "ogd"}, {"eta", "0.2"}, {"budget", "40"}};

TEST(Training, OfNumbersShowsTheirErrors) {
  Model model(kRegression);
  std::vector<ProgressLine> lines;
  const auto source = open_source("gen:friedman?n=3000", {});
  const auto result = train(model, *source, {}, {.line = [&](const ProgressLine& line) { lines.push_back(line); }});
  double squares = 0, before = 0;
  for (const ProgressLine& line : lines) {
    const auto at = static_cast<double>(line.examples);
    squares += line.error_since * line.error_since * (at - before);
    EXPECT_NEAR(std::sqrt(squares / at), line.error_so_far, 1e-9 * line.error_so_far);
    before = at;
  }
  EXPECT_EQ(lines.size(), 6u);
  EXPECT_NEAR(lines.back().error_so_far, model.progress().online_rmse(), 1e-12);
  EXPECT_FALSE(result.majority_error.has_value());
  source->rewind();
  std::vector<double> numbers;
  for (Batch batch; source->next(batch);) numbers.insert(numbers.end(), batch.targets.begin(), batch.targets.end());
  double mean = 0, variance = 0;
  for (const double y : numbers) mean += y / 3000;
  for (const double y : numbers) variance += (y - mean) * (y - mean) / 3000;
  ASSERT_TRUE(result.baseline_rmse.has_value());
  EXPECT_NEAR(*result.baseline_rmse, std::sqrt(variance), 1e-9);
  EXPECT_LT(model.progress().online_rmse(), *result.baseline_rmse);
}

TEST(Training, OfOtherTasksStoppedAnywhereAndResumedGivesTheSameModel) {
  const Folder folder;
  for (const bool novelty : {false, true}) {
    const Options options = novelty ? Options{{"task", "novelty"}, {"lambda", "0.01"}, {"budget", "30"}} : kRegression;
    const std::string spec = novelty ? "gen:ring?n=5000" : "gen:friedman?n=5000";
    const auto run = [&](Model& model, const TrainingPlan& plan, const TrainingEvents& events) {
      const auto source = open_source(spec, {});
      train(model, *source, plan, events);
    };
    Model whole(options);
    run(whole, {.passes = 2}, {});
    const TrainingPlan plan{.passes = 2, .checkpoint = folder / "c", .every = 700};
    for (int batches = 1; batches <= 9; batches += 2) {
      int seen = 0;
      Model cut(options);
      run(cut, plan, {.stopped = [&] { return seen >= batches; }, .batch = [&] { ++seen; }});
      Model model = Model::load(folder / "c");
      run(model, plan, {});
      EXPECT_EQ(whole.serialize(), model.serialize()) << batches;
    }
  }
}

}  // namespace
}  // namespace kinglet
