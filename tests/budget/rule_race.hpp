// Compares a budget rule with a double-precision reference model of it on the same stream of examples. The reference
// follows the formulas directly: explicit kernel values, no scale, no slots, terms in the order of birth. It decides
// which examples are learned, so that both get the same terms. If one of its decisions was too close for single
// precision, it copies the terms of the rule, and both continue from there; such steps must be few.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "budget/rule_at_work.hpp"

namespace kinglet {

class RacingModel : public PlainModel {
 public:
  RacingModel(const Kernel& kernel, std::uint32_t classes, std::size_t budget)
      : PlainModel(kernel, classes <= 2 ? 1 : classes), classes_(classes), budget_(budget) {}
  virtual ~RacingModel() = default;

  // Called with every example before the decision whether it is learned.
  virtual void watch(const std::vector<float>& /*x*/, ClassId /*label*/) {}
  // Adds a term and then enforces the budget, as the rule does.
  virtual void place(const PlainTerm& term) = 0;

  // Margin of the vector of term j by the function without term j.
  double margin_without(std::size_t j) const { return margin(scores(terms[j].x, j), terms[j].label); }

  bool clear = true;  // becomes false at a decision that is too close for single precision

 protected:
  // The scale of rounding errors of margin_without(j): the sum of |weight · kernel value| over all terms.
  double size_at(std::size_t j) const {
    double size = 0;
    for (const PlainTerm& term : terms) {
      for (const double weight : term.weights) size += std::abs(weight * kernel(term.x, terms[j].x));
    }
    return size;
  }
  // Records a decision that depends on the sign of `difference`, computed from quantities of this size. It is not clear
  // if rounding in single precision could change the sign.
  void doubt(double difference, double size) { clear &= std::abs(difference) > 3e-6 * std::abs(size); }

  std::uint32_t classes_;
  std::size_t budget_;
};

struct RaceSetting {
  std::string rule;
  Options options{};
  std::size_t budget = 10;
  std::uint32_t classes = 2;
  std::size_t dimension = 2;
  std::uint64_t seed = 1;
  Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.5};
  double learn_up_to = 0;  // learn examples with at most this margin
  std::size_t examples = 300;
  bool varied_steps = false;
  double shrink = 1;  // factor by which f is multiplied before each step

  std::string name() const {
    return rule + ", budget " + std::to_string(budget) + ", classes " + std::to_string(classes) + ", dimension " +
           std::to_string(dimension) + ", seed " + std::to_string(seed) +
           (kernel.kind == KernelKind::linear ? ", linear" : "");
  }
};

class RuleRace {
 public:
  RuleRace(const RaceSetting& setting, RacingModel& plain)
      : setting_(setting),
        plain_(plain),
        work_(options_of(setting), setting.kernel, static_cast<std::uint32_t>(setting.dimension), plain.outputs()) {
    work_.random = Random(setting.seed);
  }

