// Active learning: the model queries the same examples as a simple reference does, independent of batches and
// interruptions, and labels that were not queried have no effect.
#include "model/query.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/stream.hpp"
#include "model/model_access.hpp"
#include "model/model_file.hpp"

namespace kinglet {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kTwo = {"-1", "1"};
const std::vector<std::string> kFour = {"finch", "robin", "tit", "wren"};

// Overlapping clouds, so that some labels are worth asking for.
LabelledTable birds(std::size_t rows, const std::vector<std::string>& labels, std::uint64_t seed = 1,
                    double zeros = 0) {
  LabelledTable table = clouds(rows, 3, labels, seed, zeros);
  for (auto& row : table.x) {
    for (float& value : row) value *= 0.5F;
  }
  return table;
}

LabelledTable rest_of(const LabelledTable& table, std::size_t begin) {
  const auto from = static_cast<std::ptrdiff_t>(begin);
  return {{table.x.begin() + from, table.x.end()}, {table.y.begin() + from, table.y.end()}};
}

Options with(Options options, std::initializer_list<std::pair<std::string, std::string>> more) {
  for (const auto& [name, value] : more) options.set(name, value);
  return options;
}

// Learners of every kind: they merge, project or remove vectors, observe every example, average, or have no budget.
std::vector<Options> learners() {
  std::vector<Options> list;
  for (const char* name : {"bpegasos", "bnorma", "bmp", "projectron++", "tighter", "bpa-nn", "spa", "pa1"}) {
    Options options{{"algo", name}, {"gamma", "0.7"}};
    if (complete_options(options).has("budget")) options.set("budget", "12");
    list.push_back(std::move(options));
  }
  return list;
}

std::vector<Options> rules() {
  return {{{"query", "ramp"}},
          {{"query", "ramp"}, {"query-budget", "23"}},
          {{"query", "greedy"}},
          {{"query", "greedy"}, {"query-window", "3"}, {"query-budget", "17"}},
          {{"query", "all"}, {"query-budget", "40"}}};
}

std::vector<Options> grid() {
  std::vector<Options> list;
  for (const Options& learner : learners()) {
    for (const Options& rule : rules()) {
      Options options = learner;
      for (const auto& [name, value] : rule.all()) options.set(name, value);
      list.push_back(std::move(options));
    }
  }
  return list;
}

std::string name_of(const Options& options) {
  std::string name;
  for (const auto& [key, value] : options.all()) name += key + "=" + value + " ";
  return name;
}

std::string bytes_of(const Learner& learner) {
  StateWriter out;
  learner.save(out);
  return out.bytes();
}

// Answers queries with the labels of the data and records which examples were queried.
Oracle noting(std::vector<std::uint64_t>& asked) {
  return [&asked](const Query& query) {
    asked.push_back(query.example);
    return label_in_data(query);
  };
}

// All rows in one batch.
Model trained(const Options& options, const LabelledTable& table, bool sparse = false) {
  Model model(options);
  EXPECT_TRUE(model.learn(one_batch(table, sparse)));
  return model;
}

TEST(Query, CertaintyIsTheDistanceFromTheNextBestClass) {
  const Options options = complete_options({{"gamma", "1"}, {"storage", "dense"}});
  const auto certainty = [&](std::uint32_t classes, std::vector<float> scores) {
    return make_learner(options, {.dimension = 2, .classes = classes})->certainty(scores);
  };
  EXPECT_EQ(certainty(0, {3}), 0);
  EXPECT_EQ(certainty(1, {3}), 0);
  EXPECT_EQ(certainty(2, {-3}), 3);
  EXPECT_EQ(certainty(2, {0.5F}), 0.5);
  EXPECT_EQ(certainty(3, {-1, -4, -2}), 1);
  EXPECT_EQ(certainty(4, {1, 5, 2.5F, 5}), 0);
}

// --- the rule --------------------------------------------------------------------------------------------------------

struct Reference {
  std::unique_ptr<Learner> learner;
  std::vector<std::uint64_t> asked;
  std::uint64_t mistakes = 0;
};

// Reference: one row at a time, by the definition of the rule. The features are not scaled.
Reference plain(const Options& options, const LabelledTable& table, const std::vector<std::string>& labels) {
  const Shape shape{.dimension = 3, .classes = static_cast<std::uint32_t>(labels.size())};
  Reference result{make_learner(options, shape), {}, 0};
  Learner& learner = *result.learner;
  const std::string& rule = options.text("query");
  const auto budget = static_cast<std::size_t>(options.integer("query-budget"));
  const std::size_t window = rule == "greedy" ? static_cast<std::size_t>(options.integer("query-window")) : 1;
  const auto class_of = [&](std::size_t i) {
    return static_cast<ClassId>(std::ranges::find(labels, table.y[i]) - labels.begin());
  };
  std::vector<std::pair<double, std::size_t>> in_window;
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    const Features x = Features::dense(table.x[i]);
    std::vector<float> scores(learner.outputs());
    learner.scores({.count = 1, .dimension = 3, .values = x.values, .stride = 3}, scores);
    result.mistakes += learner.decide(scores).label != class_of(i);
    if (budget > 0 && result.asked.size() == budget) continue;
    std::vector<float> sorted = scores;
    std::ranges::sort(sorted);
    const double certainty = scores.size() == 1
                                 ? std::abs(static_cast<double>(scores[0]))
                                 : static_cast<double>(sorted.back()) - static_cast<double>(sorted[sorted.size() - 2]);
    if (rule == "ramp" && certainty > 1) continue;
    in_window.emplace_back(certainty, i);
    if (in_window.size() < window) continue;
    const std::size_t chosen = std::ranges::min(in_window).second;
    in_window.clear();
    result.asked.push_back(chosen + 1);
    learner.learn({.x = Features::dense(table.x[chosen]), .label = class_of(chosen)});
  }
  return result;
}

