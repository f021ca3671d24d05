// Training runs: the model does not depend on the size of batches, nor on where a run is interrupted and continued.
#include "lab/training.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "data/text_source.hpp"
#include "kinglet/error.hpp"
#include "kinglet/source.hpp"

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

std::string trained(const std::string& text, const TrainingPlan& plan, const TrainingEvents& events = {}) {
  Model model(kLearner);
  const auto source = read_memory(text, {});
  train(model, *source, plan, events);
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
  const std::string whole = trained(text, {.passes = 3});
  for (int batches = 1; batches <= 15; ++batches) {
    int seen = 0;
    trained(text, plan, {.stopped = [&] { return seen >= batches; }, .batch = [&] { ++seen; }});
    Model model = Model::load(folder / "c");
    EXPECT_GT(model.progress().examples, 0u);
    const auto source = read_memory(text, {});
    train(model, *source, plan, {});
    EXPECT_EQ(whole, model.serialize()) << batches;
  }
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
