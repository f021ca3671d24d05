// Distill compared with its definition, and the bound on its size (theorem 1 of the paper).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "budget/rule_race.hpp"
#include "learn/make_learner.hpp"

namespace kinglet {
namespace {

class PlainDistill : public RacingModel {
 public:
  PlainDistill(const RaceSetting& setting, double beta)
      : RacingModel(setting.kernel, setting.classes, setting.budget), beta_(beta) {}
  void place(const PlainTerm& term) override {
    terms.push_back(term);
    while (!terms.empty()) {
      std::size_t best = 0;
      for (std::size_t j = 1; j < terms.size(); ++j) {
        if (margin_without(j) > margin_without(best)) best = j;
      }
      const double margin = margin_without(best);
      if (terms.size() <= budget_) doubt(margin - beta_, size_at(best));
      if (terms.size() <= budget_ && margin < beta_) return;
      for (std::size_t j = 0; j < terms.size(); ++j) {
        if (j != best) doubt(margin - margin_without(j), size_at(j) + size_at(best));
      }
      drop(best);
    }
  }

 private:
  double beta_;
};

TEST(Distill, AgreesWithThePlainModel) {
  for (const double beta : {0.01, 0.3}) {
    for (const double learn_up_to : {0.0, 1.0}) {
      race_on_many_streams(
          {.rule = "distill", .options = {{"distill-margin", std::to_string(beta)}}, .learn_up_to = learn_up_to},
          [&](const RaceSetting& setting) { return std::make_unique<PlainDistill>(setting, beta); });
    }
  }
}

TEST(Distill, LeavesNoVectorThatIsNotNeeded) {
  for (const std::uint32_t classes : {2U, 4U}) {
    const RaceSetting setting{
        .rule = "distill", .options = {{"distill-margin", "0.01"}}, .budget = 40, .classes = classes, .dimension = 3};
    PlainDistill plain(setting, 0.01);
    RuleRace race(setting, plain);
    std::size_t acted = 0;
    for (int i = 0; i < 1000; ++i) {
      race.step();
      acted += race.acted ? 1 : 0;
      for (std::size_t j = 0; j < plain.terms.size(); ++j) ASSERT_LT(plain.margin_without(j), 0.01 + 1e-4);
    }
    EXPECT_GT(acted, 10U);
  }
}

// On data with margin γ inside a ball of radius R, the aggressive perceptron with margin β never keeps more than
// (R² + 2β)/γ² vectors, although it learns from many more examples.
TEST(Distill, KeepsTheSizeThatTheTheoremPromises) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const double gap : {0.1, 0.3}) {
      for (const std::string beta : {"0.01", "0.5"}) {
        Random random(seed);
        const auto learner = make_learner(complete_options({{"update", "perceptron"},
                                                            {"maintain", "distill"},
                                                            {"kernel", "linear"},
                                                            {"margin", beta},
                                                            {"distill-margin", beta},
                                                            {"budget", "2000"}}),
                                          {.dimension = 20, .classes = 2});
        std::vector<double> truth(20);
        double length = 0;
        for (double& u : truth) {
          u = random.normal();
          length += u * u;
        }
        double radius = 0, margin = 1e300;  // R² and γ
        std::size_t most = 0;
        for (int i = 0; i < 4000; ++i) {
          const std::vector<float> x = random_vector(random, 20);
          double score = 0, norm = 0;
          for (std::size_t c = 0; c < 20; ++c) {
            score += truth[c] / std::sqrt(length) * static_cast<double>(x[c]);
            norm += static_cast<double>(x[c]) * static_cast<double>(x[c]);
          }
          if (std::abs(score) < gap) continue;
          radius = std::max(radius, norm);
          margin = std::min(margin, std::abs(score));
          learner->learn({Features::dense(x), score > 0 ? 1U : 0U, 1});
          most = std::max(most, learner->stats().support_vectors);
          const double bound = (radius + 2 * std::stod(beta)) / (margin * margin);
          ASSERT_LE(static_cast<double>(learner->stats().support_vectors), bound);
        }
        EXPECT_LT(most, learner->stats().updates);  // it did remove vectors
      }
    }
  }
}

TEST(Distill, KeepsItsFirstVectorWhateverTheMargin) {
  const RaceSetting setting{.rule = "distill", .options = {{"distill-margin", "1e-9"}}};
  PlainDistill plain(setting, 1e-9);
  RuleRace race(setting, plain);
  race.learn({1, 2}, 0, 1);
  EXPECT_EQ(race.f().size(), 1U);
  EXPECT_THROW(complete_options({{"maintain", "distill"}, {"distill-margin", "0"}}), Error);
}

}  // namespace
}  // namespace kinglet
