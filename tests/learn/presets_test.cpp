// Every preset on a small stream: it stays within its budget, its scores are finite, saving and loading does not change
// the result, and it learns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/state.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "random_vectors.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kBudget = 60;

// A 4 × 4 grid of clouds; neighbouring clouds have different classes, so that no line separates them. About 2 % of the
// points are nearer to the centre of a neighbouring cloud.
struct Clouds {
  Vectors x;
  std::vector<ClassId> labels;

  Clouds(std::size_t count, std::uint32_t classes, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      const auto column = static_cast<std::uint32_t>(random.below(4));
      const auto row = static_cast<std::uint32_t>(random.below(4));
      labels.push_back((column + row) % classes);
      x.push_back(
          {static_cast<float>(column + 0.2 * random.normal()), static_cast<float>(row + 0.2 * random.normal())});
    }
  }
};

std::string state_of(const Learner& learner) {
  StateWriter out;
  learner.save(out);
  return out.bytes();
}

class EveryPreset : public testing::TestWithParam<std::string> {
 protected:
  static Options options() {
    Options given{{"algo", GetParam()}, {"gamma", "4"}};
    const Algorithm& algorithm = *std::ranges::find(algorithms(), GetParam(), &Algorithm::name);
    const bool bounded = algorithm.learner.empty() ? algorithm.maintain != "none"
                                                   : complete_options({{"algo", GetParam()}}).has("budget");
    if (bounded) given.set("budget", std::to_string(kBudget));
    if (GetParam() == "spa") given.set("beta", "5");
    return complete_options(given);
  }
  static double accuracy(const Learner& learner, const Clouds& test) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < test.x.size(); ++i) {
      const Prediction prediction = learner.predict(Features::dense(test.x[i]));
      EXPECT_TRUE(std::isfinite(prediction.score));
      right += prediction.label == test.labels[i];
    }
    return static_cast<double>(right) / static_cast<double>(test.x.size());
  }
};

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const Algorithm& algorithm : algorithms()) list.push_back(algorithm.name);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Presets, EveryPreset, testing::ValuesIn(names()), [](const auto& name) {
  std::string text = name.param;
  std::ranges::replace(text, '-', '_');
  std::ranges::replace(text, '+', 'p');
  return text;
});

TEST_P(EveryPreset, StaysInItsBudgetResumesAndLearns) {
  for (const std::uint32_t classes : {2U, 3U}) {
    const Clouds stream(3000, classes, 1);
    const Clouds test(1000, classes, 2);
    const Shape shape{.dimension = 2, .classes = classes};
    const auto whole = make_learner(options(), shape);
    const auto first = make_learner(options(), shape);
    const RowBlock block(stream.x);
    for (std::size_t i = 0; i < stream.x.size(); ++i) {
      const Prediction before = whole->learn({Features::dense(stream.x[i]), stream.labels[i], 1});
      ASSERT_TRUE(std::isfinite(before.score));
      if (whole->stats().budget > 0) {
        ASSERT_LE(whole->stats().support_vectors, kBudget);
      }
    }
    constexpr std::size_t kStop = 1234;
    first->learn_batch(block.rows().slice(0, kStop), {stream.labels.data(), kStop}, {}, {});
    const auto second = make_learner(options(), shape);
    const std::string saved = state_of(*first);
    StateReader in(saved);
    second->load(in);
    EXPECT_TRUE(in.at_end());
    second->learn_batch(block.rows().slice(kStop, 3000 - kStop), {&stream.labels[kStop], 3000 - kStop}, {}, {});
    EXPECT_TRUE(state_of(*second) == state_of(*whole)) << classes;
    whole->finish();
    // Guessing has an accuracy of 1 / classes. The presets budget-… remove well-classified vectors and so keep the
    // points that lie in the wrong cloud.
    const bool keeps_noise = GetParam().starts_with("budget-");
    EXPECT_GE(accuracy(*whole, test), classes == 2 ? (keeps_noise ? 0.65 : 0.85) : (keeps_noise ? 0.55 : 0.75));
  }
}

TEST(Presets, NameEveryAlgorithmOfThePapers) {
  for (const char* name : {"perceptron",
                           "stoptron",
                           "rbp",
                           "forgetron",
                           "budget-perceptron",
                           "budget-perceptron-variable",
                           "budget-mira",
                           "budget-mira-variable",
                           "tighter",
                           "tightest",
                           "projectron",
                           "projectron++",
                           "silk",
                           "bpa-s",
                           "bpa-nn",
                           "bpa-p",
                           "ogd",
                           "bogd",
                           "bogd++",
                           "norma",
                           "pegasos",
                           "mp",
                           "pa1",
                           "oskl",
                           "spa",
                           "bpegasos",
                           "bnorma",
                           "bmp",
                           "idsvm",
                           "lasvm",
                           "onlinesvmr",
                           "svmr",
                           "tvm",
                           "svm",
                           "nogd",
                           "krls",
                           "bnewton"}) {
    const auto found = std::ranges::find(algorithms(), name, &Algorithm::name);
    ASSERT_NE(found, algorithms().end()) << name;
    EXPECT_FALSE(found->paper.empty()) << name;
    EXPECT_FALSE(found->cost.empty()) << name;
    EXPECT_NO_THROW(complete_options({{"algo", name}})) << name;
  }
}

}  // namespace
}  // namespace kinglet