  // Draws an example and learns it if its margin is small enough. Returns whether it was learned.
  bool step() {
    const auto label = static_cast<ClassId>(work_.random.below(setting_.classes));
    std::vector<float> x = random_vector(work_.random, setting_.dimension);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] += (label + i) % 3 == 0 ? 1.0F : (label + i) % 2 == 0 ? -0.7F : 0.2F;
    const double size = setting_.varied_steps ? 0.2 + work_.random.uniform() : 1;
    return learn(x, label, size);
  }
  bool learn(const std::vector<float>& x, ClassId label, double size) {
    plain_.clear = true;
    work_.watch(x, label);
    plain_.watch(x, label);
    const std::vector<double> scores = plain_.scores(x);
    const double margin = PlainModel::margin(scores, label);
    const bool learned = margin <= setting_.learn_up_to;
    if (learned) {
      if (setting_.shrink != 1) {
        f().shrink(setting_.shrink);
        plain_.scale(setting_.shrink);
      }
      PlainTerm term{x, std::vector<double>(plain_.outputs(), 0.0), born_++, label};
      if (plain_.outputs() == 1) {
        term.weights[0] = label == 1 ? size : -size;
      } else {
        term.weights[label] = size;
        term.weights[PlainModel::rival(scores, label)] = -size;
      }
      acted = work_.place(x, term.weights, size, margin, label);
      plain_.place(term);
    }
    if (!plain_.clear) {
      ++doubtful;
      take_over();
    }
    compare();
    return learned;
  }

  // The rule's terms in the order of birth.
  std::vector<PlainTerm> terms() const {
    std::vector<PlainTerm> list = work_.plain().terms;
    const std::vector<double> counts = saved_counts();
    const std::size_t stride = round_up(setting_.budget + 1, 16);
    for (std::size_t j = 0; j < list.size(); ++j) {
      for (std::size_t c = 0; c * stride < counts.size(); ++c) list[j].counts.push_back(counts[c * stride + j]);
    }
    std::ranges::sort(list, {}, &PlainTerm::birth);
    return list;
  }
  Expansion& f() { return work_.f(); }
  BudgetRule& rule() { return work_.rule(); }

  std::size_t doubtful = 0;
  bool acted = false;  // the last result of place()

 private:
  static Options options_of(const RaceSetting& setting) {
    Options options{{"maintain", setting.rule}, {"budget", std::to_string(setting.budget)}};
    for (const auto& [name, value] : setting.options.all()) options.set(name, value);
    return options;
  }
  std::vector<double> saved_counts() const {
    if (!work_.rule().watches()) return {};
    StateWriter out;
    work_.rule().save(out);
    StateReader in(out.bytes());
    return in.get_array<double>();
  }
  void take_over() { plain_.terms = terms(); }
  void compare() const {
    ASSERT_LE(work_.f().size(), setting_.budget);
    const std::vector<PlainTerm> got = terms();
    ASSERT_EQ(got.size(), plain_.terms.size()) << setting_.name();
    for (std::size_t j = 0; j < got.size(); ++j) {
      const PlainTerm& want = plain_.terms[j];
      ASSERT_EQ(got[j].birth, want.birth) << setting_.name();
      for (std::size_t c = 0; c < want.weights.size(); ++c) {
        ASSERT_NEAR(got[j].weights[c], want.weights[c], 2e-4 * (1 + std::abs(want.weights[c]))) << setting_.name();
      }
      if (work_.rule().watches()) {
        ASSERT_EQ(got[j].counts, want.counts) << setting_.name();
      }
    }
  }

  RaceSetting setting_;
  RacingModel& plain_;
  RuleAtWork work_;
  std::uint64_t born_ = 0;
};

// Compares a rule with its reference on streams of many kinds. `make` builds the reference for a setting.
template <class Make>
void race_on_many_streams(const RaceSetting& base, Make make, double doubtful_share = 0.05) {
  std::uint64_t seed = 0;
  for (const std::uint32_t classes : {2U, 4U}) {
    for (const std::size_t budget : {1, 2, 10, 25}) {
      for (const std::size_t dimension : {1, 3, 12}) {
        for (const bool linear : {false, true}) {
          RaceSetting setting = base;
          setting.classes = classes;
          setting.budget = budget;
          setting.dimension = dimension;
          setting.seed = ++seed;
          setting.varied_steps = seed % 2 == 0;
          setting.kernel.gamma = 1 / static_cast<double>(dimension);
          if (linear) setting.kernel = {.kind = KernelKind::linear};
          if (seed % 3 == 0) setting.shrink = 0.97;
          const auto plain = make(setting);
          RuleRace race(setting, *plain);
          for (std::size_t i = 0; i < setting.examples; ++i) {
            race.step();
            if (testing::Test::HasFatalFailure()) return;
          }
          if (budget <= 2) continue;  // with so few terms, ties are common
          EXPECT_LE(static_cast<double>(race.doubtful), doubtful_share * static_cast<double>(setting.examples))
              << setting.name();
        }
      }
    }
  }
}

}  // namespace kinglet
