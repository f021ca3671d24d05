// Mixtures: models of one start add up, exactly for regression; others are averaged; what does not go together is
// refused.
#include "kinglet/mix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "error_of.hpp"
#include "kinglet/source.hpp"
#include "learn/flat_model.hpp"
#include "model/model_access.hpp"
#include "model/model_state.hpp"

namespace kinglet {
namespace {

std::vector<Batch> batches_of(const std::string& where, bool numbers) {
  const auto source = open_source(where, {.numeric_labels = numbers});
  std::vector<Batch> batches(1);
  while (source->next(batches.back())) batches.emplace_back();
  batches.pop_back();
  return batches;
}

struct MixCase {
  const char* name;
  Options options;
  const char* data;
};

const MixCase kRegression{"regression",
                          {{"algo", "span"}, {"task", "regress"}, {"budget", "40"}, {"gamma", "0.1"}},
                          "gen:friedman?n=6000&seed=1"};
const MixCase kTwo{"two",
                   {{"algo", "span"}, {"budget", "60"}, {"gamma", "4"}, {"proba", "true"}, {"scout", "1000"}},
                   "gen:checkerboard?n=8000&seed=1"};
const MixCase kMany{
    "many", {{"algo", "span"}, {"budget", "60"}, {"gamma", "1"}, {"scout", "1000"}}, "gen:waveform?n=8000&seed=1"};
const MixCase kNovelty{
    "novelty",
    {{"algo", "bnorma"}, {"task", "novelty"}, {"budget", "20"}, {"gamma", "0.5"}, {"lambda", "0.01"}},
    "gen:gauss?n=4000&seed=1"};

bool numbers(const MixCase& of) { return of.options.has("task") && of.options.text("task") == "regress"; }

Model copy(const Model& model) { return Model::deserialize(model.serialize(), "copy"); }

// Novelty detection takes no labels but 1 and -1.
void learn(Model& model, const std::vector<Batch>& batches, std::size_t from, std::size_t step) {
  Batch next;
  model.begin_source();
  for (std::size_t i = 0; i < batches.size(); ++i) {
    next = batches[i];
    if (model.task() == TaskKind::novelty) {
      std::ranges::fill(next.labels, kNoLabel);
      next.new_labels.clear();
    }
    if (i % step != from) {  // only its labels
      Batch texts;
      texts.new_labels = next.new_labels;
      model.learn(texts);
    } else {
      model.learn(next);
    }
  }
  model.end_pass();
}

struct Parts {
  explicit Parts(const MixCase& of, std::size_t count = 3)
      : batches(batches_of(of.data, numbers(of))), start(of.options) {
    Model sample(of.options);
    learn(sample, {batches[0], batches[1]}, 0, 1);
    start = make_start(sample);
    for (std::size_t i = 0; i < count; ++i) {
      parts.push_back(copy(start));
      learn(parts.back(), batches, i, count);
    }
  }
  std::vector<const Model*> pointers() const {
    std::vector<const Model*> all;
    for (const Model& part : parts) all.push_back(&part);
    return all;
  }
  Model one_pass() const {
    Model one = copy(start);
    learn(one, batches, 0, 1);
    return one;
  }
  std::vector<Batch> batches;
  Model start;
  std::vector<Model> parts;
};

double accuracy(const Model& model, const std::string& data) {
  Model::LabelMap map(model);
  double right = 0, all = 0;
  for (const Batch& batch : batches_of(data, false)) {
    const auto truth = map(batch);
    const auto predictions = model.predict(batch).rows;
    for (std::size_t i = 0; i < batch.rows(); ++i) right += predictions[i].label == truth[i] ? 1 : 0;
    all += static_cast<double>(batch.rows());
  }
  return right / all;
}

TEST(Mix, IsExactForRegression) {
  const Parts parts(kRegression);
  const Mixture mixture = mix(parts.pointers());
  EXPECT_TRUE(mixture.is_sum);
  EXPECT_EQ(mix({&parts.parts[0], &parts.parts[1], &parts.parts[2]}).model.serialize(), mixture.model.serialize());
  const Model one = parts.one_pass();
  EXPECT_EQ(mixture.model.progress().examples, one.progress().examples);
  for (const Batch& batch : parts.batches) {
    const RowValues a = mixture.model.scores(batch), b = one.scores(batch);
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      ASSERT_NEAR(a.values[i], b.values[i], 1e-6F * std::max(1.0F, std::abs(b.values[i])));
    }
    const RowValues c = mixture.model.deviations(batch), d = one.deviations(batch);
    for (std::size_t i = 0; i < c.values.size(); ++i) ASSERT_NEAR(c.values[i] / d.values[i], 1, 0.2);
  }
}

TEST(Mix, OfClassesIsAsGoodAsOnePass) {
  for (const auto& [of, test] :
       {std::pair{kTwo, "gen:checkerboard?n=8000&seed=2"}, {kMany, "gen:waveform?n=8000&seed=1"}}) {
    const Parts parts(of);
    const Mixture mixture = mix(parts.pointers());
    EXPECT_TRUE(mixture.is_sum) << of.name;
    EXPECT_GE(accuracy(mixture.model, test), accuracy(parts.one_pass(), test) - 0.01) << of.name;
    EXPECT_EQ(mixture.model.gives_probabilities(), of.options.has("proba")) << of.name;
    std::uint64_t mistakes = 0;
    for (const Model& part : parts.parts) mistakes += part.progress().mistakes;
    EXPECT_EQ(mixture.model.progress().mistakes, mistakes) << of.name;
  }
}

TEST(Mix, DoesNotDependOnTheOrder) {
  for (const MixCase& of : {kRegression, kTwo, kMany, kNovelty}) {
    const Parts parts(of);
    auto models = parts.pointers();
    std::ranges::sort(models);
    const std::string bytes = mix(models, {.threads = 1}).model.serialize();
    while (std::ranges::next_permutation(models).found) {
      ASSERT_EQ(mix(models, {.threads = 1}).model.serialize(), bytes) << of.name;
    }
  }
}

TEST(Mix, GoesOnLearningAndStartsAgain) {
  const Parts parts(kTwo);
  Model mixture = mix(parts.pointers()).model;
  const double before = accuracy(mixture, kTwo.data);
  Model again = make_start(mixture, true);
  EXPECT_EQ(again.progress().examples, 0U);
  const RowValues a = mixture.scores(parts.batches[0]), b = again.scores(parts.batches[0]);
  for (std::size_t i = 0; i < a.values.size(); ++i) ASSERT_FLOAT_EQ(a.values[i], b.values[i]);
  learn(mixture, batches_of("gen:checkerboard?n=4000&seed=3", false), 0, 1);
  EXPECT_EQ(mixture.progress().examples, 12000U);
  EXPECT_GE(accuracy(mixture, kTwo.data), before - 0.02);
}

TEST(Mix, UnitesLabels) {
  const Parts parts(kTwo, 2);
  Batch more = parts.batches[0];
  more.new_labels = {"third", "fourth"};
  for (std::size_t i = 0; i < more.rows(); ++i) more.labels[i] = i % 2;
  Model first = copy(parts.parts[0]), second = copy(parts.parts[1]);
  first.begin_source();
  first.learn(more);
  first.end_pass();
  const std::vector<const Model*> models{&first, &second};
  const Mixture mixture = mix(models);
  ASSERT_EQ(mixture.model.labels().size(), 4U);
  EXPECT_EQ(mixture.model.labels()[2], "fourth");
  EXPECT_EQ(mixture.model.labels()[3], "third");
  EXPECT_EQ(mixture.model.outputs(), 4U);
}

// The id of a start is only text in a file: what the start fixes is compared too.
TEST(Mix, RefusesOtherStartsWithTheSameId) {
  const Parts parts(kTwo, 2);
  const auto reason = [&](const MixCase& of, std::uint32_t labels) {
    Parts others(of, 1);
    Model& other = others.parts[0];
    auto& start = ModelAccess::state(other).shared;
    start->id = *start_of(parts.start);
    start->labels = labels;
    const std::vector<const Model*> models{&parts.parts[0], &other}, reversed{&other, &parts.parts[0]};
    std::string text = error_of([&] { mix(models); });
    EXPECT_EQ(error_of([&] { mix(reversed); }).substr(25), text.substr(25));
    return text;
  };
  const auto with = [](MixCase of, const char* name, const char* value) {
    of.options.set(name, value);
    return of;
  };
  EXPECT_NE(reason(with(kTwo, "budget", "40"), 2).find("centres or first coefficients differ"), std::string::npos);
  EXPECT_NE(reason(with(kTwo, "proba", "false"), 2).find("different values of proba"), std::string::npos);
  EXPECT_NE(reason(with(kTwo, "gamma", "3"), 2).find("different values of gamma"), std::string::npos);
  EXPECT_NE(reason(kTwo, 1).find("labels of their starts differ"), std::string::npos);
  EXPECT_NE(reason(kMany, 2).find("labels of their starts differ"), std::string::npos);
  MixCase moved = kTwo;
  moved.data = "gen:checkerboard?n=8000&seed=2";
  EXPECT_NE(reason(moved, 2).find("features are scaled differently"), std::string::npos);
}

TEST(Mix, RefusesOtherFirstCoefficients) {
  const Parts parts(kTwo, 1);
  const Model again = make_start(parts.parts[0], true);
  Model other = copy(again);
  ModelAccess::state(other).shared->id = *start_of(parts.start);
  learn(other, parts.batches, 0, 1);
  const std::vector<const Model*> models{&parts.parts[0], &other};
  EXPECT_NE(error_of([&] { mix(models); }).find("first coefficients differ"), std::string::npos);
}

// What stays with the id is the start: parts with more labels share it, also after a second round.
TEST(Mix, AddsUpPartsOfASecondRoundWithMoreLabels) {
  const Parts parts(kTwo, 2);
  const Model again = make_start(mix(parts.pointers()).model, true);
  Batch more = parts.batches[0];
  more.new_labels = {again.labels()[0], again.labels()[1], "third"};
  for (std::size_t i = 0; i < more.rows(); ++i) more.labels[i] = i % 3;
  Model first = copy(again), second = copy(again);
  learn(first, {parts.batches[0]}, 0, 1);
  second.learn(parts.batches[0]);
  second.begin_source();
  second.learn(more);
  const std::vector<const Model*> models{&first, &second};
  EXPECT_TRUE(mix(models).is_sum);
  EXPECT_EQ(mix(models).model.labels().size(), 3U);
}

TEST(Mix, AveragesOthersAndReducesThem) {
  const Parts parts(kNovelty);
  const Mixture mixture = mix(parts.pointers(), {.budget = 15, .threads = 1});
  EXPECT_FALSE(mixture.is_sum);
  EXPECT_LE(mixture.model.stats().support_vectors, 15U);
  EXPECT_EQ(mixture.model.progress().examples, 4000U);
  const Mixture whole = mix(parts.pointers(), {.budget = 1000, .threads = 1});
  const Batch& batch = parts.batches[0];
  const RowValues mean = whole.model.scores(batch);
  double weight_sum = 0;
  std::vector<double> sum(batch.rows());
  for (const Model& part : parts.parts) {
    const auto weight = static_cast<double>(part.progress().examples);
    const auto predictions = part.predict(batch).rows;  // the distance from the threshold
    for (std::size_t i = 0; i < batch.rows(); ++i) sum[i] += weight * static_cast<double>(predictions[i].score);
    weight_sum += weight;
  }
  for (std::size_t i = 0; i < batch.rows(); ++i) ASSERT_NEAR(mean.values[i], sum[i] / weight_sum, 1e-4);
}

TEST(Mix, AveragesModelsOfDifferentStarts) {
  MixCase of = kTwo;
  of.options.set("scale", "none");
  const Parts some(of, 2);
  of.options.set("seed", "2");
  of.data = "gen:checkerboard?n=4000&seed=2";
  const Parts others(of, 1);
  ASSERT_NE(start_of(some.start), start_of(others.start));
  std::vector<const Model*> models{&some.parts[0], &some.parts[1], &others.parts[0]};
  const Mixture whole = mix(models, {.budget = 1000, .threads = 1});
  EXPECT_FALSE(whole.is_sum);
  EXPECT_EQ(whole.model.progress().examples, 12000U);
  const Batch& batch = some.batches[0];
  const RowValues mean = whole.model.scores(batch);
  const RowValues a = some.parts[0].scores(batch), b = some.parts[1].scores(batch), c = others.parts[0].scores(batch);
  const auto weight = [](const Model& model) { return static_cast<float>(model.progress().examples) / 12000; };
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    const float expected = weight(some.parts[0]) * a.values[i] + weight(some.parts[1]) * b.values[i] +
                           weight(others.parts[0]) * c.values[i];
    ASSERT_NEAR(mean.values[i], expected, 1e-4);
  }
  std::ranges::sort(models);
  const std::string small = mix(models, {.budget = 50, .threads = 1}).model.serialize();
  while (std::ranges::next_permutation(models).found) {
    ASSERT_EQ(mix(models, {.budget = 50, .threads = 1}).model.serialize(), small);
  }
  EXPECT_GE(accuracy(Model::deserialize(small, "small"), kTwo.data), 0.9);
}