TEST(Query, AsksAndLearnsAsThePlainRuleSays) {
  for (const auto& labels : {kTwo, kFour}) {
    const LabelledTable table = birds(400, labels);
    for (const Options& each : grid()) {
      SCOPED_TRACE(name_of(each));
      Model model(with(each, {{"scale", "none"}}));
      std::vector<std::uint64_t> asked;
      ASSERT_TRUE(model.learn(one_batch(table), nullptr, noting(asked)));
      const Reference reference = plain(model.options(), table, labels);
      EXPECT_EQ(asked, reference.asked);
      EXPECT_EQ(bytes_of(learner_of(model)), bytes_of(*reference.learner));
      EXPECT_EQ(model.progress().mistakes, reference.mistakes);
      EXPECT_EQ(model.progress().labels, asked.size());
      EXPECT_EQ(model.progress().examples, 400u);
      EXPECT_EQ(model.progress().unlabelled, 0u);
      EXPECT_EQ(model.stats().examples, asked.size());
    }
  }
}

TEST(Query, GreedyAsksOncePerWindowUntilTheBudgetIsSpent) {
  const LabelledTable table = birds(333, kTwo);
  for (const std::size_t window : {1u, 2u, 5u, 7u, 400u}) {
    for (const std::size_t budget : {0u, 1u, 20u}) {
      const Model model = trained(
          {{"query", "greedy"}, {"query-window", std::to_string(window)}, {"query-budget", std::to_string(budget)}},
          table);
      const std::size_t windows = 333 / window;
      EXPECT_EQ(model.progress().labels, budget == 0 ? windows : std::min(windows, budget)) << window << " " << budget;
    }
  }
}

TEST(Query, TheBudgetIsNeverExceeded) {
  for (const char* rule : {"all", "ramp", "greedy"}) {
    for (const std::uint64_t budget : {1u, 10u, 100u}) {
      Model model(Options{{"query", rule}, {"query-budget", std::to_string(budget)}, {"algo", "bmp"}});
      std::vector<std::uint64_t> asked;
      model.learn(one_batch(birds(700, kFour)), nullptr, noting(asked));
      EXPECT_EQ(asked.size(), budget) << rule;
      EXPECT_EQ(model.progress().labels, budget);
      EXPECT_EQ(model.progress().examples, 700u);
    }
  }
}

TEST(Query, AllWithoutABudgetIsOrdinaryLearning) {
  const LabelledTable table = birds(500, kFour);
  const Model plain_model = trained({{"algo", "bpegasos"}}, table);
  EXPECT_EQ(trained({{"algo", "bpegasos"}, {"query", "all"}}, table).serialize(), plain_model.serialize());
  EXPECT_EQ(plain_model.progress().labels, 500u);
  EXPECT_FALSE(plain_model.asks_for_labels());
  const Model roomy = trained({{"algo", "bpegasos"}, {"query", "all"}, {"query-budget", "1000"}}, table);
  EXPECT_EQ(bytes_of(learner_of(roomy)), bytes_of(learner_of(plain_model)));
  EXPECT_EQ(roomy.progress().mistakes, plain_model.progress().mistakes);
  EXPECT_EQ(roomy.progress().labels, 500u);
}

