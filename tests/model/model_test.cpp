// Model: what the first batch determines, progressive validation, batches, classes and features that appear late,
// threads, and continuing from saved bytes.
#include "kinglet/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "error_of.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/stream.hpp"
#include "model/model_access.hpp"
#include "sampled.hpp"

namespace kinglet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

Model trained(const Options& options, const LabelledTable& table, bool sparse = false, std::size_t rows_at_once = 100,
              std::size_t first_rows = kBatchRows) {
  Model model(options);
  Stream stream(table, sparse);
  model.learn(for_task(stream.next(first_rows), model.task()));
  while (!stream.at_end()) model.learn(for_task(stream.next(rows_at_once), model.task()));
  return model;
}

// Every compatible combination of an update rule, a budget rule and a kernel (a sample under the sanitizers).
std::vector<Options> whole_grid() {
  std::vector<Options> grid;
  std::size_t count = 0;
  for (const Entry* update : update_rules()) {
    for (const Entry* maintain : budget_rules()) {
      for (const Entry* kernel : kernels()) {
        Options options{{"update", update->name}, {"maintain", maintain->name}, {"kernel", kernel->name}};
        if (maintain->name != "none") options.set("budget", "7");
        if (is_sampled(count++) && error_of([&] { complete_options(options); }).empty())
          grid.push_back(std::move(options));
      }
    }
  }
  return grid;
}

// The same for regression and novelty detection with the Gaussian kernel, also with averaged output where that is
// possible.
std::vector<Options> other_tasks() {
  std::vector<Options> grid;
  std::size_t count = 0;
  for (const char* task : {"regress", "novelty"}) {
    for (const char* output : {"last", "average"}) {
      for (Options options : whole_grid()) {
        if (options.text("kernel") != "rbf") continue;
        options.set("task", task);
        options.set("output", output);
        if (is_sampled(count++) && error_of([&] { complete_options(options); }).empty())
          grid.push_back(std::move(options));
      }
    }
  }
  return grid;
}

std::string name_of(const Options& options) {
  std::string name = options.text("update") + " " + options.text("maintain") + " " + options.text("kernel");
  if (options.has("task")) name += " " + options.text("task") + " " + options.text("output");
  return name;
}

// --- the first batch -------------------------------------------------------------------------------------------------

TEST(Model, LearnsCloudsAlmostWithoutMistakes) {
  for (const bool sparse : {false, true}) {
    for (const auto& labels : {std::vector<std::string>{"-1", "1"}, {"a", "b", "c"}}) {
      const Model model = trained({{"budget", "50"}}, clouds(3000, 6, labels), sparse);
      EXPECT_LT(model.progress().online_error(), 0.05);
      EXPECT_EQ(model.progress().examples, 3000u);
      EXPECT_LE(model.stats().support_vectors, 50u);
      EXPECT_EQ(model.stats().examples, 3000u);
      EXPECT_EQ(model.outputs(), labels.size() == 2 ? 1u : 3u);
    }
  }
}

TEST(Model, KnowsNothingBeforeItsFirstExample) {
  const Model model(Options{});
  EXPECT_FALSE(model.has_learned());
  EXPECT_TRUE(model.labels().empty());
  EXPECT_EQ(model.dimension(), 0u);
  const std::vector<Prediction> out = model.predict(one_batch(clouds(3, 2, {"1"}))).rows;
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].label, kNoClass);
}

TEST(Model, SortsTheClassesOfTheFirstBatchAndAppendsLaterOnes) {
  LabelledTable table = clouds(60, 2, {"1"});
  table.y = std::vector<std::string>(60, "1");
  table.y[3] = "-1";
  table.y[40] = "7";
  table.y[50] = "0";
  Model model(Options{});
  Stream stream(table);
  model.learn(stream.next(20));
  EXPECT_THAT(model.labels(), ElementsAre("-1", "1"));
  std::vector<Prediction> before;
  model.learn(stream.next(40), &before);
  EXPECT_THAT(model.labels(), ElementsAre("-1", "1", "7", "0"));
  EXPECT_LT(before[20].label, 2u);  // this class was still unknown
  EXPECT_LT(before[30].label, 3u);
  EXPECT_EQ(model.outputs(), 4u);
}

TEST(Model, ResolvesWhatTheDataDecideAndRemembersWhatWasAsked) {
  const Model model = trained({{"memory", "64K"}}, clouds(500, 4, {"0", "1"}));
  EXPECT_EQ(model.requested_options().text("gamma"), "auto");
  EXPECT_EQ(model.requested_options().text("budget"), "auto");
  EXPECT_GT(model.options().real("gamma"), 0.01);
  EXPECT_LT(model.options().real("gamma"), 1);
  EXPECT_EQ(model.options().text("storage"), "dense");
  EXPECT_EQ(model.options().text("memory"), "64K");
  EXPECT_EQ(static_cast<std::size_t>(model.options().integer("budget")), model.stats().budget);
}

TEST(Model, TakesTheLargestBudgetThatTheMemoryAllows) {
  for (const char* memory : {"16K", "64K", "1M"}) {
    for (const char* maintain : {"merge", "project", "oldest"}) {
      const Model model =
          trained({{"algo", "bpegasos"}, {"memory", memory}, {"maintain", maintain}}, clouds(300, 9, {"0", "1", "2"}));
      Options options = model.options();
      const Shape shape{.dimension = 9, .classes = 3};
      const std::size_t limit = (memory == std::string("1M") ? 1024 : std::stoul(memory)) * 1024;
      const auto budget = options.integer("budget");
      EXPECT_LE(learner_memory(options, shape), limit);
      options.set("budget", std::to_string(budget + 1));
      EXPECT_GT(learner_memory(options, shape), limit);
      EXPECT_LE(model.stats().memory_bytes, limit);
    }
  }
  EXPECT_THAT(error_of([] {
                trained({{"memory", "10"}}, clouds(30, 9, {"0", "1"}));
              }),
              HasSubstr("memory=10 is too little: even one support vector of 9 features takes"));
}

