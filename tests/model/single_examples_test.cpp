// One example at a time: the same model as from batches, predictions from the first example on, saving early, labels as
// texts and numbers, errors, and threads that predict together.
#include "model/single_examples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "error_of.hpp"
#include "learn/flat_model.hpp"
#include "learn/stream.hpp"
#include "model/model_access.hpp"

namespace kinglet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

float weight_of(std::size_t row, bool weighted) { return weighted ? 0.5F + static_cast<float>(row % 3) : 1.0F; }

// The regression target of a row. Missing values count as 0.
float number_of(const std::vector<float>& x) {
  std::vector<float> known = x;
  std::ranges::replace_if(
      known, [](float value) { return std::isnan(value); }, 0.0F);
  return static_cast<float>(number_for(Features::dense(known)));
}

void learn_row(Model& model, const LabelledTable& table, std::size_t row, bool weighted = false) {
  const std::vector<float>& x = table.x[row];
  const float weight = weight_of(row, weighted);
  if (model.task() == TaskKind::classify) {
    model.learn(x, table.y[row], weight);
  } else if (model.task() == TaskKind::regress) {
    model.learn(x, number_of(x), weight);
  } else {
    model.learn(x);
  }
}

Model one_by_one(const Options& options, const LabelledTable& table, std::size_t rows, bool weighted = false) {
  Model model(options);
  for (std::size_t i = 0; i < rows; ++i) learn_row(model, table, i, weighted);
  return model;
}

// The batch with the kind of labels that the task needs. It begins with row `first` of the table.
Batch batch_for(TaskKind task, Batch batch, const LabelledTable& table, std::size_t first) {
  batch = for_task(std::move(batch), task);
  for (std::size_t i = 0; i < batch.targets.size(); ++i) batch.targets[i] = number_of(table.x[first + i]);
  return batch;
}

Model in_batches(const Options& options, const LabelledTable& table, std::size_t rows, bool weighted = false) {
  Model model(options);
  LabelledTable some = table;
  some.x.resize(rows);
  some.y.resize(rows);
  Stream stream(some);
  for (std::size_t done = 0; done < rows;) {
    Batch batch = batch_for(model.task(), stream.next(kBatchRows), table, done);
    for (std::size_t i = 0; weighted && i < batch.rows(); ++i) batch.weights.push_back(weight_of(done + i, true));
    model.learn(batch);
    done += batch.rows();
  }
  return model;
}

// Three classes, of which crow appears only after 40 rows. One feature is missing in every seventh row.
LabelledTable some_table(std::size_t rows) {
  LabelledTable table = clouds(rows, 4, {"robin", "crow", "wren"});
  for (std::size_t i = 0; i < rows; ++i) {
    if (i % 7 == 0) table.x[i][2] = kMissing;
    if (i < 40 && table.y[i] == "crow") table.y[i] = "wren";
  }
  return table;
}

std::vector<Options> many_options() {
  return {{},
          {{"budget", "20"}, {"proba", "true"}},
          {{"budget", "20"}, {"class-weight", "crow=3"}, {"scale", "minmax"}},
          {{"memory", "64K"}, {"kernel", "laplacian"}, {"maintain", "project"}},
          {{"algo", "projectron"}, {"budget", "30"}, {"scale", "none"}},
          {{"algo", "pegasos"}, {"output", "average"}, {"storage", "sparse"}},
          {{"query", "ramp"}, {"budget", "20"}},
          {{"query", "greedy"}, {"query-window", "5"}, {"budget", "20"}, {"proba", "true"}},
          {{"algo", "lasvm"}},
          {{"task", "regress"}, {"budget", "20"}},
          {{"task", "regress"}, {"algo", "norma"}},
          {{"task", "novelty"}, {"budget", "20"}}};
}

// --- the same model --------------------------------------------------------------------------------------------------

TEST(SingleExamples, GiveTheSameModelAsBatchesOnceThereAreEnoughOfThem) {
  const LabelledTable table = some_table(kBatchRows + 300);
  for (const Options& options : many_options()) {
    for (const std::size_t rows : {kBatchRows, kBatchRows + 300}) {
      EXPECT_EQ(one_by_one(options, table, rows).serialize(), in_batches(options, table, rows).serialize());
    }
  }
}