TEST(Query, HiddenLabelsDoNotMatter) {
  for (const auto& labels : {kTwo, kFour}) {
    const LabelledTable table = birds(1500, labels);
    for (const Options& options : grid()) {
      SCOPED_TRACE(name_of(options));
      Model model(options);
      std::vector<std::uint64_t> asked;
      model.learn(one_batch(table), nullptr, noting(asked));
      const std::set<std::uint64_t> known(asked.begin(), asked.end());
      LabelledTable other = table;
      for (std::size_t i = 0; i < other.y.size(); ++i) {
        const auto at = std::ranges::find(labels, other.y[i]) - labels.begin();
        if (!known.contains(i + 1)) other.y[i] = labels[static_cast<std::size_t>(at + 1) % labels.size()];
      }
      std::vector<std::uint64_t> asked_again;
      Model again(options);
      again.learn(one_batch(other), nullptr, noting(asked_again));
      EXPECT_EQ(asked_again, asked);
      EXPECT_EQ(bytes_of(learner_of(again)), bytes_of(learner_of(model)));
    }
  }
}

// --- batches, interruption, continuation -----------------------------------------------------------------------------

TEST(Query, BatchesMakeNoDifferenceNorDoesSaving) {
  Random random(3);
  for (const bool sparse : {false, true}) {
    LabelledTable table = birds(500, kFour, 2, 0.3);
    for (std::size_t i = 300; i < 500; i += 7) table.x[i].push_back(1);  // a feature that comes late
    if (!sparse) table = birds(500, kFour, 2, 0.3);
    for (const Options& options : grid()) {
      SCOPED_TRACE(name_of(options));
      Model whole(options);
      Stream stream(table, sparse);
      whole.learn(stream.next(100));
      Model in_parts = Model::deserialize(whole.serialize(), "head");
      while (!stream.at_end()) whole.learn(stream.next(400));
      const LabelledTable rest = rest_of(table, 100);
      for (std::size_t at = 0; at < rest.x.size();) {
        const LabelledTable left = rest_of(rest, at);
        Stream from_here(left, sparse);
        const std::size_t rows = std::min<std::size_t>(1 + random.below(90), left.x.size());
        in_parts.learn(from_here.next(rows));
        in_parts = Model::deserialize(in_parts.serialize(), "part");
        at += rows;
      }
      EXPECT_EQ(in_parts.serialize(), whole.serialize());
    }
  }
}

// The oracle often has no answer or throws. Learning stops at that query, also inside the first batch; then the model
// is saved, loaded and continued.
TEST(Query, AnUnansweredQueryIsAskedAgainAndNothingIsLost) {
  Random random(5);
  for (const bool sparse : {false, true}) {
    const LabelledTable table = birds(300, kFour, 4, 0.3);
    for (const Options& options : grid()) {
      SCOPED_TRACE(name_of(options));
      std::vector<std::uint64_t> asked;
      Model whole(options);
      std::vector<Prediction> before;
      whole.learn(one_batch(table, sparse), &before, noting(asked));
      std::vector<std::uint64_t> answered;
      std::vector<Prediction> in_pieces;
      const Oracle moody = [&](const Query& query) -> std::optional<std::string> {
        if (random.coin(0.2)) throw Error("not in the mood");
        if (random.coin(0.2)) return std::nullopt;
        answered.push_back(query.example);
        return label_in_data(query);
      };
      Model model(options);
      bool done = false;
      while (!done) {
        const auto at = static_cast<std::size_t>(position_of(model).row);
        const LabelledTable left = rest_of(table, at);
        std::vector<Prediction> piece;
        try {
          done = model.learn(one_batch(left, sparse), &piece, moody);
          EXPECT_EQ(piece.size(), position_of(model).row - at);
        } catch (const Error&) {
          piece.resize(static_cast<std::size_t>(position_of(model).row) - at);
        }
        in_pieces.insert(in_pieces.end(), piece.begin(), piece.end());
        model = Model::deserialize(model.serialize(), "piece");
      }
      EXPECT_EQ(answered, asked);
      ASSERT_EQ(in_pieces.size(), before.size());
      for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(in_pieces[i].label, before[i].label) << i;
      EXPECT_EQ(model.serialize(), whole.serialize());
    }
  }
}