TEST(Model, RefusesABudgetThatTheMachineCannotHold) {
  EXPECT_THAT(error_of([] {
                trained({{"budget", "100000000"}}, clouds(3, 100'000, {"0", "1"}));
              }),
              HasSubstr("lower budget"));
}

TEST(Model, AdvisesToLowerTheBudgetOnlyWhereThatHelps) {
  // One index makes the dimension: nothing may be allocated for it.
  Batch batch;
  batch.sparse = true;
  batch.dimension = 1'000'000'000;
  batch.highest = {1'000'000'000, "data.libsvm:7"};
  batch.indices = {0, 999'999'999};
  batch.values = {1, 1};
  batch.offsets = {0, 1, 2};
  batch.labels = {0, 1};
  batch.new_labels = {"a", "b"};
  const auto problem = [&](const Options& options) { return error_of([&] { Model(options).learn(batch); }); };
  const std::string machine = problem({{"storage", "dense"}, {"budget", "10"}});
  EXPECT_THAT(machine,
              StartsWith("data.libsvm:7: index 1000000000 gives 1000000000 features; the learner would take "));
  EXPECT_THAT(machine, HasSubstr("correct the index (with dimension, higher ones are errors)"));
  EXPECT_THAT(machine, Not(HasSubstr("lower budget")));
  EXPECT_THAT(
      problem({{"memory", "64K"}}),
      StartsWith("data.libsvm:7: index 1000000000 gives 1000000000 features; memory=64K is too little: even one "
                 "support vector of 1000000000 features takes "));
  const std::string budget = error_of([] { trained({{"budget", "100000000"}}, clouds(3, 100'000, {"0", "1"})); });
  EXPECT_THAT(budget, HasSubstr("lower budget to at most "));
}

// --- a stream that changes its shape within a memory limit -----------------------------------------------------------

// The last third of the rows has new classes and ten times as many features.
LabelledTable widening(std::size_t rows) {
  LabelledTable table = clouds(rows, 4, {"a", "b"});
  const LabelledTable more = clouds(rows / 2, 40, {"a", "b", "c", "d", "e", "f"}, 3);
  table.x.insert(table.x.end(), more.x.begin(), more.x.end());
  table.y.insert(table.y.end(), more.y.begin(), more.y.end());
  return table;
}

TEST(Model, LowersItsBudgetWhereTheStreamGrowsAndGoesOn) {
  const LabelledTable table = widening(1200);
  for (const Entry* rule : budget_rules()) {
    Options options{{"memory", "24K"}, {"maintain", rule->name}};
    if (rule->name == "none") continue;
    if (rule->name == "projectron++") options.set("update", "perceptron");
    Model whole(options);
    Stream stream(table, true);
    Batch batch = stream.next(1100);
    std::vector<std::string> texts = batch.new_labels;
    whole.learn(batch);
    EXPECT_TRUE(whole.take_notices().empty()) << rule->name;
    const std::int64_t first = whole.options().integer("budget");
    batch = stream.next(300);
    texts.insert(texts.end(), batch.new_labels.begin(), batch.new_labels.end());
    whole.learn(batch);
    const std::int64_t later = whole.options().integer("budget");
    EXPECT_LT(later, first) << rule->name;
    EXPECT_LE(whole.stats().memory_bytes, 24U << 10) << rule->name;
    EXPECT_EQ(whole.stats().budget, static_cast<std::size_t>(later)) << rule->name;
    const auto notices = whole.take_notices();
    ASSERT_EQ(notices.size(), 1U) << rule->name;
    EXPECT_THAT(notices[0].text(), HasSubstr("the budget went down from")) << rule->name;
    // What is saved goes on exactly.
    Model loaded = Model::deserialize(whole.serialize(), "model");
    EXPECT_EQ(loaded.options().integer("budget"), later);
    batch = stream.next(400);
    whole.learn(batch);
    texts.insert(texts.end(), batch.new_labels.begin(), batch.new_labels.end());
    batch.new_labels = texts;
    loaded.learn(batch);
    EXPECT_EQ(loaded.serialize(), whole.serialize()) << rule->name;
    EXPECT_TRUE(whole.take_notices().empty()) << rule->name;
  }
}

// These algorithms decide by themselves how many support vectors they keep.
TEST(Model, SaysOnceThatTheBudgetTakesAwayFromWhatItLearns) {
  const LabelledTable table = clouds(1500, 2, {"a", "b"});
  for (const char* algorithm : {"spa", "budget-mira-variable", "budget-perceptron-variable"}) {
    Options options{{"algo", algorithm}, {"budget", "5"}, {"gamma", "20"}};
    if (algorithm == std::string("spa")) options.set("beta", "1");
    Model model(options);
    Stream stream(table);
    std::vector<Message> notices;
    for (Batch batch = stream.next(100); batch.rows() > 0; batch = stream.next(100)) {
      model.learn(batch);
      const bool full = model.stats().support_vectors == 5;
      for (const Message& text : model.take_notices()) notices.push_back(text);
      EXPECT_EQ(notices.size(), full || !notices.empty() ? 1U : 0U) << algorithm;
    }
    ASSERT_EQ(notices.size(), 1U) << algorithm;
    EXPECT_THAT(notices[0].text(), HasSubstr("the budget of 5 support vectors is full")) << algorithm;
  }
  for (const char* algorithm : {"bpegasos", "stoptron", "projectron"}) {
    Model model({{"algo", algorithm}, {"budget", "5"}, {"gamma", "20"}});
    model.learn(Stream(table).next(1500));
    EXPECT_TRUE(model.take_notices().empty()) << algorithm;
  }
}

TEST(Model, StaysAsItIsWhereTheStreamGrowsBeyondItsMemory) {
  const LabelledTable table = clouds(1100, 4, {"a", "b"});
  const LabelledTable wide = clouds(10, 500, {"a", "b"});
  for (const Options& options : {Options{{"memory", "24K"}}, Options{{"memory", "24K"}, {"algo", "tvm"}}}) {
    Model model(options);
    Stream stream(table);
    model.learn(stream.next(1100));
    const std::string before = model.serialize();
    model.begin_source();
    const std::string problem = error_of([&] { model.learn(one_batch(wide)); });
    EXPECT_THAT(problem, StartsWith("with 500 features "));
    EXPECT_THAT(problem, HasSubstr("memory=24K"));
    EXPECT_THAT(problem, HasSubstr("raise memory"));
    EXPECT_EQ(model.serialize(), before);
  }
}

TEST(Model, StoresLargeAndNearlyEmptyVectorsInSparseForm) {
  const auto storage = [](std::size_t dimension, double zeros, const char* asked = "auto") {
    return trained({{"storage", asked}, {"maintain", "stop"}}, clouds(30, dimension, {"0", "1"}, 1, zeros), true)
        .options()
        .text("storage");
  };
  EXPECT_EQ(storage(10, 0.95), "dense");
  EXPECT_EQ(storage(10, 0.95, "sparse"), "sparse");
  EXPECT_EQ(storage(25'000, 0.97), "sparse");
  EXPECT_EQ(storage(25'000, 0.5), "dense");
  EXPECT_EQ(storage(25'000, 0.97, "dense"), "dense");
}

TEST(Model, TakesSparseRowsAgainstDenseVectorsIfFewValuesAreNotZero) {
  const auto storage = [](double zeros, const Options& more, std::size_t dimension = 100) {
    Options options{{"budget", "20"}, {"maintain", "stop"}};
    for (const auto& [name, value] : more.all()) options.set(name, value);
    return trained(options, clouds(50, dimension, {"0", "1"}, 1, zeros), true).options().text("storage");
  };
  EXPECT_EQ(storage(0.9, {}), "mixed");
  EXPECT_EQ(storage(0.9, {{"storage", "dense"}}), "dense");
  EXPECT_EQ(storage(0.5, {}), "dense");
  EXPECT_EQ(storage(0.5, {{"storage", "mixed"}}), "mixed");
  // Where rows that are not centred would give another model:
  EXPECT_EQ(storage(0.9, {{"kernel", "linear"}}), "dense");
  EXPECT_EQ(storage(0.9, {{"kernel", "linear"}, {"scale", "none"}}), "mixed");
  EXPECT_EQ(storage(0.9, {{"scale", "minmax"}}), "dense");
  EXPECT_EQ(storage(0.9, {{"kernel", "laplacian"}}), "dense");
}

// The Gaussian kernel does not change if all vectors move. (Not to the last bit: rounding and the drift of the mean
// along the stream decide near-ties differently.)
TEST(Model, IsAsAccurateWithoutCentringAsWithIt) {
  const LabelledTable table = clouds(4000, 60, {"0", "1", "2"}, 3, 0.85);
  for (const char* algo : {"bpegasos", "bmp", "bnewton", "projectron++"}) {
    Options options{{"algo", algo}, {"budget", "50"}, {"storage", "dense"}};
    if (std::string(algo) == "bnewton") options.set("scout", "500");
    const Model dense = trained(options, table, true);
    options.set("storage", "mixed");
    const Model mixed = trained(options, table, true);
    const auto accuracy = [&](const Model& model) {
      const std::vector<Prediction> out = model.predict(one_batch(table, true)).rows;
      std::size_t right = 0;
      for (std::size_t i = 0; i < out.size(); ++i) right += model.labels()[out[i].label] == table.y[i];
      return static_cast<double>(right) / static_cast<double>(out.size());
    };
    EXPECT_GT(accuracy(dense), 0.5) << algo;
    EXPECT_NEAR(accuracy(mixed), accuracy(dense), 0.02) << algo;
    EXPECT_NEAR(dense.options().real("gamma"), mixed.options().real("gamma"), 1e-5 * dense.options().real("gamma"));
  }
}

// The budget follows from the first rows; merged vectors, and later rows with more values, take more than those.
TEST(Model, KeepsSparseVectorsWithinItsMemory) {
  LabelledTable table = clouds(1200, 25'000, {"0", "1"}, 1, 0.999);
  const LabelledTable full = clouds(100, 25'000, {"0", "1"}, 2, 0.99);
  table.x.insert(table.x.end(), full.x.begin(), full.x.end());
  table.y.insert(table.y.end(), full.y.begin(), full.y.end());
  for (const char* maintain : {"merge", "smallest", "project"}) {
    const Options options{{"update", "pegasos"}, {"maintain", maintain}, {"memory", "100K"}};
    const Model model = trained(options, table, true);
    EXPECT_EQ(model.options().text("storage"), "sparse") << maintain;
    EXPECT_LE(model.stats().memory_bytes, std::size_t{100} << 10) << maintain;
    EXPECT_GT(model.stats().memory_bytes, std::size_t{60} << 10) << maintain;
    EXPECT_EQ(trained(options, table, true, 7, 1024).serialize(), trained(options, table, true, 500, 1024).serialize());
  }
}

TEST(Model, StaysWithinItsMemoryWithManyFeatures) {
  for (const std::string algo : {"auto", "bpegasos"}) {
    const Model model = trained({{"algo", algo}, {"memory", "8M"}}, clouds(60, 25'000, {"0", "1"}, 1, 0.99), true);
    EXPECT_EQ(model.options().text("storage"), algo == "auto" ? "mixed" : "sparse") << algo;
    EXPECT_GT(model.stats().support_vectors, 10U) << algo;
    EXPECT_LE(model.stats().memory_bytes, std::size_t{8} << 20) << algo;
  }
}

TEST(Model, LooksAtNoMoreThanTheFirstThousandRowsBeforeItLearns) {
  const LabelledTable table = clouds(3000, 3, {"0", "1"});
  Model at_once(Options{{"budget", "20"}});
  at_once.learn(one_batch(table));
  EXPECT_EQ(at_once.serialize(), trained({{"budget", "20"}}, table).serialize());
}

// --- batches ---------------------------------------------------------------------------------------------------------

// Rows in which some classes and features appear only after the first batch of kFirst rows.
constexpr std::size_t kFirst = 100;

LabelledTable growing_table(std::uint64_t seed) {
  LabelledTable table = clouds(400, 8, {"a", "b", "c"}, seed, 0.3);
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    if (i < 150) table.x[i][6] = 0;
    if (i < 300) table.x[i][7] = 0;
    if (i < 200 && table.y[i] == "c") table.y[i] = "b";
    if (i == 350) table.y[i] = "d";
  }
  return table;
}

void expect_same_however_cut(const Options& options) {
  const LabelledTable table = growing_table(5);
  const std::string whole = trained(options, table, true, 1000, kFirst).serialize();
  EXPECT_EQ(trained(options, table, true, 1, kFirst).serialize(), whole) << name_of(options);
  EXPECT_EQ(trained(options, table, true, 37, kFirst).serialize(), whole) << name_of(options);
}

TEST(Model, IsTheSameHoweverRowsAreCutIntoBatches) {
  for (const char* storage : {"dense", "mixed", "sparse"}) {
    for (Options options : whole_grid()) {
      options.set("storage", storage);
      expect_same_however_cut(options);
    }
    for (const char* scale : {"minmax", "unit", "none"}) {
      expect_same_however_cut({{"update", "pegasos"},
                               {"maintain", "merge"},
                               {"kernel", "rbf"},
                               {"budget", "7"},
                               {"storage", storage},
                               {"scale", scale}});
    }
  }
}

// --- borrowed rows ---------------------------------------------------------------------------------------------------

// A batch that borrows the features of `owner`. Dense rows are copied to `memory`, with `gap` unused numbers between
// them.
Batch borrowing(const Batch& owner, std::size_t gap, std::vector<float>& memory) {
  Batch batch = owner;
  batch.values.clear();
  batch.indices.clear();
  batch.offsets.clear();
  batch.borrowed = owner.features();
  if (owner.sparse) return batch;
  batch.borrowed.stride = owner.dimension + gap;
  memory.assign(owner.rows() * batch.borrowed.stride, std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < owner.rows(); ++i) {
    const Features x = owner.features()[i];
    std::copy(x.values, x.values + x.count, memory.begin() + static_cast<std::ptrdiff_t>(i * batch.borrowed.stride));
  }
  batch.borrowed.values = memory.data();
  return batch;
}

TEST(Model, LearnsAndPredictsBorrowedRowsAsItsOwn) {
  const LabelledTable table = clouds(300, 6, {"a", "b", "c"}, 3, 0.3);
  for (const bool sparse : {false, true}) {
    for (const std::size_t gap : {0, 3}) {
      Model own({{"budget", "20"}});
      Model borrower({{"budget", "20"}});
      Stream stream(table, sparse);
      std::vector<float> memory;
      while (!stream.at_end()) {
        const Batch batch = stream.next(100);
        own.learn(batch);
        borrower.learn(borrowing(batch, gap, memory));
      }
      EXPECT_EQ(borrower.serialize(), own.serialize());
      const Batch all = Stream(table, sparse).next(300);
      std::vector<float> scores;
      std::vector<float> scores_of_borrowed;
      scores = own.scores(all).values;
      scores_of_borrowed = own.scores(borrowing(all, gap, memory)).values;
      EXPECT_EQ(scores, scores_of_borrowed);
    }
  }
}

TEST(Model, RefusesBorrowedRowsThatDoNotFit) {
  const LabelledTable table = clouds(20, 4, {"a", "b"});
  const Batch dense = Stream(table).next(20);
  const Batch sparse = Stream(table, true).next(20);
  std::vector<float> memory;
  const auto refusal = [&](const Batch& owner, const auto& spoil) {
    Batch batch = borrowing(owner, 0, memory);
    spoil(batch);
    return error_of([&] { Model({{"budget", "5"}}).learn(batch); });
  };
  EXPECT_THAT(refusal(dense, [](Batch& batch) { batch.borrowed.count = 19; }), HasSubstr("borrows 19 rows"));
  EXPECT_THAT(refusal(dense, [](Batch& batch) { batch.borrowed.stride = 3; }), HasSubstr("overlap"));
  EXPECT_THAT(refusal(dense, [&](Batch&) { memory[4 * 7 + 2] = -std::numeric_limits<float>::infinity(); }),
              HasSubstr("row 8 of the batch has an infinite value in feature 3"));
  EXPECT_THAT(refusal(sparse, [](Batch& batch) { batch.borrowed.dimension = 2; }), HasSubstr("beyond its dimension 2"));
  std::vector<std::uint64_t> offsets = sparse.offsets;
  std::swap(offsets[3], offsets[9]);
  EXPECT_THAT(refusal(sparse, [&](Batch& batch) { batch.borrowed.offsets = offsets.data(); }),
              HasSubstr("the offsets of the sparse batch decrease"));
}

// --- classes that are expected ---------------------------------------------------------------------------------------

TEST(Model, KnowsClassesThatItExpectsInTheirOrder) {
  const LabelledTable table = clouds(200, 4, {"b", "c"});
  Model model({{"budget", "20"}});
  model.expect_classes(std::vector<std::string>{"c", "a", "b"});
  model.learn(Stream(table).next(200));
  EXPECT_THAT(model.labels(), ElementsAre("c", "a", "b"));
  EXPECT_EQ(model.outputs(), 3U);
  EXPECT_LT(model.progress().online_error(), 0.2);
  model.expect_classes(std::vector<std::string>{"a", "d"});
  EXPECT_THAT(model.labels(), ElementsAre("c", "a", "b", "d"));
  EXPECT_EQ(model.outputs(), 4U);
  EXPECT_EQ(Model::deserialize(model.serialize(), "model").serialize(), model.serialize());
}

TEST(Model, KeepsExpectedClassesBeforeItHasLearned) {
  Model model({{"budget", "20"}});
  model.expect_classes(std::vector<std::string>{"no", "yes"});
  EXPECT_THAT(Model::deserialize(model.serialize(), "model").labels(), ElementsAre("no", "yes"));
}

TEST(Model, ExpectsNoClassesWhereThereAreNone) {
  const std::vector<std::string> texts{"a"};
  EXPECT_THAT(error_of([&] { Model({{"task", "regress"}}).expect_classes(texts); }), HasSubstr("task=classify"));
}

TEST(Model, IsTheSameHoweverRowsAreCutWhenAFeatureAppearsLate) {
  LabelledTable table = clouds(300, 8, {"0", "1"});
  const LabelledTable wider = clouds(1, 40, {"0", "1"}, 2);
  table.x[157] = wider.x[0];  // in the middle of a batch of 100
  for (const char* storage : {"dense", "mixed", "sparse"}) {
    for (const char* scale : {"standard", "unit"}) {
      const Options options{{"budget", "20"}, {"gamma", "0.1"}, {"storage", storage}, {"scale", scale}};
      const std::string whole = trained(options, table, true, 100, 50).serialize();
      EXPECT_EQ(trained(options, table, true, 1, 50).serialize(), whole) << storage << ' ' << scale;
    }
  }
}

TEST(Model, RefusesToGrowBeyondTheMemoryItWasGiven) {
  LabelledTable table = clouds(300, 3, {"0", "1"});
  table.x[200] = clouds(1, 5000, {"0", "1"}, 2).x[0];
  EXPECT_THAT(error_of([&] { trained({{"memory", "16K"}}, table, true, 100, 100); }), HasSubstr("raise memory"));
}

TEST(Model, RemembersWhatIndicesCountFrom) {
  const LabelledTable table = clouds(50, 3, {"0", "1"});
  Stream stream(table, true);
  Batch batch = stream.next(50);
  batch.index_base = 0;
  Model model({{"budget", "10"}});
  model.learn(batch);
  EXPECT_EQ(Model::deserialize(model.serialize(), "model").index_base(), 0);
}

TEST(Model, GivesThePredictionsThatItMadeBeforeLearning) {
  const LabelledTable table = clouds(1300, 3, {"x", "y", "z"}, 3);
  const Options options{{"scale", "none"}, {"budget", "10"}};
  Model all(options);
  Model one_by_one(options);
  std::vector<Prediction> before, after, expected;
  Stream stream(table);
  Stream same(table);
  const Batch head = stream.next(1024);
  all.learn(head);
  one_by_one.learn(same.next(1024));
  all.learn(stream.next(276), &before);
  Model::LabelMap classes_of(all);
  classes_of(head);
  std::uint64_t mistakes = one_by_one.progress().mistakes;
  while (!same.at_end()) {
    const Batch row = same.next(1);
    after = one_by_one.predict(row).rows;
    expected.push_back(after[0]);
    one_by_one.learn(row);
    mistakes += after[0].label != classes_of(row)[0];
  }
  ASSERT_EQ(before.size(), expected.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].label, expected[i].label);
    EXPECT_EQ(before[i].score, expected[i].score);
  }
  EXPECT_EQ(all.progress().mistakes, mistakes);
  EXPECT_EQ(one_by_one.progress().mistakes, mistakes);
}

TEST(Model, CountsTheFirstExampleOfANewClassAsAMistake) {
  LabelledTable table = clouds(200, 2, {"a"});
  Model model(Options{});
  Stream stream(table);
  model.learn(stream.next(100));
  const auto before = model.progress().mistakes;
  table.y[100] = "b";
  std::vector<Prediction> predicted;
  model.learn(stream.next(1), &predicted);
  EXPECT_EQ(predicted[0].label, 0u);
  EXPECT_EQ(model.progress().mistakes, before + 1);
}

TEST(Model, TakesSparseRowsAndDenseRowsForTheSame) {
  const LabelledTable table = clouds(1500, 5, {"0", "1"}, 4, 0.5);
  for (const char* storage : {"dense", "mixed", "sparse"}) {
    const Options options{{"storage", storage}, {"budget", "30"}};
    EXPECT_EQ(trained(options, table, true).serialize(), trained(options, table, false).serialize());
  }
}

TEST(Model, PassesOverAnEmptyBatch) {
  Model model(Options{});
  model.learn(Batch{});
  EXPECT_FALSE(model.has_learned());
  model.learn(one_batch(clouds(10, 2, {"0", "1"})));
  model.learn(Batch{});
  EXPECT_EQ(model.progress().examples, 10u);
}

TEST(Model, LearnsRowsWithoutAnyFeature) {
  LabelledTable table = clouds(50, 3, {"0", "1"});
  for (auto& row : table.x) row.assign(3, 0);
  for (const char* storage : {"dense", "mixed", "sparse"}) {
    const Model model = trained({{"storage", storage}, {"maintain", "stop"}}, table, true);
    EXPECT_EQ(model.progress().examples, 50u);
    const std::vector<Prediction> out = model.predict(one_batch(table, true)).rows;
    EXPECT_LT(out[0].label, 2u);
  }
}

// --- user errors -----------------------------------------------------------------------------------------------------

TEST(Model, RefusesARowWithoutALabelAndStaysAsItWas) {
  LabelledTable table = clouds(100, 2, {"0", "1"});
  Model model(Options{});
  Stream stream(table);
  model.learn(stream.next(50));
  table.y[60] = "";
  const std::string saved = model.serialize();
  EXPECT_EQ(error_of([&] { model.learn(stream.next(50)); }),
            "example 61 has no label: learning needs one for every example");
  EXPECT_EQ(model.serialize(), saved);
}

TEST(Model, RefusesAnInfiniteValueAndSaysWhere) {
  for (const bool sparse : {false, true}) {
    LabelledTable table = clouds(20, 3, {"0", "1"});
    table.x[4][2] = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(error_of([&] { trained({}, table, sparse); }), "row 5 of the batch has an infinite value in feature 3");
  }
}

TEST(Model, RefusesABadWeight) {
  Batch batch = one_batch(clouds(3, 3, {"0", "1"}));
  batch.weights = {1, -1, 1};
  EXPECT_EQ(error_of([&] { Model(Options{}).learn(batch); }),
            "example 2 has the weight -1: a weight must be a number ≥ 0");
  batch.weights = {1, 1};
  EXPECT_NE(error_of([&] { Model(Options{}).learn(batch); }), "");
}

TEST(Model, RefusesABatchThatContradictsItself) {
  Batch batch = one_batch(clouds(3, 3, {"0", "1"}));
  batch.values.pop_back();
  EXPECT_NE(error_of([&] { Model(Options{}).learn(batch); }), "");
  batch = one_batch(clouds(3, 3, {"0", "1"}), true);
  batch.indices[1] = 99;
  EXPECT_NE(error_of([&] { Model(Options{}).learn(batch); }), "");
  batch = one_batch(clouds(3, 3, {"0", "1"}), true);
  batch.offsets[1] = 99;
  EXPECT_NE(error_of([&] { Model(Options{}).learn(batch); }), "");
}

TEST(Model, LeavesOutFeaturesThatTrainingNeverSawAndCountsThem) {
  const LabelledTable narrow = clouds(300, 3, {"0", "1"});
  LabelledTable wide = narrow;
  for (auto& row : wide.x) row.insert(row.end(), {5, 0});
  const Model model = trained({}, narrow);
  const Predictions expected = model.predict(one_batch(narrow));
  EXPECT_EQ(expected.ignored_values, 0u);
  for (const bool sparse : {false, true}) {
    const Predictions out = model.predict(one_batch(wide, sparse));
    EXPECT_EQ(out.ignored_values, 300u);
    ASSERT_EQ(out.rows.size(), 300u);
    for (std::size_t i = 0; i < out.rows.size(); ++i) EXPECT_EQ(out.rows[i].score, expected.rows[i].score);
    EXPECT_EQ(model.scores(one_batch(wide, sparse)).ignored_values, 300u);
  }
}

TEST(Model, ReplacesMissingValues) {
  LabelledTable table = clouds(1500, 4, {"0", "1"});
  for (std::size_t i = 0; i < table.x.size(); i += 3) table.x[i][i % 4] = kMissing;
  const Model model = trained({}, table);
  EXPECT_LT(model.progress().online_error(), 0.15);
  const std::vector<float> scores = model.scores(one_batch(table)).values;
  for (const float score : scores) EXPECT_TRUE(std::isfinite(score));
}

// --- weights, labels, positions --------------------------------------------------------------------------------------

TEST(Model, WeighsClassesLikeTheirExamples) {
  LabelledTable table = clouds(400, 3, {"-1", "1"});
  Model by_class(Options{{"class-weight", "+1=3,5=9"}});
  Model by_row(Options{{"class-weight", "1=3,5=9"}});
  Model by_hand(Options{});
  Batch batch = one_batch(table);
  by_class.learn(batch);
  by_row.learn(batch);
  batch.weights.resize(400);
  for (std::size_t i = 0; i < 400; ++i) batch.weights[i] = table.y[i] == "1" ? 3 : 1;
  by_hand.learn(batch);
  std::vector<float> a, b, c;
  a = by_class.scores(batch).values;
  b = by_row.scores(batch).values;
  c = by_hand.scores(batch).values;
  EXPECT_EQ(a, c);
  EXPECT_EQ(b, c);
}

TEST(Model, BalancesClassesByTheirCountsSoFar) {
  LabelledTable table = clouds(600, 3, {"a", "b", "c"});
  for (std::size_t i = 0; i < 600; ++i) {
    if (i % 10 != 0 && table.y[i] == "b") table.y[i] = "a";
    if (i < 400 && table.y[i] == "c") table.y[i] = "a";  // this class comes late
  }
  std::map<std::string, double> counts;
  std::vector<float> weights;
  for (std::size_t i = 0; i < 600; ++i) {
    counts[table.y[i]] += 1;
    weights.push_back(
        static_cast<float>(static_cast<double>(i + 1) / (static_cast<double>(counts.size()) * counts[table.y[i]])));
  }
  Model balanced(Options{{"class-weight", "balanced"}}), by_hand(Options{});
  Stream stream(table), weighted(table);
  for (std::size_t at = 0; at < 600; at += 200) {
    balanced.learn(stream.next(200));
    Batch batch = weighted.next(200);
    batch.weights.assign(weights.begin() + static_cast<std::ptrdiff_t>(at),
                         weights.begin() + static_cast<std::ptrdiff_t>(at + 200));
    by_hand.learn(batch);
  }
  const Batch batch = one_batch(table);
  EXPECT_EQ(balanced.scores(batch).values, by_hand.scores(batch).values);
}

TEST(Model, MapsLabelsOfAnotherSource) {
  const Model model = trained({}, clouds(100, 2, {"b", "a"}));
  LabelledTable other = clouds(4, 2, {"b"});
  other.y = {"b", "new", "", "a"};
  Model::LabelMap classes_of(model);
  Stream stream(other);
  EXPECT_THAT(classes_of(stream.next(2)), ElementsAre(1u, kNoClass));
  EXPECT_THAT(classes_of(stream.next(2)), ElementsAre(kNoClass, 0u));
}

TEST(Model, StartsLabelIdsAfreshForANewSource) {
  LabelledTable first = clouds(50, 2, {"b"});
  LabelledTable second = clouds(50, 2, {"a"});
  Model model(Options{});
  model.learn(one_batch(first));
  model.begin_source();
  model.learn(one_batch(second));
  EXPECT_THAT(model.labels(), ElementsAre("b", "a"));
  EXPECT_EQ(model.stats().classes, 2u);
}

TEST(Model, KnowsWhereItStandsInItsData) {
  Model model(Options{});
  const LabelledTable table = clouds(30, 2, {"0", "1"});
  Stream stream(table);
  model.learn(stream.next(20));
  EXPECT_EQ(position_of(model).row, 20u);
  model.end_pass();
  EXPECT_EQ(position_of(model).pass, 1u);
  EXPECT_EQ(position_of(model).row, 0u);
  model.learn(stream.next(10));
  EXPECT_EQ(position_of(model).row, 10u);
  set_position(model, {.pass = 3, .row = 4});
  const Model loaded = Model::deserialize(model.serialize(), "model");
  EXPECT_EQ(position_of(loaded).pass, 3u);
  EXPECT_EQ(position_of(loaded).row, 4u);
}

// --- threads ---------------------------------------------------------------------------------------------------------

TEST(Model, PredictsTheSameWithAnyNumberOfThreads) {
  for (const auto& labels : {std::vector<std::string>{"0", "1"}, {"0", "1", "2"}}) {
    const LabelledTable table = clouds(2500, 30, labels);
    const Model model = trained({{"budget", "100"}}, table);
    const Batch batch = one_batch(table);
    std::vector<Prediction> one, many;
    std::vector<float> scores_one, scores_many;
    one = model.predict(batch, 1).rows;
    scores_one = model.scores(batch, 1).values;
    for (const unsigned threads : {0u, 2u, 3u, 8u}) {
      many = model.predict(batch, threads).rows;
      scores_many = model.scores(batch, threads).values;
      EXPECT_EQ(scores_many, scores_one);
      for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(many[i].label, one[i].label);
        ASSERT_EQ(many[i].score, one[i].score);
      }
    }
  }
}

// --- saving ----------------------------------------------------------------------------------------------------------

// Learns two passes. After the batch that reaches row `stop_at` of a pass, saves and loads the model and opens the
// source again. The model after two passes. At each of these rows, in both passes, it is saved and loaded, and its
// stream starts again.
std::string two_passes(const Options& options, const LabelledTable& table, const std::vector<std::size_t>& stops_at) {
  Model model(options);
  for (int pass = 0; pass < 2; ++pass) {
    Stream stream(table, true);
    for (std::size_t row = 0; !stream.at_end();) {
      const std::size_t n = row == 0 ? kFirst : 39;
      model.learn(for_task(stream.next(n), model.task()));
      const bool stops = std::ranges::any_of(stops_at, [&](std::size_t at) { return row < at && at <= row + n; });
      row += n;
      if (!stops) continue;
      model = Model::deserialize(model.serialize(), "saved");
      stream = Stream(table, true);
      Batch only_labels;
      only_labels.new_labels = stream.next(row).new_labels;
      model.learn(only_labels);
    }
    model.begin_source();
    model.end_pass();
  }
  return model.serialize();
}

const std::vector<std::size_t> kStops = {50, 180, 330};

TEST(Model, GoesOnFromSavedBytesAsIfItHadNeverStopped) {
  const LabelledTable table = growing_table(9);
  for (const char* storage : {"dense", "mixed", "sparse"}) {
    for (Options options : whole_grid()) {
      options.set("storage", storage);
      EXPECT_EQ(two_passes(options, table, kStops), two_passes(options, table, {}))
          << name_of(options) << " " << storage;
    }
  }
}

TEST(Model, GoesOnWithTheCountsOfItsClasses) {
  const Options options{{"class-weight", "balanced"}, {"budget", "7"}};
  const LabelledTable table = growing_table(9);
  const std::string never = two_passes(options, table, {});
  EXPECT_THAT(never, HasSubstr("class_counts"));
  EXPECT_EQ(two_passes(options, table, kStops), never);
}

TEST(Model, PredictsTheSameAfterLoading) {
  const LabelledTable table = clouds(300, 6, {"x", "y", "z"});
  for (const Options& options : whole_grid()) {
    const Model model = trained(options, table);
    const Model loaded = Model::deserialize(model.serialize(), "saved");
    std::vector<float> before, after;
    before = model.scores(one_batch(table)).values;
    after = loaded.scores(one_batch(table)).values;
    EXPECT_EQ(before, after) << name_of(options);
    EXPECT_EQ(loaded.serialize(), model.serialize()) << name_of(options);
    EXPECT_EQ(loaded.options().all(), model.options().all());
    EXPECT_EQ(loaded.requested_options().all(), model.requested_options().all());
    EXPECT_EQ(loaded.progress().mistakes, model.progress().mistakes);
    EXPECT_THAT(loaded.labels(), ElementsAre("x", "y", "z"));
  }
}

TEST(Model, SavesAndLoadsBeforeItHasLearned) {
  const Model model(Options{{"budget", "12"}, {"class-weight", "1=2"}});
  Model loaded = Model::deserialize(model.serialize(), "saved");
  EXPECT_EQ(loaded.serialize(), model.serialize());
  EXPECT_EQ(loaded.options().integer("budget"), 12);
  loaded.learn(one_batch(clouds(100, 2, {"0", "1"})));
  EXPECT_EQ(loaded.progress().examples, 100u);
}

TEST(Model, NoticesLabelsThatAreEverNew) {
  LabelledTable table = clouds(3000, 2, {"a", "b"});
  for (std::size_t i = 0; i < table.y.size(); ++i) table.y[i] = "x" + std::to_string(i < 1024 ? i % 100 : i);
  Model model(Options{{"budget", "5"}});
  Stream stream(table);
  std::vector<std::string> said;
  while (!stream.at_end()) {
    model.learn(stream.next(500));
    for (const Message& text : model.take_notices()) said.push_back(text.text());
  }
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("different labels in 2"));
  EXPECT_THAT(said[0], HasSubstr("task=regress"));
  EXPECT_THAT(said[0], HasSubstr("label_column"));
  // A hundred classes are no reason.
  Model usual(Options{{"budget", "5"}});
  for (std::size_t i = 0; i < table.y.size(); ++i) table.y[i] = "x" + std::to_string(i % (i < 2500 ? 50 : 100));
  Stream other(table);
  while (!other.at_end()) usual.learn(other.next(500));
  EXPECT_TRUE(usual.take_notices().empty());
}

TEST(Model, KeepsLabelsThatAreNoText) {
  LabelledTable table = clouds(50, 2, {"caf\xE9", "\xFF\x01", "größe"});
  const Model model = trained({{"class-weight", "caf\xE9=2"}}, table);
  const Model loaded = Model::deserialize(model.serialize(), "saved");
  EXPECT_TRUE(std::ranges::equal(loaded.labels(), model.labels()));
  EXPECT_EQ(loaded.serialize(), model.serialize());
  EXPECT_EQ(loaded.options().text("class-weight"), "caf\xE9=2");
}

TEST(Model, RefusesToLoadMoreThanTheMemoryItMayUse) {
  const Model model = trained({{"budget", "5000"}}, clouds(100, 10, {"0", "1"}));
  const std::string bytes = model.serialize();
  EXPECT_NO_THROW(Model::deserialize(bytes, "model"));
  EXPECT_THAT(error_of([&] { Model::deserialize(bytes, "model", 10'000); }),
              HasSubstr("model: the learner would take"));
}

// --- numbers and novelties -------------------------------------------------------------------------------------------

double deviation_of(const std::vector<float>& numbers) {
  double sum = 0, squares = 0;
  for (const float y : numbers) {
    sum += static_cast<double>(y);
    squares += static_cast<double>(y) * static_cast<double>(y);
  }
  const auto n = static_cast<double>(numbers.size());
  return std::sqrt(squares / n - sum / n * sum / n);
}

TEST(Model, LearnsNumbersMuchBetterThanTheirMean) {
  const LabelledTable table = clouds(4000, 3, {"a", "b"});
  for (const bool sparse : {false, true}) {
    for (const char* update : {"ogd", "pa2", "norma"}) {
      const Model model = trained({{"task", "regress"}, {"update", update}, {"budget", "100"}}, table, sparse);
      const Batch batch = with_numbers(one_batch(table, sparse));
      const double deviation = deviation_of(batch.targets);
      EXPECT_LT(model.progress().online_rmse(), 0.7 * deviation) << update;
      EXPECT_LT(model.progress().online_mae(), model.progress().online_rmse()) << update;
      EXPECT_EQ(model.progress().mistakes, 0u);
      EXPECT_TRUE(model.labels().empty());
      EXPECT_EQ(model.outputs(), 1u);
      EXPECT_EQ(model.task(), TaskKind::regress);
      std::vector<Prediction> out;
      std::vector<float> scores;
      out = model.predict(batch).rows;
      scores = model.scores(batch).values;
      double squares = 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_EQ(out[i].label, kNoClass);
        ASSERT_EQ(out[i].score, scores[i]);
        const double error = static_cast<double>(batch.targets[i]) - static_cast<double>(scores[i]);
        squares += error * error;
      }
      EXPECT_LT(std::sqrt(squares / 4000), 0.6 * deviation) << update;
    }
  }
}

Batch in_unit(Batch batch, double unit, double offset) {
  for (float& y : batch.targets) y = static_cast<float>(unit * static_cast<double>(y) + offset);
  return batch;
}

TEST(Model, PredictsTheSameNumbersInAnotherUnit) {
  const LabelledTable table = clouds(3000, 3, {"a", "b"});
  const auto learn = [&](double unit, double offset) {
    Model model({{"task", "regress"}, {"update", "pa1"}, {"budget", "50"}});
    Stream stream(table);
    while (!stream.at_end()) model.learn(in_unit(with_numbers(stream.next(kBatchRows)), unit, offset));
    return model;
  };
  const Batch batch = one_batch(table);
  const Model plain = learn(1, 0);
  const std::vector<float> expected = plain.scores(batch).values;
  for (const double unit : {0x1p-20, 0x1p20}) {
    const Model model = learn(unit, 0);
    const std::vector<float> scores = model.scores(batch).values;
    for (std::size_t i = 0; i < scores.size(); ++i) ASSERT_NEAR(scores[i] / unit, expected[i], 1e-4);
    EXPECT_NEAR(model.progress().online_rmse() / unit, plain.progress().online_rmse(), 1e-4);
    EXPECT_NEAR(model.predict(table.x[0]).number(), scores[0], 1e-6 * unit);
  }
  const Model shifted = learn(1, 64);
  EXPECT_NEAR(shifted.progress().online_rmse(), plain.progress().online_rmse(), 0.01);
}

TEST(Model, LearnsNumbersAsTheyAreWithoutTargetScaling) {
  const LabelledTable table = clouds(500, 3, {"a", "b"});
  const Batch batch = in_unit(with_numbers(one_batch(table)), 100, 0);
  Model model(
      {{"task", "regress"}, {"update", "pa"}, {"maintain", "none"}, {"target-scale", "none"}, {"epsilon", "1e4"}});
  model.learn(batch);
  EXPECT_EQ(model.stats().support_vectors, 0u) << "epsilon is in the unit of the target";
  EXPECT_EQ(model.scores(batch).values, std::vector<float>(500, 0));
}

// The prediction of a row must not depend on its own target; only those of the head are read in advance.
TEST(Model, DoesNotUseATargetBeforeItIsPredicted) {
  const LabelledTable table = clouds(1400, 2, {"a"});
  for (const std::size_t row : {1024u, 1100u, 1399u}) {
    std::vector<Prediction> honest, changed;
    Batch batch = with_numbers(one_batch(table));
    Model(Options{{"task", "regress"}}).learn(batch, &honest);
    batch.targets[row] = 1e6F;
    Model(Options{{"task", "regress"}}).learn(batch, &changed);
    EXPECT_EQ(honest[row].score, changed[row].score) << row;
  }
}

TEST(Model, AddsUpTheErrorsOfTheNumbersItNamedBeforeLearning) {
  const LabelledTable table = clouds(1500, 2, {"a"});
  for (const char* output : {"last", "average"}) {
    Model model({{"task", "regress"}, {"maintain", "stop"}, {"update", "ogd"}, {"output", output}});
    Stream stream(table);
    double squared = 0, absolute = 0;
    while (!stream.at_end()) {
      const Batch batch = with_numbers(stream.next(300));
      std::vector<Prediction> before;
      model.learn(batch, &before);
      for (std::size_t i = 0; i < batch.rows(); ++i) {
        const double error = static_cast<double>(batch.targets[i]) - static_cast<double>(before[i].score);
        squared += error * error;
        absolute += std::abs(error);
      }
    }
    EXPECT_EQ(model.progress().squared_error, squared);
    EXPECT_EQ(model.progress().absolute_error, absolute);
    EXPECT_EQ(model.progress().examples, 1500u);
    EXPECT_DOUBLE_EQ(model.progress().online_rmse(), std::sqrt(squared / 1500));
    EXPECT_DOUBLE_EQ(model.progress().online_mae(), absolute / 1500);
  }
}

TEST(Model, OfAnyTaskIsTheSameHoweverRowsAreCutIntoBatches) {
  for (const Options& options : other_tasks()) expect_same_however_cut(options);
}

TEST(Model, OfAnyTaskGoesOnFromSavedBytesAsIfItHadNeverStopped) {
  const LabelledTable table = growing_table(9);
  for (const Options& options : other_tasks()) {
    EXPECT_EQ(two_passes(options, table, kStops), two_passes(options, table, {})) << name_of(options);
  }
}

TEST(Model, OfAnyTaskPredictsTheSameAfterLoading) {
  const LabelledTable table = clouds(300, 6, {"x", "y"});
  for (const Options& options : other_tasks()) {
    const Model model = trained(options, table);
    const Model loaded = Model::deserialize(model.serialize(), "saved");
    std::vector<float> before, after;
    before = model.scores(one_batch(table)).values;
    after = loaded.scores(one_batch(table), 3).values;
    EXPECT_EQ(before, after) << name_of(options);
    EXPECT_EQ(loaded.serialize(), model.serialize()) << name_of(options);
    EXPECT_EQ(loaded.task(), model.task());
    EXPECT_EQ(loaded.progress().squared_error, model.progress().squared_error);
    EXPECT_EQ(loaded.progress().absolute_error, model.progress().absolute_error);
    EXPECT_EQ(loaded.progress().mistakes, model.progress().mistakes);
    EXPECT_TRUE(std::ranges::equal(loaded.labels(), model.labels()));
  }
}

TEST(Model, WeighsNumbersByTheirRows) {
  const Options options{{"task", "regress"}, {"update", "ogd"}, {"eta", "0.1"}};
  Batch batch = with_numbers(one_batch(clouds(200, 2, {"a"})));
  Model plain(options), ones(options), heavy(options);
  plain.learn(batch);
  batch.weights.assign(200, 1);
  ones.learn(batch);
  batch.weights.assign(200, 2);
  heavy.learn(batch);
  EXPECT_EQ(plain.serialize(), ones.serialize());
  EXPECT_NE(plain.serialize(), heavy.serialize());
}

TEST(Model, WantsAFiniteNumberForEachRowAndStaysAsItWas) {
  Model model(Options{{"task", "regress"}});
  const LabelledTable table = clouds(100, 2, {"0", "1"});
  Stream stream(table);
  model.learn(with_numbers(stream.next(50)));
  const std::string saved = model.serialize();
  Batch batch = stream.next(50);
  EXPECT_EQ(error_of([&] { model.learn(batch); }),
            "example 51 has no number for a label: task=regress needs one for every example");
  batch = with_numbers(batch);
  batch.targets[7] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_of([&] { model.learn(batch); }), "example 58 has the label inf: task=regress needs a finite number");
  batch.targets.pop_back();
  EXPECT_NE(error_of([&] { model.learn(batch); }), "");
  EXPECT_EQ(model.serialize(), saved);
}

TEST(Model, TakesNoNumbersForClasses) {
  EXPECT_EQ(error_of([&] {
              Model(Options{}).learn(with_numbers(one_batch(clouds(10, 2, {"0", "1"}))));
            }),
            "the labels are numbers, not classes: learn them with task=regress");
}

TEST(Model, WeighsClassesOnlyWhereThereAreAny) {
  for (const char* task : {"regress", "novelty"}) {
    EXPECT_EQ(error_of([&] {
                Model({{"task", task}, {"class-weight", "1=2"}});
              }),
              std::string("class-weight is not an option of task=") + task + "; task=classify takes it");
  }
}

// A cloud of normal rows, and a few outliers far away from it.
LabelledTable normal_with_outliers(std::size_t rows) {
  LabelledTable table = clouds(rows, 2, {"1"});
  Random random(3);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!random.coin(0.05)) continue;
    table.y[i] = "-1";
    for (float& x : table.x[i]) x += random.coin(0.5) ? 9 : -9;
  }
  return table;
}

TEST(Model, FindsWhatIsNovel) {
  const LabelledTable table = normal_with_outliers(5000);
  for (const bool sparse : {false, true}) {
    Model model(Options{{"task", "novelty"}, {"lambda", "0.01"}, {"budget", "50"}});
    EXPECT_THAT(model.labels(), ElementsAre("-1", "1"));
    const Batch batch = one_batch(table, sparse);
    model.learn(batch);
    EXPECT_THAT(model.labels(), ElementsAre("-1", "1"));
    EXPECT_EQ(model.stats().classes, 2u);
    EXPECT_LT(model.progress().online_error(), 0.04);
    const std::vector<Prediction> out = model.predict(batch).rows;
    Model::LabelMap classes_of(model);
    const auto truth = classes_of(batch);
    std::size_t novel = 0, found = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      ASSERT_EQ(out[i].label, out[i].score >= 0 ? 1u : 0u);
      novel += truth[i] == 0;
      found += truth[i] == 0 && out[i].label == 0;
    }
    EXPECT_GT(found, novel * 9 / 10);
  }
}

TEST(Model, ComparesLabelsOfNoveltiesButDoesNotLearnThem) {
  const LabelledTable table = normal_with_outliers(2000);
  const Options options{{"task", "novelty"}, {"lambda", "0.01"}, {"budget", "50"}};
  LabelledTable flipped = table;
  for (std::string& y : flipped.y) y = y == "1" ? "-1" : "1";
  Model model(options), other(options), unlabelled(options);
  const Batch batch = one_batch(table);
  std::vector<Prediction> before;
  model.learn(batch, &before);
  other.learn(one_batch(flipped));
  unlabelled.learn(without_labels(batch));
  std::vector<float> scores, same;
  scores = model.scores(batch).values;
  for (const Model* each : {&other, &unlabelled}) {
    same = each->scores(batch).values;
    EXPECT_EQ(scores, same);
  }
  EXPECT_EQ(model.progress().mistakes + other.progress().mistakes, 2000u);
  const auto called_novel = std::ranges::count(before, ClassId{0}, &Prediction::label);
  EXPECT_EQ(unlabelled.progress().mistakes, static_cast<std::uint64_t>(called_novel));
  Model::LabelMap classes_of(unlabelled);
  EXPECT_THAT(classes_of(without_labels(one_batch(clouds(2, 2, {"1"})))), ElementsAre(1u, 1u));
}

TEST(Model, KnowsTwoLabelsOfNoveltiesAndRefusesOthers) {
  Model model(Options{{"task", "novelty"}});
  LabelledTable table = normal_with_outliers(50);
  table.y[20] = "odd";
  EXPECT_EQ(error_of([&] { model.learn(one_batch(table)); }),
            "example 21 has the label 'odd': task=novelty knows 1 (normal) and -1 (novel)");
  EXPECT_FALSE(model.has_learned());
}

}  // namespace
}  // namespace kinglet
