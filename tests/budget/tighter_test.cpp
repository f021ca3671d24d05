// The rules tighter and tightest compared with their definition.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "budget/rule_race.hpp"
#include "learn/make_learner.hpp"

namespace kinglet {
namespace {

class PlainLeastError : public RacingModel {
 public:
  PlainLeastError(const RaceSetting& setting)
      : RacingModel(setting.kernel, setting.classes, setting.budget), follows_(setting.rule == "tightest") {}

  void watch(const std::vector<float>& x, ClassId label) override {
    given_ = terms.size();
    if (!follows_ || terms.empty()) return;
    given_ = nearest(x, terms.size());
    terms[given_].counts[label] += 1;
  }

  void place(const PlainTerm& term) override {
    if (follows_ && given_ < terms.size()) terms[given_].counts[term.label] -= 1;  // it represents itself
    terms.push_back(term);
    if (follows_) {
      terms.back().counts.assign(std::max(classes_, 2U), 0.0);
      terms.back().counts[term.label] = 1;
    }
    if (terms.size() <= budget_) return;
    measure();
    std::vector<double> errors, margins;
    for (std::size_t r = 0; r < terms.size(); ++r) {
      errors.push_back(error_without(r));
      margins.push_back(margin_without(r));
    }
    std::size_t best = 0;
    for (std::size_t r = 1; r < terms.size(); ++r) {
      if (errors[r] < errors[best] || (errors[r] == errors[best] && margins[r] > margins[best])) best = r;
    }
    for (std::size_t r = 0; r < terms.size(); ++r) {
      if (r == best || errors[r] != errors[best]) continue;
      doubt(margins[r] - margins[best], sizes_[r] + sizes_[best]);
    }
    if (follows_) {
      PlainTerm& heir = terms[nearest(terms[best].x, best)];
      for (std::size_t c = 0; c < heir.counts.size(); ++c) heir.counts[c] += terms[best].counts[c];
    }
    drop(best);
  }

 private:
  std::size_t nearest(const std::vector<float>& x, std::size_t skipped) {
    const auto distance = [&](std::size_t j) { return kernel(terms[j].x, terms[j].x) - 2 * kernel(terms[j].x, x); };
    std::size_t best = skipped == 0 ? 1 : 0;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (j != skipped && distance(j) < distance(best)) best = j;
    }
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (j != skipped && j != best)
        doubt(distance(j) - distance(best), kernel(terms[j].x, terms[j].x) + std::abs(distance(best)));
    }
    return best;
  }

  // The kernel values and sizes at all vectors, which are the same whichever term is left out.
  void measure() {
    gram_.assign(terms.size(), {});
    sizes_.clear();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (const PlainTerm& term : terms) gram_[i].push_back(kernel(terms[i].x, term.x));
      sizes_.push_back(size_at(i));
    }
  }

  double error_without(std::size_t r) {
    double error = 0;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      const PlainTerm& at = terms[j];
      std::vector<double> g(outputs(), 0.0);
      double size = 0;
      for (std::size_t i = 0; i < terms.size(); ++i) {
        if (i == r) continue;
        const double value = gram_[i][j];
        for (std::size_t c = 0; c < outputs(); ++c) {
          g[c] += terms[i].weights[c] * value;
          size += std::abs(terms[i].weights[c] * value);
        }
      }
      std::size_t winner = outputs() == 1 && g[0] >= 0 ? 1 : 0;
      for (std::size_t c = 1; c < outputs(); ++c) winner = g[c] > g[winner] ? c : winner;
      size += sizes_[j];
      if (outputs() == 1) doubt(g[0], size);
      for (std::size_t c = 0; c < outputs() && outputs() > 1; ++c) {
        // Two classes without coefficients both score exactly 0: a certain tie.
        if (c != winner && (g[c] != 0 || g[winner] != 0)) doubt(g[c] - g[winner], size);
      }
      if (!follows_) error += winner == at.label ? 0 : 1;
      for (std::size_t c = 0; c < at.counts.size(); ++c) error += c == winner ? 0 : at.counts[c];
    }
    return error;
  }

  bool follows_;
  std::size_t given_ = 0;
  std::vector<std::vector<double>> gram_;  // k(x_i, x_j)
  std::vector<double> sizes_;              // size_at(j)
};

class LeastErrorRules : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Rules, LeastErrorRules, testing::Values("tighter", "tightest"),
                         [](const auto& rule) { return rule.param; });

// A step is doubtful as soon as one of the B² predictions is close to a tie, even if it does not affect the choice. So
// more steps are doubtful than with other rules.
TEST_P(LeastErrorRules, AgreeWithThePlainModel) {
  for (const double learn_up_to : {0.0, 1.0}) {
    race_on_many_streams(
        {.rule = GetParam(), .learn_up_to = learn_up_to},
        [](const RaceSetting& setting) { return std::make_unique<PlainLeastError>(setting); }, 0.2);
  }
}