TEST(Query, ScalingIsThatOfTheRowsTaken) {
  LabelledTable table = birds(2500, kTwo, 6);
  for (std::size_t i = 0; i < table.x.size(); ++i) table.x[i][0] += static_cast<float>(i) / 100;  // a drift
  for (const char* scale : {"standard", "minmax"}) {
    const Options options{{"query", "ramp"}, {"algo", "bmp"}, {"scale", scale}, {"budget", "15"}};
    Model whole(options);
    whole.learn(one_batch(table));
    Model model(options);
    std::uint64_t turn = 0;
    const Oracle every_other = [&](const Query& query) {
      return ++turn % 2 == 0 ? std::nullopt : label_in_data(query);
    };
    Stream stream(table);
    Batch head = stream.next(kBatchRows);
    while (position_of(model).row < table.x.size()) {
      const LabelledTable left = rest_of(table, static_cast<std::size_t>(position_of(model).row));
      model.begin_source();
      const bool is_head = position_of(model).row == 0;
      model.learn(is_head ? head : Stream(left).next(1000), nullptr, every_other);
    }
    while (!model.learn({}, nullptr, every_other)) {
    }
    EXPECT_EQ(model.serialize(), whole.serialize()) << scale;
  }
}

// --- labels that are not in the data ---------------------------------------------------------------------------------

TEST(Query, ClassesComeUpWithTheirFirstAnswer) {
  const LabelledTable table = birds(600, kFour, 8);
  for (const char* rule : {"all", "ramp", "greedy"}) {
    Model model(Options{{"query", rule}, {"algo", "bmp"}});
    std::uint64_t asked = 0;
    double first_certainty = -1;
    const Oracle oracle = [&](const Query& query) -> std::optional<std::string> {
      if (++asked <= 2) first_certainty = std::max(first_certainty, query.certainty);
      EXPECT_EQ(query.label, nullptr);
      EXPECT_EQ(query.x.count, 3u);
      EXPECT_EQ(query.x.values[0], table.x[query.example - 1][0]);
      if (asked == 1) {
        EXPECT_EQ(query.prediction.label, kNoClass);
      }
      return table.y[query.example - 1];
    };
    model.learn(without_labels(one_batch(table)), nullptr, oracle);
    EXPECT_EQ(first_certainty, 0) << "nothing is certain before two classes are known";
    EXPECT_EQ(model.labels().size(), 4u);
    if (rule != std::string("greedy")) {
      EXPECT_EQ(model.labels()[0], table.y[0]);
    }
    EXPECT_EQ(model.progress().labels, asked);
    EXPECT_EQ(model.progress().judged(), asked);
    EXPECT_EQ(model.progress().examples, 600u);
    const std::vector<Prediction> out = model.predict(one_batch(table)).rows;
    std::size_t right = 0;
    for (std::size_t i = 0; i < out.size(); ++i) right += model.labels()[out[i].label] == table.y[i];
    EXPECT_GT(right, 300u) << rule;
    EXPECT_EQ(Model::deserialize(model.serialize(), "m").serialize(), model.serialize());
  }
}

TEST(Query, StoppedBeforeTheFirstAnswer) {
  const LabelledTable table = birds(50, kFour, 8);
  for (const char* rule : {"all", "ramp", "greedy"}) {
    const Options options{{"query", rule}, {"algo", "bmp"}};
    const auto right = [&](const Query& query) { return std::optional(table.y[query.example - 1]); };
    Model whole(options);
    whole.learn(without_labels(one_batch(table)), nullptr, right);
    Model model(options);
    EXPECT_FALSE(model.learn(without_labels(one_batch(table)), nullptr, [](const Query&) { return std::nullopt; }));
    EXPECT_TRUE(model.labels().empty());
    EXPECT_TRUE(model.asks_for_labels());
    model = Model::deserialize(model.serialize(), "m");
    const LabelledTable left = rest_of(table, static_cast<std::size_t>(position_of(model).row));
    EXPECT_TRUE(model.learn(without_labels(one_batch(left)), nullptr, right));
    EXPECT_EQ(model.serialize(), whole.serialize()) << rule;
  }
}

TEST(Query, OnlyLabelsThatAreAskedForMustBeThere) {
  LabelledTable table = birds(200, kTwo, 9);
  const Options options{{"query", "greedy"}, {"algo", "bmp"}};
  Model model(options);
  std::vector<std::uint64_t> asked;
  model.learn(one_batch(table), nullptr, noting(asked));
  LabelledTable sparing = table;
  for (std::string& label : sparing.y) label.clear();
  for (const std::uint64_t example : asked) sparing.y[example - 1] = table.y[example - 1];
  const Model same = trained(options, sparing);
  EXPECT_EQ(bytes_of(learner_of(same)), bytes_of(learner_of(model)));
  EXPECT_EQ(same.progress().judged(), asked.size());
  sparing.y[asked[7] - 1].clear();
  Model refusing(options);
  try {
    refusing.learn(one_batch(sparing));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "example " + std::to_string(asked[7]) + " has no label, but the model asks for it");
  }
  EXPECT_EQ(refusing.progress().labels, 7u);
}

