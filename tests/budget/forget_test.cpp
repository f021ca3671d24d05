// The Forgetron compared with its definition, in which φ is found by bisection.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "budget/rule_race.hpp"

namespace kinglet {
namespace {

class PlainForget : public RacingModel {
 public:
  PlainForget(const RaceSetting& setting, bool self_tuned)
      : RacingModel(setting.kernel, setting.classes, setting.budget), self_tuned_(self_tuned) {}

  void place(const PlainTerm& term) override {
    terms.push_back(term);
    updates += 1;
    const bool full = terms.size() > budget_;
    const PlainTerm& oldest = terms.front();
    longest = std::max(longest, std::sqrt(size(term)));
    sigma = std::sqrt(size(oldest));
    mu = 0;
    for (const PlainTerm& other : terms) mu += inner(oldest, other);
    mu = sigma == 0 ? 0 : mu / sigma;
    phi = 1;
    if (!self_tuned_) {
      const auto places = static_cast<double>(budget_ + 1);
      phi = std::min(std::pow(places, -0.5 / places), radius() / std::sqrt(squared_norm()));
    } else if (full) {
      phi = largest_allowed();
      spent += psi(phi);
    }
    scale(phi);
    norm_before_removal = std::sqrt(squared_norm());
    if (full) drop(0);
  }

  double radius() const {
    const auto places = static_cast<double>(budget_ + 1);
    return longest * 0.25 * std::sqrt(places / std::log(places));
  }
  double psi(double p) const { return sigma * p * (sigma * p) + 2 * sigma * p * (1 - p * mu); }

  double updates = 0;
  double spent = 0;
  double longest = 0;
  double sigma = 0, mu = 0, phi = 1;
  double norm_before_removal = 0;

 private:
  bool allows(double p) const { return spent + psi(p) <= 15.0 / 32.0 * updates; }
  // Either φ = 1 is allowed, or there is a threshold in [0, 1]: smaller values are allowed, larger ones are not.
  double largest_allowed() const {
    if (allows(1)) return 1;
    double low = 0, high = 1;
    for (int i = 0; i < 200; ++i) {
      const double middle = (low + high) / 2;
      (allows(middle) ? low : high) = middle;
    }
    return low;
  }

  bool self_tuned_;
};

TEST(Forget, AgreesWithThePlainModel) {
  for (const bool self_tuned : {true, false}) {
    for (const double learn_up_to : {0.0, 1.0}) {
      race_on_many_streams(
          {.rule = "forget",
           .options = {{"forgetron", self_tuned ? "self-tuned" : "basic"}},
           .learn_up_to = learn_up_to},
          [&](const RaceSetting& setting) { return std::make_unique<PlainForget>(setting, self_tuned); }, 0);
    }
  }
}

struct State {
  std::uint64_t updates = 0;
  double spent = 0;
};
State state_of(const BudgetRule& rule) {
  StateWriter out;
  rule.save(out);
  StateReader in(out.bytes());
  State state;
  state.updates = in.get<std::uint64_t>();
  state.spent = in.get<double>();
  return state;
}

TEST(Forget, ShrinksAsLittleAsTheMistakeBoundAllows) {
  std::size_t shrunk = 0, whole = 0, dents = 0;
  for (const std::uint32_t classes : {2U, 4U}) {
    for (const std::size_t budget : {1, 3, 20}) {
      for (const std::size_t dimension : {1, 6}) {
        const RaceSetting setting{.rule = "forget", .budget = budget, .classes = classes, .dimension = dimension};
        PlainForget plain(setting, true);
        RuleRace race(setting, plain);
        for (int i = 0; i < 600; ++i) {
          if (!race.step() || !race.acted) continue;
          ASSERT_GT(plain.phi, 0);
          ASSERT_LE(plain.phi, 1);
          // The newest term had weight 1, so its weight is now the rule's φ.
          const double phi = std::abs(race.terms().back().weights[race.terms().back().label % plain.outputs()]);
          ASSERT_NEAR(phi, plain.phi, 1e-4);
          const State state = state_of(race.rule());
          const double allowed = 15.0 / 32.0 * static_cast<double>(state.updates);
          ASSERT_EQ(static_cast<double>(state.updates), plain.updates);
          ASSERT_LE(state.spent, allowed);
          ASSERT_NEAR(state.spent, plain.spent, 1e-3 * allowed);
          if (plain.phi < 1) {
            ASSERT_NEAR(state.spent, allowed, 1e-9 * allowed);  // the allowance is used up
          }
          (plain.phi < 1 ? shrunk : whole) += 1;
          // With σ < 2μ, ψ(φ) = Aφ² + bφ has A < 0. If also φ < 1, the equation for φ has two positive roots.
          dents += plain.phi < 1 && plain.sigma < 2 * plain.mu ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(shrunk, 100U);
  EXPECT_GT(whole, 100U);
  EXPECT_GT(dents, 0U);
}

TEST(Forget, TheBasicFormStaysInItsBall) {
  for (const std::uint32_t classes : {2U, 4U}) {
    for (const std::size_t budget : {1, 5, 30, 90}) {
      const RaceSetting setting{
          .rule = "forget", .options = {{"forgetron", "basic"}}, .budget = budget, .classes = classes, .dimension = 3};
      PlainForget plain(setting, false);
      RuleRace race(setting, plain);
      for (int i = 0; i < 400; ++i) {
        if (!race.step()) continue;
        ASSERT_LE(plain.norm_before_removal, plain.radius() * (1 + 1e-3));
        // Before a term is removed, it is multiplied B + 1 times by a factor of at most (B + 1)^(−1/(2(B+1))). So at
        // most 1/√(B + 1) of its length is left; a new term has the length 1 or √2.
        const double leaving = plain.phi * plain.sigma;
        if (race.acted) {
          ASSERT_LE(leaving, std::sqrt((classes == 2 ? 1.0 : 2.0) / static_cast<double>(budget + 1)) * (1 + 1e-3));
        }
        const double norm = std::sqrt(plain.squared_norm());
        ASSERT_LE(norm, plain.radius() * (1 + 1e-3) + (race.acted ? leaving : 0));
      }
    }
  }
}

TEST(Forget, RefusesAStateThatBreaksItsPromise) {
  const RaceSetting setting{.rule = "forget"};
  PlainForget plain(setting, true);
  RuleRace race(setting, plain);
  for (const double spent : {1e9, std::numeric_limits<double>::quiet_NaN()}) {
    StateWriter out;
    out.put<std::uint64_t>(10);
    out.put(spent);
    StateReader in(out.bytes());
    EXPECT_THROW(race.rule().load(in), Error);
  }
}

}  // namespace
}  // namespace kinglet