TEST(Tighter, DropsWhatNobodyNeeds) {
  // f = 0 predicts class 1, so a vector of class 0 is misclassified once its own term is removed and no other is near.
  // Only the neighbours at 300 and 300.1 can replace each other; the older one is removed.
  const RaceSetting setting{.rule = "tighter", .budget = 4, .dimension = 1, .learn_up_to = 1e9};
  PlainLeastError plain(setting);
  RuleRace race(setting, plain);
  for (const float place : {0.0F, 100.0F, 300.0F, 200.0F, 300.1F}) race.learn({place}, 0, 1);
  std::vector<float> places;
  for (const PlainTerm& term : race.terms()) places.push_back(term.x[0]);
  EXPECT_EQ(places, (std::vector<float>{0, 100, 200, 300.1F}));
}

TEST(Tightest, CountsEveryExampleOnce) {
  for (const std::uint32_t classes : {2U, 4U}) {
    const RaceSetting setting{.rule = "tightest", .budget = 7, .classes = classes};
    PlainLeastError plain(setting);
    RuleRace race(setting, plain);
    for (int i = 0; i < 500; ++i) {
      race.step();
      double sum = 0;
      for (const PlainTerm& term : race.terms()) sum = std::accumulate(term.counts.begin(), term.counts.end(), sum);
      EXPECT_EQ(sum, i + 1);
    }
  }
}

TEST(Tightest, WeighsErrorsByTheStream) {
  // The vectors are far apart, so removing one makes errors only on the examples that it represents itself. The rule
  // removes the one that represents fewest.
  const RaceSetting setting{.rule = "tightest", .budget = 3, .dimension = 1};
  PlainLeastError plain(setting);
  RuleRace race(setting, plain);
  const auto at = [&](int place, int times) {
    for (int i = 0; i < times; ++i) race.learn({100.0F * static_cast<float>(place)}, 0, 1);
  };
  at(0, 5);
  at(1, 2);
  at(2, 4);
  at(3, 1);  // the new vector itself represents fewest
  std::vector<float> places;
  for (const PlainTerm& term : race.terms()) places.push_back(term.x[0]);
  EXPECT_EQ(places, (std::vector<float>{0, 100, 200}));
}

TEST(Tightest, CopesWithClassesThatComeLate) {
  // After its classes have appeared one after the other, the learner uses as much memory as one that knew them from the
  // start.
  const Options options =
      complete_options({{"update", "perceptron"}, {"maintain", "tightest"}, {"gamma", "0.5"}, {"budget", "9"}});
  const auto learner = make_learner(options, {.dimension = 2, .classes = 1});
  Random random(3);
  for (int i = 0; i < 400; ++i) {
    const std::uint32_t classes = i < 50 ? 1 : i < 100 ? 2 : i < 200 ? 3 : 8;
    if (i == 50 || i == 100 || i == 200) learner->grow({.dimension = 2, .classes = classes});
    const std::vector<float> x = random_vector(random, 2);
    learner->learn({Features::dense(x), static_cast<ClassId>(random.below(classes)), 1});
  }
  EXPECT_EQ(learner->stats().memory_bytes, learner_memory(options, {.dimension = 2, .classes = 8}));
}

TEST(Tightest, GoesOnAfterGrowingAndLoadingAsIfNothingHadHappened) {
  // Kernel values of more than 8 features are rounded differently. The rule must recompute the kernel matrix that it
  // keeps when the number of features grows.
  const Options options =
      complete_options({{"update", "perceptron"}, {"maintain", "tightest"}, {"gamma", "0.1"}, {"budget", "9"}});
  const auto whole = make_learner(options, {.dimension = 7, .classes = 3});
  Random random(4);
  const auto next = [&](Learner& a, Learner* b, std::size_t dimension) {
    const std::vector<float> x = random_vector(random, dimension);
    const auto label = static_cast<ClassId>(random.below(3));
    a.learn({Features::dense(x), label, 1});
    if (b != nullptr) b->learn({Features::dense(x), label, 1});
  };
  for (int i = 0; i < 100; ++i) next(*whole, nullptr, 7);
  whole->grow({.dimension = 12, .classes = 3});
  StateWriter out;
  whole->save(out);
  const auto resumed = make_learner(options, {.dimension = 12, .classes = 3});
  StateReader in(out.bytes());
  resumed->load(in);
  for (int i = 0; i < 200; ++i) next(*whole, resumed.get(), 12);
  StateWriter first, second;
  whole->save(first);
  resumed->save(second);
  EXPECT_TRUE(first.bytes() == second.bytes());
}

TEST(Tightest, RefusesCountsThatCannotBe) {
  const RaceSetting setting{.rule = "tightest", .budget = 3};
  PlainLeastError plain(setting);
  for (const double wrong : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    RuleRace race(setting, plain);
    std::vector<double> counts(32);
    counts[1] = wrong;
    StateWriter out;
    out.put_array(counts);
    StateReader in(out.bytes());
    EXPECT_THROW(race.rule().load(in), Error);
  }
  RuleRace race(setting, plain);
  StateWriter out;
  out.put_array(std::vector<double>(33));
  StateReader in(out.bytes());
  EXPECT_THROW(race.rule().load(in), Error);
}

}  // namespace
}  // namespace kinglet