TEST(Query, WeightsGoWithTheirRows) {
  const LabelledTable table = birds(300, kTwo, 10);
  const Options options{{"query", "ramp"}, {"algo", "bmp"}, {"budget", "20"}};
  Batch weighted = one_batch(table);
  for (const std::string& label : table.y) weighted.weights.push_back(label == "1" ? 3.0F : 1.0F);
  Model by_row(options);
  by_row.learn(weighted);
  Model by_class(with(options, {{"class-weight", "1=3"}}));
  by_class.learn(one_batch(table));
  EXPECT_EQ(bytes_of(learner_of(by_row)), bytes_of(learner_of(by_class)));
  EXPECT_NE(bytes_of(learner_of(by_row)), bytes_of(learner_of(trained(options, table))));
}

TEST(Query, IsForClasses) {
  Model model(Options{{"task", "regress"}, {"update", "pa2"}});
  EXPECT_THROW(model.learn(with_numbers(one_batch(birds(5, kTwo))), nullptr, label_in_data), Error);
  EXPECT_THROW(complete_options({{"task", "novelty"}, {"query", "ramp"}}), Error);
  EXPECT_THROW(complete_options({{"query", "ramp"}, {"query-window", "3"}}), Error);
  EXPECT_THROW(complete_options({{"query", "sometimes"}}), Error);
  EXPECT_FALSE(complete_options({{"query", "ramp"}}).has("query-window"));
  EXPECT_EQ(complete_options({{"query", "greedy"}}).text("query-window"), "5");
}

// --- the file --------------------------------------------------------------------------------------------------------

// Changing any byte of the query section gives an Error, or a model that can be used and saved.
TEST(Query, ADamagedStateIsAnErrorOrHarmless) {
  const LabelledTable table = birds(64, kTwo, 11, 0.3);
  for (const bool sparse : {false, true}) {
    Model model(
        Options{{"query", "greedy"}, {"budget", "3"}, {"gamma", "1"}, {"storage", sparse ? "sparse" : "dense"}});
    model.learn(one_batch(table, sparse));  // 12 full windows, and 4 rows of the next
    const std::string bytes = model.serialize();
    const std::size_t begin = bytes.rfind("query");
    ASSERT_NE(begin, std::string::npos);
    std::size_t refused = 0;
    for (std::size_t at = begin; at + 8 < bytes.size(); ++at) {
      for (const int change : {0x01, 0x80, 0xFF}) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        seal_model(damaged);
        try {
          Model loaded = Model::deserialize(damaged, "m");
          EXPECT_EQ(loaded.serialize(), damaged);
          loaded.learn(one_batch(table, sparse));
        } catch (const Error&) {
          ++refused;
        }
      }
    }
    EXPECT_GT(refused, 50u);
  }
}

TEST(Query, TheRowInQuestionIsPartOfTheFile) {
  const LabelledTable table = birds(64, kTwo, 12);
  Model model(Options{{"query", "all"}});
  std::uint64_t left = 10;
  const Oracle ten = [&](const Query& query) { return left-- == 0 ? std::nullopt : label_in_data(query); };
  EXPECT_FALSE(model.learn(one_batch(table), nullptr, ten));
  EXPECT_EQ(model.progress().examples, 11u);
  EXPECT_EQ(model.progress().labels, 10u);
  Model loaded = Model::deserialize(model.serialize(), "m");
  Query open;
  std::vector<float> x;
  const Oracle looking = [&](const Query& query) {
    open = query;
    x.assign(query.x.values, query.x.values + query.x.count);
    return std::optional<std::string>();
  };
  EXPECT_FALSE(loaded.learn({}, nullptr, looking));
  EXPECT_EQ(open.example, 11u);
  EXPECT_EQ(x, table.x[10]);
  EXPECT_TRUE(loaded.learn({}, nullptr, [](const Query&) { return std::optional<std::string>("new"); }));
  EXPECT_THAT(loaded.labels(), ElementsAre("-1", "1", "new"));
}

}  // namespace
}  // namespace kinglet
