// Models with probabilities: every classification algorithm, calibration with progressive scores only, and continuing
// from saved bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "error_of.hpp"
#include "kinglet/model.hpp"
#include "kinglet/registry.hpp"
#include "learn/stream.hpp"
#include "model/calibration.hpp"
#include "model/model_access.hpp"
#include "model/model_file.hpp"

namespace kinglet {
namespace {

using testing::HasSubstr;

Model trained(Options options, const LabelledTable& table, std::size_t rows_at_once = 100) {
  options.set("proba", "true");
  Model model(options);
  Stream stream(table);
  model.learn(stream.next(kBatchRows));
  while (!stream.at_end()) model.learn(stream.next(rows_at_once));
  return model;
}

// Clouds in which a third of the labels are replaced by random ones.
LabelledTable noisy(std::size_t rows, const std::vector<std::string>& labels, std::uint64_t seed = 1) {
  LabelledTable table = clouds(rows, 4, labels, seed);
  Random random(seed + 100);
  for (std::string& label : table.y) {
    if (random.coin(1.0 / 3)) label = labels[random.below(labels.size())];
  }
  return table;
}

void expect_no_contradiction(const Model& model, const Batch& batch, const std::string& name) {
  std::vector<Prediction> predictions;
  std::vector<float> p;
  predictions = model.predict(batch).rows;
  p = model.probabilities(batch).values;
  const std::size_t classes = model.labels().size();
  ASSERT_EQ(p.size(), batch.rows() * classes) << name;
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const auto row = std::span(p).subspan(i * classes, classes);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-6) << name;
    EXPECT_EQ(std::ranges::max_element(row) - row.begin(), predictions[i].label) << name;
    EXPECT_EQ(std::ranges::count(row, row[predictions[i].label]), 1) << name;
  }
}

TEST(Probabilities, DoNotContradictTheLabelOfAnyAlgorithm) {
  std::size_t refused = 0;
  for (const Algorithm& algorithm : algorithms()) {
    for (const auto& labels : {std::vector<std::string>{"-1", "1"}, {"a", "b", "c"}, {"only"}}) {
      Options options{{"algo", algorithm.name}, {"proba", "true"}};
      if (complete_options({{"algo", algorithm.name}}).has("budget")) options.set("budget", "20");
      if (const std::string reason = error_of([&] { complete_options(options); }); !reason.empty()) {
        EXPECT_THAT(reason, HasSubstr("learns at the end of a pass: proba needs the scores")) << algorithm.name;
        ++refused;
        continue;
      }
      const bool slow = !algorithm.learner.empty();
      const Model model = trained(options, noisy(slow ? 200 : 700, labels));
      expect_no_contradiction(model, one_batch(noisy(200, labels, 2)), algorithm.name);
    }
  }
  EXPECT_EQ(refused, 9u);  // mcsvm, svm and svmr, for each of the three lists of labels
}

// Overlapping clouds, so that rows between them are uncertain.
LabelledTable overlapping(std::size_t rows, const std::vector<std::string>& labels, std::uint64_t seed) {
  LabelledTable table = clouds(rows, 4, labels, seed);
  Random random(seed + 200);
  for (auto& x : table.x) {
    for (float& value : x) value += static_cast<float>(2 * random.normal());
  }
  return table;
}

TEST(Probabilities, AreNearWhatComesTrue) {
  for (const auto& labels : {std::vector<std::string>{"-1", "1"}, {"a", "b", "c"}}) {
    const Model model = trained({{"budget", "100"}}, overlapping(10000, labels, 1));
    const LabelledTable test = overlapping(10000, labels, 2);
    std::vector<float> p;
    std::vector<Prediction> predictions;
    const Batch batch = one_batch(test);
    p = model.probabilities(batch).values;
    predictions = model.predict(batch).rows;
    Reliability reliability;
    for (std::size_t i = 0; i < test.y.size(); ++i) {
      const auto truth = static_cast<ClassId>(std::ranges::find(labels, test.y[i]) - labels.begin());
      reliability.add(std::span(p).subspan(i * labels.size(), labels.size()), predictions[i].label, truth);
    }
    EXPECT_LT(reliability.calibration_error(), 0.06);
    EXPECT_EQ(model.online_reliability().examples, 10000u);
    EXPECT_LT(reliability.brier(), model.online_reliability().brier() + 0.02);
  }
}

// Calibration uses the scores that the model had for a row before learning it.
TEST(Probabilities, AreMadeOfProgressiveScores) {
  for (const char* output : {"last", "average"}) {
    for (const auto& labels : {std::vector<std::string>{"-1", "1"}, {"a", "b", "c"}}) {
      Model model({{"algo", "bpegasos"},
                   {"proba", "true"},
                   {"budget", "30"},
                   {"output", output},
                   {"maintain", "stop"},
                   {"scale", "none"}});
      const LabelledTable table = noisy(600, labels);
      Stream stream(table);
      Batch first = stream.next(100);
      first.weights.assign(100, 0.0F);  // makes all classes known without learning
      model.learn(first);
      Calibration calibration;
      calibration.grow(static_cast<std::uint32_t>(labels.size()));
      std::vector<float> scores;
      std::vector<float> expected(labels.size());
      std::vector<float> out;
      while (!stream.at_end()) {
        const Batch one = stream.next(1);
        const std::string& text = table.y[model.progress().examples];
        const auto truth = static_cast<ClassId>(std::ranges::find(labels, text) - labels.begin());
        scores = model.scores(one).values;
        out = model.probabilities(one).values;
        const ClassId predicted = learner_of(model).decide(scores).label;
        calibration.probabilities(scores, predicted, expected);
        for (std::size_t c = 0; c < labels.size(); ++c) ASSERT_NEAR(out[c], expected[c], 1e-5);
        calibration.learn(scores, predicted, truth, 1);
        model.learn(one);
      }
    }
  }
}