TEST(Mix, LeavesOutModelsThatHaveLearnedNothing) {
  const Parts parts(kTwo, 2);
  MixCase of = kTwo;
  of.data = "gen:checkerboard?n=4000&seed=2";
  const Parts strangers(of, 1);
  const std::vector<const Model*> models{&parts.start, &parts.parts[0], &strangers.start, &parts.parts[1]};
  const Mixture mixture = mix(models);
  EXPECT_TRUE(mixture.is_sum);
  EXPECT_EQ(mixture.model.serialize(), mix(parts.pointers()).model.serialize());
}

TEST(Mix, AddsUpCalibration) {
  const Parts parts(kTwo);
  const Mixture mixture = mix(parts.pointers());
  const Reliability& sum = mixture.model.online_reliability();
  std::uint64_t examples = 0;
  double losses = 0;
  for (const Model& part : parts.parts) {
    examples += part.online_reliability().examples;
    losses += part.online_reliability().losses;
  }
  EXPECT_GT(examples, 6000U);
  EXPECT_EQ(sum.examples, examples);
  EXPECT_NEAR(sum.losses, losses, 1e-9 * losses);
}

TEST(Mix, RefusesWhatDoesNotGoTogether) {
  const Parts parts(kTwo, 2);
  const std::vector<const Model*> twice{&parts.parts[0], &parts.parts[0]};
  EXPECT_NE(error_of([&] { mix(twice); }).find("count twice"), std::string::npos);
  const std::vector<const Model*> nothing{&parts.start, &parts.start};
  EXPECT_NE(error_of([&] { mix(nothing); }).find("none of the models has learned"), std::string::npos);
  const auto against = [&](const Options& options, const char* data, bool with_numbers) {
    Model other(options);
    learn(other, batches_of(data, with_numbers), 0, 1);
    const std::vector<const Model*> both{&parts.parts[0], &other};
    return error_of([&] { mix(both); });
  };
  EXPECT_NE(against({{"task", "regress"}, {"algo", "bpegasos"}}, "gen:friedman?n=2000", true).find("task"),
            std::string::npos);
  EXPECT_NE(against({{"algo", "bpegasos"}, {"gamma", "3"}}, "gen:checkerboard?n=2000", false).find("kernel"),
            std::string::npos);
  EXPECT_NE(against({{"algo", "bpegasos"}, {"gamma", "4"}}, "gen:checkerboard?n=2000", false).find("scaled"),
            std::string::npos);
}