TEST(SingleExamples, GiveTheSameModelAsBatchesWithWeights) {
  const LabelledTable table = some_table(kBatchRows + 50);
  for (const char* task : {"classify", "regress"}) {
    const Options options{{"task", task}, {"update", "ogd"}, {"eta", "0.1"}, {"budget", "20"}};
    const std::string weighted = one_by_one(options, table, table.x.size(), true).serialize();
    EXPECT_EQ(weighted, in_batches(options, table, table.x.size(), true).serialize());
    EXPECT_NE(weighted, one_by_one(options, table, table.x.size()).serialize());
  }
}

TEST(SingleExamples, AreOneBatchWhenThePassEnds) {
  const LabelledTable table = some_table(700);
  for (const Options& options : many_options()) {
    for (const std::size_t rows : {1u, 2u, 3u, 100u, 512u, 700u}) {
      Model single = one_by_one(options, table, rows);
      Model batch = in_batches(options, table, rows);
      single.end_pass();
      batch.end_pass();
      EXPECT_EQ(single.serialize(), batch.serialize()) << rows;
    }
  }
}

TEST(SingleExamples, MayBeMixedWithBatchesThatHaveLabelIdsOfTheirOwn) {
  const LabelledTable table = some_table(500);
  LabelledTable rest{{table.x.begin() + 100, table.x.end()}, {table.y.begin() + 100, table.y.end()}};
  const Options options{{"budget", "20"}};
  Model mixed = one_by_one(options, table, 100);
  Model batches = in_batches(options, table, 100);
  batches.begin_source();
  Stream stream(rest);
  Stream same(rest);
  mixed.learn(stream.next(50));
  batches.learn(same.next(50));
  EXPECT_EQ(mixed.serialize(), batches.serialize());
  for (std::size_t i = 150; i < 250; ++i) learn_row(mixed, table, i);
  stream.next(100);
  batches.learn(same.next(100));
  mixed.learn(stream.next(200));
  batches.learn(same.next(200));
  EXPECT_EQ(mixed.serialize(), batches.serialize());
}

TEST(SingleExamples, FollowABatchAsMoreOfIt) {
  const LabelledTable table = some_table(300);
  Model model(Options{{"budget", "20"}});
  Stream stream(table);
  model.learn(stream.next(100));
  for (std::size_t i = 100; i < 300; ++i) learn_row(model, table, i);
  Model batches(Options{{"budget", "20"}});
  Stream same(table);
  batches.learn(same.next(100));
  batches.learn(same.next(200));
  EXPECT_EQ(model.serialize(), batches.serialize());
}

TEST(SingleExamples, KeepTheOrderOfExpectedClasses) {
  const LabelledTable table = some_table(kBatchRows + 10);
  const std::vector<std::string> early{"owl", "wren"};
  Model model(Options{{"budget", "20"}});
  Model batches(Options{{"budget", "20"}});
  model.expect_classes(early);
  batches.expect_classes(early);
  for (std::size_t i = 0; i < table.x.size(); ++i) learn_row(model, table, i);
  Stream stream(table);
  batches.learn(stream.next(kBatchRows));
  batches.learn(stream.next(10));
  EXPECT_EQ(model.serialize(), batches.serialize());
  EXPECT_THAT(model.labels(), ElementsAre("owl", "wren", "crow", "robin"));
}

TEST(SingleExamples, AcceptClassesThatAreAnnouncedOnTheWay) {
  const LabelledTable table = some_table(600);
  Model model = one_by_one({{"budget", "20"}}, table, 300);
  model.expect_classes(std::vector<std::string>{"owl"});
  EXPECT_THAT(model.labels(), testing::Contains("owl"));
  for (std::size_t i = 300; i < 600; ++i) learn_row(model, table, i);
  EXPECT_THAT(model.labels(), testing::UnorderedElementsAre("owl", "wren", "crow", "robin"));
  model.end_pass();
  EXPECT_EQ(model.progress().examples, 600u);
}

// --- predictions -----------------------------------------------------------------------------------------------------

