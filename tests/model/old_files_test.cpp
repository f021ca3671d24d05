// Model files of earlier versions must load and give the same predictions in all later versions. tests/fixtures/models/
// has a file DATA-NAME.kinglet for each family of learners and each part of a model. Its predictions for the rows of
// DATA.libsvm, or of records.csv, are in predictions.tsv (model, label, scores). Add files of a new format there; never
// change the old ones. A file and its predictions are made with the command, in tests/fixtures/models/:
//
//   kinglet train 'gen:waveform?n=60&seed=1' --algo mcsvm --seed 3 -o three-mcsvm.kinglet
//   kinglet predict three.libsvm -m three-mcsvm.kinglet --scores | sed 's/^/three-mcsvm\t/' >> predictions.tsv
//
// (regression: without --scores, and `-` as the label). The streams are gen:checkerboard (two), gen:waveform (three)
// and gen:friedman (regress). two-start is a start (kinglet span), two-span was trained from it, and
// regress-mixture is the sum of two models that were trained from a start.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "kinglet/source.hpp"
#include "model/model_access.hpp"
#include "test_data.hpp"

namespace kinglet {
namespace {

struct Row {
  std::string label;  // "-" for regression
  std::vector<double> scores;
};

const std::map<std::string, std::vector<Row>>& expected_predictions() {
  static const auto all = [] {
    std::map<std::string, std::vector<Row>> models;
    std::ifstream file(fixture("models/predictions.tsv"));
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string model;
      Row row;
      words >> model >> row.label;
      for (double score = 0; words >> score;) row.scores.push_back(score);
      models[model].push_back(row);
    }
    return models;
  }();
  return all;
}

class OldFile : public testing::TestWithParam<std::string> {};

TEST_P(OldFile, LoadsAndPredictsTheSame) {
  const std::string& name = GetParam();
  const std::vector<Row>& expected = expected_predictions().at(name);
  const Model model = Model::load(fixture("models/" + name + ".kinglet"));
  SourceOptions options;
  options.numeric_labels = model.task() == TaskKind::regress;
  options.columns = model.columns();
  const std::string data = name.substr(0, name.find('-'));
  const bool records = data == "records";
  if (!records) options.index_base = model.index_base().value_or(1);
  const auto source = open_source(fixture("models/" + data + (records ? ".csv" : ".libsvm")), options);
  Batch batch;
  ASSERT_TRUE(source->next(batch));
  ASSERT_EQ(batch.features().count, expected.size());
  const RowValues scores = model.scores(batch);
  const std::vector<Prediction> predictions = model.predict(batch).rows;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].label != "-") {
      EXPECT_EQ(model.labels()[predictions[i].label], expected[i].label);
    }
    ASSERT_EQ(expected[i].scores.size(), model.outputs());
    for (std::size_t c = 0; c < model.outputs(); ++c) {
      // The last digits depend on the instruction set.
      const double score = expected[i].scores[c];
      EXPECT_NEAR(scores[i][c], score, 1e-4 * (1 + std::abs(score))) << "row " << i;
    }
  }
}

// Files that are older than the scaling of targets must not begin to scale them.
TEST(OldFiles, GoOnLearningWithTargetsAsTheyAre) {
  for (const char* name : {"regress-bpegasos", "regress-bpa-p", "regress-projectron"}) {
    Model model = Model::load(fixture(std::string("models/") + name + ".kinglet"));
    EXPECT_EQ(model.options().text("target-scale"), "none");
    SourceOptions options;
    options.index_base = model.index_base().value_or(1);
    options.numeric_labels = true;
    Batch batch;
    open_source(fixture("models/regress.libsvm"), options)->next(batch);
    model.learn(batch);
    const Model again = Model::deserialize(model.serialize(), name);
    EXPECT_EQ(again.options().text("target-scale"), "none");
    EXPECT_EQ(again.scores(batch).values, model.scores(batch).values);
  }
}

TEST(OldFiles, OfAStartAndOfASumGoOnLearning) {
  for (const auto& [name, data] : {std::pair{"two-start", "two"}, {"regress-mixture", "regress"}}) {
    Model model = Model::load(fixture(std::string("models/") + name + ".kinglet"));
    EXPECT_TRUE(start_of(model).has_value()) << name;
    const std::uint64_t before = model.progress().examples;
    SourceOptions options;
    options.index_base = model.index_base().value_or(1);
    options.numeric_labels = model.task() == TaskKind::regress;
    Batch batch;
    open_source(fixture(std::string("models/") + data + ".libsvm"), options)->next(batch);
    model.learn(batch);
    EXPECT_EQ(model.progress().examples, before + 8);
    EXPECT_EQ(model.stats().support_vectors, 12U);
    EXPECT_NE(model.scores(batch).values,
              Model::load(fixture(std::string("models/") + name + ".kinglet")).scores(batch).values);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const auto& [name, rows] : expected_predictions()) list.push_back(name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Models, OldFile, testing::ValuesIn(names()), [](const auto& name) {
  std::string text;
  for (const char c : name.param) text += c == '+' ? 'p' : std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return text;
});

}  // namespace
}  // namespace kinglet