TEST(Start, FreezesScalingAndIgnoresOtherFeatures) {
  const Parts parts(kTwo, 1);
  Model model = copy(parts.start);
  Batch wide = parts.batches[0];
  Batch narrow = wide;
  wide.dimension = 4;
  wide.values.clear();
  for (std::size_t i = 0; i < wide.rows(); ++i) {
    wide.values.insert(wide.values.end(), {narrow.values[2 * i], narrow.values[2 * i + 1], 7.0F, 8.0F});
  }
  Model same = copy(parts.start);
  model.learn(wide);
  same.learn(narrow);
  EXPECT_EQ(model.dimension(), 2U);
  EXPECT_EQ(model.serialize(), same.serialize());
  EXPECT_EQ(model.take_notices().size(), 1U);
}

TEST(Start, FreezesScalingTargetsAndMetric) {
  MixCase of = kRegression;
  of.options.set("metric", "learned");
  const Parts parts(of, 1);
  std::vector<Batch> others = parts.batches;
  for (Batch& batch : others) {
    for (float& value : batch.values) value = 10 * value + 3;
    for (float& target : batch.targets) target = 100 * target + 50;
  }
  Model other = copy(parts.start);
  learn(other, others, 0, 1);
  const FlatModel a = flatten(parts.parts[0]), b = flatten(other);
  EXPECT_EQ(a.shift, b.shift);
  EXPECT_EQ(a.factor, b.factor);
  EXPECT_EQ(a.biases, b.biases);  // the mean of the targets
  EXPECT_EQ(a.vectors, b.vectors);
}

TEST(Start, TakesTheVectorsOfAScout) {
  const std::vector<Batch> batches = batches_of(kTwo.data, false);
  const auto part_of_start = [&](const char* scout) {
    Options options = kTwo.options;
    options.set("scout", scout);
    Model sample(options);
    for (std::size_t i = 0; i < 2; ++i) sample.learn(batches[i]);
    Model part = make_start(sample);
    learn(part, batches, 0, 1);
    return part;
  };
  const std::size_t rows = batches[0].rows() + batches[1].rows();
  const Model done = part_of_start(std::to_string(rows).c_str());
  const Model scouting = part_of_start(std::to_string(rows + 1).c_str());
  EXPECT_EQ(flatten(scouting).vectors, flatten(done).vectors);
  EXPECT_EQ(flatten(scouting).coefficients, flatten(done).coefficients);
}

TEST(Start, RefusesWhatCannotBeOne) {
  EXPECT_NE(error_of([] { make_start(Model()); }).find("nothing"), std::string::npos);
}

}  // namespace
}  // namespace kinglet