TEST(SingleExamples, ArePredictedFromTheFirstExampleOn) {
  const LabelledTable table = clouds(200, 3, {"robin", "crow"});
  Model model(Options{{"budget", "50"}, {"proba", "true"}});
  const Answer before = model.predict(table.x[0]);
  EXPECT_EQ(before.label, "");
  EXPECT_EQ(before.class_id, kNoClass);
  EXPECT_EQ(before.score, 0);
  EXPECT_FALSE(before.probability);
  EXPECT_FALSE(model.has_learned());
  std::size_t right = 0;
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    const Answer answer = model.predict(table.x[i]);
    if (i > 0) {
      EXPECT_EQ(answer.label, model.labels()[answer.class_id]);
    }
    right += answer.label == table.y[i];
    learn_row(model, table, i);
    EXPECT_EQ(model.progress().examples, i + 1);
    EXPECT_EQ(model.stats().examples, i + 1);
  }
  EXPECT_GT(right, 180u);
  EXPECT_LT(model.progress().online_error(), 0.1);
}

TEST(SingleExamples, ArePredictedAsRowsOfABatch) {
  const LabelledTable table = some_table(1200);
  for (const Options& options : many_options()) {
    const Model model = one_by_one(options, table, table.x.size());
    const Batch batch = without_labels(one_batch(table));
    const Predictions predictions = model.predict(batch);
    const RowValues scores = model.scores(batch);
    for (std::size_t i = 0; i < table.x.size(); i += 11) {
      const Answer answer = model.predict(table.x[i]);
      EXPECT_EQ(answer.class_id, predictions.rows[i].label);
      EXPECT_EQ(answer.score, predictions.rows[i].score);
      if (model.task() == TaskKind::regress) {
        EXPECT_EQ(answer.number(), scores[i][0]);
        EXPECT_EQ(answer.label, "");
      } else {
        EXPECT_EQ(answer.label, model.labels()[answer.class_id]);
      }
    }
    if (!model.gives_probabilities()) continue;
    const RowValues probabilities = model.probabilities(batch);
    for (std::size_t i = 0; i < table.x.size(); i += 11) {
      const Answer answer = model.predict(table.x[i]);
      EXPECT_EQ(answer.probability, probabilities[i][answer.class_id]);
    }
  }
}

TEST(SingleExamples, TakeWholeNumbersForLabels) {
  const LabelledTable table = clouds(60, 2, {"-1", "1"});
  Model texts(Options{{"algo", "bpegasos"}, {"budget", "20"}});
  Model numbers(Options{{"algo", "bpegasos"}, {"budget", "20"}});
  for (std::size_t i = 0; i < 60; ++i) {
    texts.learn(table.x[i], table.y[i]);
    numbers.learn(table.x[i], table.y[i] == "1" ? 1 : -1);
  }
  EXPECT_EQ(numbers.serialize(), texts.serialize());
  EXPECT_THAT(numbers.labels(), ElementsAre("-1", "1"));
  EXPECT_EQ(numbers.predict(table.x[0]).label, table.y[0]);
  numbers.learn(table.x[0], 0);
  numbers.learn(table.x[0], 9007199254740992.0);
  numbers.end_pass();
  EXPECT_THAT(numbers.labels(), ElementsAre("-1", "0", "1", "9007199254740992"));
}

TEST(SingleExamples, OfNoveltiesMayHaveLabelsToCompareWith) {
  const LabelledTable table = clouds(300, 2, {"1"});
  const Options options{{"task", "novelty"}, {"budget", "20"}};
  Model labelled(options);
  Model unlabelled(options);
  for (std::size_t i = 0; i < 300; ++i) {
    labelled.learn(table.x[i], i % 2 == 0 ? "1" : "-1");
    unlabelled.learn(table.x[i]);
  }
  EXPECT_EQ(labelled.predict(table.x[7]).score, unlabelled.predict(table.x[7]).score);
  EXPECT_EQ(unlabelled.predict(table.x[7]).label, unlabelled.predict(table.x[7]).score >= 0 ? "1" : "-1");
  EXPECT_NE(labelled.progress().mistakes, unlabelled.progress().mistakes);
  EXPECT_THAT(error_of([&] { labelled.learn(table.x[0], "odd"); }), HasSubstr("'odd'"));
}