TEST(Probabilities, DoNotDependOnHowRowsAreCutNorOnThreads) {
  const LabelledTable table = noisy(2500, {"a", "b", "c"});
  const Model model = trained({{"budget", "30"}}, table);
  EXPECT_EQ(model.serialize(), trained({{"budget", "30"}}, table, 7).serialize());
  std::vector<float> one, many;
  one = model.probabilities(one_batch(table)).values;
  many = model.probabilities(one_batch(table), 4).values;
  EXPECT_EQ(one, many);
}

TEST(Probabilities, ComeBackFromBytes) {
  const LabelledTable table = noisy(2000, {"a", "b", "c"});
  for (const char* algo : {"bpegasos", "spa", "lasvm", "tvm"}) {
    Options options{{"algo", algo}, {"proba", "true"}};
    Model whole(options);
    Model first(options);
    Stream all(table), part(table);
    const std::size_t rows = std::string(algo) == "bpegasos" ? 2000 : 300;
    whole.learn(all.next(100));
    first.learn(part.next(100));
    whole.learn(all.next(rows - 100));
    first.learn(part.next(77));
    Model second = Model::deserialize(first.serialize(), "model");
    const Batch rest = part.next(rows - 177);
    Batch texts = rest;
    texts.new_labels = {"a", "b", "c"};
    // The rows still have the label ids of the source, so the loaded model needs the texts of all ids again.
    Stream order(table);
    texts.new_labels = order.next(2000).new_labels;
    second.learn(texts);
    EXPECT_EQ(second.serialize(), whole.serialize()) << algo;
  }
}

TEST(Probabilities, TakeInAClassThatAppearsLate) {
  LabelledTable table = noisy(1500, {"a", "b", "c"});
  for (std::size_t i = 0; i < 800; ++i) {
    if (table.y[i] == "c") table.y[i] = "b";
  }
  const Model model = trained({{"budget", "30"}, {"algo", "bnorma"}}, table, 50);
  EXPECT_EQ(model.labels().size(), 3u);
  expect_no_contradiction(model, one_batch(noisy(300, {"a", "b", "c"}, 5)), "late class");
}

TEST(Probabilities, LearnFromTheLabelsThatWereAskedFor) {
  const LabelledTable table = noisy(1500, {"a", "b"});
  for (const char* query : {"greedy", "ramp"}) {
    const Model model = trained({{"query", query}, {"algo", "bnorma"}}, table, 50);
    EXPECT_LT(model.progress().labels, 1500u) << query;
    EXPECT_EQ(model.online_reliability().examples, model.progress().labels) << query;
    expect_no_contradiction(model, one_batch(noisy(300, {"a", "b"}, 5)), query);
  }
}

TEST(Probabilities, LearnInTheFirstPassOnly) {
  const LabelledTable table = noisy(600, {"a", "b"});
  Options options{{"budget", "30"}, {"proba", "true"}};
  Model model(options);
  model.learn(one_batch(table));
  model.end_pass();
  model.begin_source();
  model.learn(one_batch(table));
  EXPECT_EQ(model.online_reliability().examples, 600u);
}

TEST(Probabilities, AreRefusedWhereTheyCannotBe) {
  EXPECT_THAT(error_of([] { complete_options({{"proba", "true"}, {"task", "regress"}}); }), HasSubstr("task=regress"));
  EXPECT_THAT(error_of([] { complete_options({{"proba", "true"}, {"task", "novelty"}}); }), HasSubstr("task=novelty"));
  const Batch batch = one_batch(clouds(50, 2, {"0", "1"}));
  Model model(Options{});
  model.learn(batch);
  std::vector<float> out;
  EXPECT_FALSE(model.gives_probabilities());
  EXPECT_THAT(error_of([&] { out = model.probabilities(batch).values; }), HasSubstr("trained without proba"));
}

TEST(Probabilities, AreNoneBeforeTheFirstExample) {
  const Model model(Options{{"proba", "true"}});
  const std::vector<float> out = model.probabilities(one_batch(clouds(3, 2, {"1"}))).values;
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(Model::deserialize(model.serialize(), "model").serialize(), model.serialize());
}

// Format version 1 has no option proba. Versions 1 and 2 do not contain the budget maintenance loss.
TEST(Probabilities, AreNotMissedInAnOldFile) {
  Model model(Options{{"algo", "bpegasos"}, {"budget", "200"}});  // the budget is never full, so the loss is 0
  model.learn(one_batch(clouds(100, 2, {"0", "1"})));
  for (const char version : {1, 2}) {
    ModelFile file = unpack_model(model.serialize());
    auto header = nlohmann::json::parse(file.header);
    if (version == 1) header["options"].erase("proba");
    file.header = header.dump();
    for (ModelSection& section : file.sections) {
      if (section.name == "learner") section.bytes.resize(section.bytes.size() - 16);
    }
    std::string bytes = pack_model(file);
    bytes[8] = version;
    seal_model(bytes);
    const Model old = Model::deserialize(bytes, "old");
    EXPECT_FALSE(old.gives_probabilities());
    EXPECT_EQ(old.serialize(), model.serialize()) << int{version};
  }
}

}  // namespace
}  // namespace kinglet
