// SpanLearner against the plain formulas on random streams, and its properties: batches, resuming, weights, growth.
#include "span/span_learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "learn/rows_of.hpp"
#include "simd/every_isa.hpp"
#include "span/span_test.hpp"

namespace kinglet {
namespace {

struct Case {
  SpanRule rule;
  std::uint32_t classes;  // 0: regression
  const char* kernel;
};

std::string case_name(const testing::TestParamInfo<Case>& info) {
  const char* rules[] = {"margin", "squares", "gradient"};
  return std::string(rules[static_cast<int>(info.param.rule)]) + std::to_string(info.param.classes) + info.param.kernel;
}

class EverySpan : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::size_t kCentres = 30;
  bool regress() const { return GetParam().classes == 0; }
  Options options(std::size_t budget = kCentres) const {
    Options more{{"kernel", GetParam().kernel}, {"task", regress() ? "regress" : "classify"}};
    if (std::string(GetParam().kernel) != "linear") more.set("gamma", "0.2");
    return span_options(budget, more);
  }
  SpanLearner make(const SpanStream& stream, Storage storage = Storage::dense, std::size_t budget = kCentres) const {
    SpanLearner learner(options(budget), {.dimension = 4, .classes = GetParam().classes, .storage = storage},
                        {GetParam().rule});
    const TableRows rows(stream.x);
    for (std::size_t i = 0; i < kCentres; ++i) learner.add_centre(rows.in_form(storage)[i]);
    return learner;
  }
};
INSTANTIATE_TEST_SUITE_P(Rules, EverySpan,
                         testing::Values(Case{SpanRule::margin, 2, "rbf"}, Case{SpanRule::margin, 4, "rbf"},
                                         Case{SpanRule::margin, 0, "rbf"}, Case{SpanRule::margin, 3, "linear"},
                                         Case{SpanRule::margin, 2, "laplacian"}, Case{SpanRule::squares, 2, "rbf"},
                                         Case{SpanRule::squares, 3, "rbf"}, Case{SpanRule::squares, 0, "linear"},
                                         Case{SpanRule::gradient, 2, "rbf"}, Case{SpanRule::gradient, 3, "rbf"},
                                         Case{SpanRule::gradient, 0, "rbf"}),
                         case_name);

TEST_P(EverySpan, AgreesWithThePlainFormulas) {
  const SpanStream stream(600, 4, GetParam().classes, 1);
  for (const Storage storage : kStorages) {
    SpanLearner learner = make(stream, storage);
    ReferenceSpan plain(make_kernel(options()), SpanSettings{.kind = {GetParam().rule}}, learner.outputs());
    for (std::size_t i = 0; i < kCentres; ++i) plain.add_centre(stream.x[i]);
    const TableRows rows(stream.x);
    std::vector<float> before(stream.x.size() * learner.outputs());
    learner.learn_batch(rows.in_form(storage), stream.targets(regress()), stream.weights, {{}, before});
    double worst = 0;
    for (std::size_t i = 0; i < stream.x.size(); ++i) {
      const auto f = plain.scores(stream.x[i]);
      for (std::size_t c = 0; c < f.size(); ++c) {
        const double difference = std::abs(f[c] - static_cast<double>(before[i * f.size() + c]));
        worst = std::max(worst, difference / (1 + std::abs(f[c])));
      }
      const auto weight = static_cast<double>(stream.weights[i]);
      if (weight == 0) continue;
      if (regress()) {
        plain.learn_number(stream.x[i], static_cast<double>(stream.numbers[i]), weight);
      } else {
        plain.learn(stream.x[i], stream.labels[i], weight);
      }
    }
    EXPECT_LT(worst, 0.01) << name_of(storage);
  }
}

TEST_P(EverySpan, BatchesAndResumingDoNotChangeABit) {
  const SpanStream stream(500, 4, GetParam().classes, 2);
  for (const auto& [storage, budget] :  // with the larger budget, more observations are pending
       {std::pair{Storage::dense, std::size_t{3000}},
        {Storage::dense, kCentres},
        {Storage::mixed, kCentres},
        {Storage::sparse, kCentres}}) {
    SpanLearner whole = make(stream, storage, budget), parts = make(stream, storage, budget);
    const TableRows rows(stream.x);
    const Rows all = rows.in_form(storage);
    std::vector<float> before(500 * whole.outputs()), before_parts(before.size());
    whole.learn_batch(all, stream.targets(regress()), stream.weights, {{}, before});
    Random random(3);
    std::unique_ptr<SpanLearner> resumed;
    Learner* now = &parts;
    for (std::size_t begin = 0; begin < 500;) {
      const std::size_t n = std::min<std::size_t>(1 + random.below(random.coin(0.5) ? 3 : 150), 500 - begin);
      now->learn_batch(all.slice(begin, n), stream.targets(regress()).slice(begin, n),
                       std::span(stream.weights).subspan(begin, n),
                       {{}, std::span(before_parts).subspan(begin * whole.outputs(), n * whole.outputs())});
      begin += n;
      if (!random.coin(0.2)) continue;
      const std::string saved = span_state(*now);
      resumed = std::make_unique<SpanLearner>(options(budget),
                                              Shape{.dimension = 4, .classes = GetParam().classes, .storage = storage},
                                              SpanKind{GetParam().rule});
      StateReader in(saved);
      resumed->load(in);
      EXPECT_TRUE(in.at_end());
      now = resumed.get();
    }
    EXPECT_EQ(std::memcmp(before.data(), before_parts.data(), before.size() * sizeof(float)), 0);
    EXPECT_TRUE(span_state(*now) == span_state(whole)) << name_of(storage);
  }
}

TEST_P(EverySpan, LowersItsBudgetToALearnerOfThatBudget) {
  const SpanStream stream(300, 4, GetParam().classes, 4);
  SpanLearner learner = make(stream);
  const RowBlock block(stream.x);
  learner.learn_batch(block.rows(), stream.targets(regress()), {}, {});
  learner.lower_budget(12);
  const std::string saved = span_state(learner);
  SpanLearner small(options(12), {.dimension = 4, .classes = GetParam().classes}, {GetParam().rule});
  StateReader in(saved);
  small.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(small.stats().support_vectors, 12u);
  EXPECT_TRUE(span_state(small) == saved);
  small.learn_batch(block.rows(), stream.targets(regress()), {}, {});
  EXPECT_EQ(small.stats().support_vectors, 12u);
}

TEST_P(EverySpan, TakesTheMemoryThatItStates) {
  const SpanStream stream(100, 4, GetParam().classes, 5);
  const SpanLearner learner = make(stream);
  EXPECT_EQ(learner.stats().memory_bytes,
            SpanLearner::bytes(options(), {.dimension = 4, .classes = GetParam().classes}));
}

TEST(SpanLearner, NewClassesAndFeaturesStartAtZero) {
  const SpanStream stream(400, 4, 3, 6);
  SpanLearner learner(span_options(20), {.dimension = 3, .classes = 2});
  Vectors narrow;
  for (const auto& x : stream.x) narrow.emplace_back(x.begin(), x.begin() + 3);
  for (std::size_t i = 0; i < 20; ++i) learner.add_centre(Features::dense(narrow[i]));
  std::vector<ClassId> two(200);
  for (std::size_t i = 0; i < 200; ++i) two[i] = stream.labels[i] % 2;
  learner.learn_batch(RowBlock({narrow.begin(), narrow.begin() + 200}).rows(), two, {}, {});
  const Prediction before = learner.predict(Features::dense(narrow[0]));
  learner.grow({.dimension = 4, .classes = 3});
  EXPECT_EQ(learner.outputs(), 3u);
  EXPECT_EQ(learner.support_vector(0).coefficients[2], 0);
  EXPECT_EQ(learner.support_vector(0).x[3], 0);
  std::vector<float> wide = narrow[0];
  wide.push_back(0);
  EXPECT_EQ(learner.predict(Features::dense(wide)).label, before.label);
  learner.learn_batch(RowBlock({stream.x.begin() + 200, stream.x.end()}).rows(), {stream.labels.data() + 200, 200}, {},
                      {});
  EXPECT_NE(learner.support_vector(0).coefficients[2], 0);
}

TEST(SpanLearner, SpansTheVectorsOfAnotherSet) {
  const SpanStream stream(50, 4, 2, 7);
  for (const Storage storage : kStorages) {
    const Shape shape{.dimension = 4, .classes = 2, .storage = storage};
    const auto set = make_support_set(make_kernel(span_options(30)), shape, 30);
    const TableRows rows(stream.x);
    for (std::size_t i = 0; i < 25; ++i) set->append(rows.in_form(storage)[i]);
    const SpanLearner learner(span_options(30), shape, *set);
    ASSERT_EQ(learner.stats().support_vectors, 25u);
    for (std::size_t i = 0; i < 25; ++i) EXPECT_EQ(learner.support_vector(i).x, stream.x[i]);
  }
}

// With a huge noise every step is small, with none it is as large as the margin asks for.
TEST(SpanLearner, FitsAnExampleThatHasNoNoise) {
  SpanLearner learner(span_options(2, {{"noise", "1e-6"}}), {.dimension = 2, .classes = 2});
  const std::vector<float> x{1, 2};
  learner.add_centre(Features::dense(x));
  learner.learn({Features::dense(x), 1, 1});
  EXPECT_NEAR(learner.predict(Features::dense(x)).score, 1, 1e-3);
}

// Labels are random, so nearly every example violates the margin.
TEST(SpanLearner, ThinsOutEasyViolatorsAfterManyUpdates) {
  Random random(9);
  const std::size_t count = 60'000;
  const Vectors x = random_vectors(random, count, 2);
  std::vector<ClassId> labels(count);
  for (ClassId& label : labels) label = static_cast<ClassId>(random.below(2));
  const RowBlock block(x);
  const auto make = [&] {
    auto learner = std::make_unique<SpanLearner>(span_options(4), Shape{.dimension = 2, .classes = 2});
    for (std::size_t i = 0; i < 4; ++i) learner->add_centre(Features::dense(x[i]));
    return learner;
  };
  const auto whole = make(), parts = make();
  whole->learn_batch(block.rows(), labels, {}, {});
  for (std::size_t begin = 0; begin < count; begin += 7) {
    const std::size_t n = std::min<std::size_t>(7, count - begin);
    parts->learn_batch(block.rows().slice(begin, n), {&labels[begin], n}, {}, {});
  }
  EXPECT_TRUE(span_state(*whole) == span_state(*parts));
  // About half of the later examples are mistakes; of the others, a quarter is learned.
  const double later = static_cast<double>(whole->stats().updates - SpanSettings::kManyUpdates) / 20'000.0;
  EXPECT_GT(later, 0.55);
  EXPECT_LT(later, 0.7);

  Options early = span_options(4);
  early.set("thin-after", "1000");
  SpanLearner thinned(early, {.dimension = 2, .classes = 2});
  for (std::size_t i = 0; i < 4; ++i) thinned.add_centre(Features::dense(x[i]));
  thinned.learn_batch(block.rows(), labels, {}, {});
  EXPECT_NEAR(static_cast<double>(thinned.stats().updates - 1000) / 59'000.0, later, 0.05);
}

TEST(SpanLearner, IsTheSameOnEveryInstructionSetUpToRounding) {
  const SpanStream stream(300, 4, 3, 8);
  std::vector<float> scores;
  simd::for_every_isa([&] {
    SpanLearner learner(span_options(30), {.dimension = 4, .classes = 3});
    for (std::size_t i = 0; i < 30; ++i) learner.add_centre(Features::dense(stream.x[i]));
    const RowBlock block(stream.x);
    learner.learn_batch(block.rows(), stream.labels, {}, {});
    std::vector<float> here(900);
    learner.scores(block.rows(), here);
    if (scores.empty()) scores = here;
    for (std::size_t i = 0; i < 900; ++i) ASSERT_NEAR(here[i], scores[i], 0.02);
  });
}

}  // namespace
}  // namespace kinglet