// --- saving ----------------------------------------------------------------------------------------------------------

TEST(SingleExamples, PredictTheSameAfterLoadingAtAnyTime) {
  const LabelledTable table = some_table(kBatchRows + 20);
  for (const Options& options : many_options()) {
    Model model(options);
    std::size_t at = 0;
    for (const std::size_t rows : {1u, 5u, 100u, 1023u, 1024u, 1044u}) {
      for (; at < rows; ++at) learn_row(model, table, at);
      const Model loaded = Model::deserialize(model.serialize(), "saved");
      EXPECT_EQ(loaded.serialize(), model.serialize());
      EXPECT_EQ(loaded.progress().examples, rows);
      for (std::size_t i = 0; i < table.x.size(); i += 37) {
        EXPECT_EQ(loaded.predict(table.x[i]).label, model.predict(table.x[i]).label);
        EXPECT_EQ(loaded.predict(table.x[i]).score, model.predict(table.x[i]).score);
      }
    }
  }
}

TEST(SingleExamples, GoOnFromAModelThatWasSavedEarly) {
  const LabelledTable table = clouds(600, 3, {"robin", "crow"});
  Model loaded = Model::deserialize(one_by_one({{"budget", "20"}}, table, 100).serialize(), "saved");
  const std::string gamma = loaded.options().text("gamma");
  for (std::size_t i = 100; i < 600; ++i) learn_row(loaded, table, i);
  EXPECT_EQ(loaded.progress().examples, 600u);
  EXPECT_EQ(loaded.options().text("gamma"), gamma);
  EXPECT_LT(loaded.progress().online_error(), 0.1);
}

TEST(SingleExamples, StartAModelThatWasSavedBeforeTheFirst) {
  const LabelledTable table = some_table(kBatchRows);
  Model fresh(Options{{"budget", "20"}});
  fresh.expect_classes(std::vector<std::string>{"wren"});
  Model loaded = Model::deserialize(fresh.serialize(), "saved");
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    learn_row(fresh, table, i);
    learn_row(loaded, table, i);
  }
  EXPECT_EQ(loaded.serialize(), fresh.serialize());
  EXPECT_THAT(loaded.labels(), ElementsAre("wren", "crow", "robin"));
}

TEST(SingleExamples, LeaveTheModelWhereItIs) {
  const LabelledTable table = some_table(100);
  Model model(Options{});
  const Progress& progress = model.progress();
  for (std::size_t i = 0; i < 100; ++i) {
    learn_row(model, table, i);
    EXPECT_EQ(progress.examples, i + 1);
  }
}

// --- errors ----------------------------------------------------------------------------------------------------------

template <class Action>
void expect_refused(Model& model, const std::string& text, Action action) {
  const std::string saved = model.serialize();
  const std::string message = error_of([&] { action(model); });
  EXPECT_THAT(message, HasSubstr(text));
  EXPECT_THAT(message, testing::Not(HasSubstr("--")));
  EXPECT_EQ(model.serialize(), saved);
}

TEST(SingleExamples, AreRefusedWithAReasonAndLeaveTheModelAsItWas) {
  const LabelledTable table = some_table(kBatchRows + 10);
  const std::vector<float> good = table.x[1];
  for (const std::size_t rows : {1u, 5u, 7u, 1023u, 1030u}) {  // learning starts again at 8 and 1024 rows
    Model model = one_by_one({{"budget", "20"}}, table, rows);
    const std::vector<float> shorter{1, 2, 3};
    const std::vector<float> longer{1, 2, 3, 4, 5};
    const std::vector<float> infinite{1, 2, -kInfinity, 4};
    expect_refused(model, "has 3 features, and the model has 4", [&](Model& m) { m.learn(shorter, "wren"); });
    expect_refused(model, "has 5 features, and the model has 4", [&](Model& m) { m.learn(longer, "wren"); });
    expect_refused(model, "at least one feature", [&](Model& m) { m.learn(std::span<const float>(), "wren"); });
    expect_refused(model, "infinite value in feature 3", [&](Model& m) { m.learn(infinite, "owl"); });
    expect_refused(model, "no label", [&](Model& m) { m.learn(good); });
    expect_refused(model, "3.5 is not a whole number", [&](Model& m) { m.learn(good, 3.5); });
    expect_refused(model, "nan is not a whole number", [&](Model& m) { m.learn(good, std::nan("")); });
    expect_refused(model, "example " + std::to_string(rows + 1) + " has the weight -1",
                   [&](Model& m) { m.learn(good, "wren", -1); });
    expect_refused(model, "has 3 features, and the model has 4", [&](Model& m) { m.predict(shorter); });
    expect_refused(model, "has 5 features, and the model has 4", [&](Model& m) { m.predict(longer); });
    expect_refused(model, "infinite value in feature 3", [&](Model& m) { m.predict(infinite); });
    for (std::size_t i = rows; i < table.x.size(); ++i) learn_row(model, table, i);
    EXPECT_EQ(model.serialize(), in_batches({{"budget", "20"}}, table, table.x.size()).serialize());
  }
}

TEST(SingleExamples, AreRefusedBeforeAnythingWasLearned) {
  const std::vector<float> x{1, 2};
  const std::vector<float> infinite{1, kInfinity};
  Model model;
  expect_refused(model, "infinite value in feature 2", [&](Model& m) { m.learn(infinite, "a"); });
  expect_refused(model, "infinite value in feature 2", [&](Model& m) { m.predict(infinite); });
  expect_refused(model, "the weight nan", [&](Model& m) { m.learn(x, "a", kMissing); });
  EXPECT_FALSE(model.has_learned());
  model.learn(x, "b");
  EXPECT_THAT(model.labels(), ElementsAre("b"));
}

TEST(SingleExamples, NeedTheKindOfTargetThatTheTaskHas) {
  const std::vector<float> x{1, 2};
  Model regression(Options{{"task", "regress"}});
  expect_refused(regression, "'3.5' is a text", [&](Model& m) { m.learn(x, "3.5"); });
  expect_refused(regression, "no number", [&](Model& m) { m.learn(x); });
  expect_refused(regression, "must be finite", [&](Model& m) { m.learn(x, 1e300); });
  regression.learn(x, 3.5);
  EXPECT_EQ(regression.progress().examples, 1u);
  expect_refused(regression, "must be finite", [&](Model& m) { m.learn(x, std::nan("")); });
}

TEST(SingleExamples, AreNotLearnedByAModelThatOnlyPredicts) {
  const LabelledTable table = some_table(100);
  Model model = fixed_model(flatten(one_by_one({{"budget", "20"}}, table, 100)));
  EXPECT_THAT(error_of([&] { model.learn(table.x[1], "wren"); }), HasSubstr("can only predict"));
  EXPECT_FALSE(model.predict(table.x[1]).label.empty());
}

// As with batches: so many different numbers are taken for regression targets, not for classes.
TEST(SingleExamples, AreRefusedWhenNearlyEveryLabelIsAnotherNumber) {
  Model model(Options{{"budget", "5"}});
  const std::vector<float> x{1, 2};
  for (int i = 0; i < 511; ++i) model.learn(x, i);
  EXPECT_THAT(error_of([&] { model.learn(x, 511); }), HasSubstr("512 of the first 512 labels differ"));
  EXPECT_EQ(model.progress().examples, 511u);
}

// --- threads ---------------------------------------------------------------------------------------------------------

TEST(SingleExamples, ArePredictedTheSameByManyThreads) {
  const LabelledTable table = some_table(400);
  for (const Options& options : {Options{{"budget", "20"}, {"proba", "true"}}, Options{{"task", "regress"}}}) {
    const Model model = one_by_one(options, table, 400);
    std::vector<Answer> expected;
    for (const auto& x : table.x) expected.push_back(model.predict(x));
    std::vector<std::size_t> same(4, 0);
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < same.size(); ++t) {
        threads.emplace_back([&, t] {
          for (std::size_t i = 0; i < table.x.size(); ++i) {
            const Answer answer = model.predict(table.x[i]);
            same[t] += answer.label == expected[i].label && answer.score == expected[i].score &&
                       answer.probability == expected[i].probability;
          }
        });
      }
    }
    for (const std::size_t count : same) EXPECT_EQ(count, table.x.size());
  }
}

}  // namespace
}  // namespace kinglet
