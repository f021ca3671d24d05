// A budget rule and a plain double-precision model of it on the same stream of examples. The model is written straight
// from the maths: explicit kernel values, no scale, no slots, terms in the order of birth. It decides which examples are
// learned, so that both are given the same terms. Where one of its decisions was too close for single precision, it takes
// over what the rule decided, and both go on from there; such steps must be few.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "budget/budget_rule.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "model/expansion.hpp"
#include "random_vectors.hpp"

namespace kinglet {

struct RacingTerm {
  std::vector<float> x;
  std::vector<double> weights;
  ClassId label = 0;
  std::uint64_t birth = 0;
  std::vector<double> counts{};  // examples of each class that it stands for, where a rule counts them
};

class PlainModel {
 public:
  PlainModel(const Kernel& kernel, std::uint32_t classes, std::size_t budget)
      : kernel_(kernel), classes_(classes), outputs_(classes <= 2 ? 1 : classes), budget_(budget) {}
  virtual ~PlainModel() = default;

  // An example before it is learned, if it is.
  virtual void watch(const std::vector<float>& /*x*/, ClassId /*label*/) {}
  // Adds a term, and takes away what the rule would.
  virtual void place(const RacingTerm& term) = 0;

  std::vector<double> scores(const std::vector<float>& x) const {
    std::vector<double> out(outputs_, 0.0);
    for (const RacingTerm& term : terms) {
      for (std::size_t c = 0; c < outputs_; ++c) out[c] += term.weights[c] * k(term.x, x);
    }
    return out;
  }
  double margin(const std::vector<double>& scores, ClassId label) const {
    if (outputs_ == 1) return label == 1 ? scores[0] : -scores[0];
    double rival = -1e300;
    for (ClassId c = 0; c < outputs_; ++c) {
      if (c != label) rival = std::max(rival, scores[c]);
    }
    return scores[label] - rival;
  }
  // Of the function without term j, at its own place.
  double margin_without(std::size_t j) const {
    std::vector<double> g(outputs_, 0.0);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i == j) continue;
      for (std::size_t c = 0; c < outputs_; ++c) g[c] += terms[i].weights[c] * k(terms[i].x, terms[j].x);
    }
    return margin(g, terms[j].label);
  }
  double k(const std::vector<float>& x, const std::vector<float>& z) const {
    double dot = 0, squared = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto a = static_cast<double>(x[i]), b = static_cast<double>(z[i]);
      dot += a * b;
      squared += (a - b) * (a - b);
    }
    return kernel_.kind == KernelKind::rbf ? std::exp(-kernel_.gamma * squared) : dot;
  }
  std::size_t outputs() const { return outputs_; }

  std::vector<RacingTerm> terms;
  bool clear = true;  // whether every decision since it was last set was clear

 protected:
  // A difference that decides something, of quantities of this size.
  void doubt(double difference, double size) { clear &= std::abs(difference) > 3e-6 * std::abs(size); }
  // The size of what margin_without(j) is a sum of.
  double size_at(std::size_t j) const {
    double size = 0;
    for (const RacingTerm& term : terms) {
      for (const double weight : term.weights) size += std::abs(weight * k(term.x, terms[j].x));
    }
    return size;
  }
  void remove(std::size_t j) { terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(j)); }

  Kernel kernel_;
  std::uint32_t classes_;
  std::size_t outputs_;
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
  double learn_up_to = 0;  // margin
  std::size_t examples = 300;
  bool varied_steps = false;
  double shrink = 1;  // of the model before each step

  std::string name() const {
    return rule + ", budget " + std::to_string(budget) + ", classes " + std::to_string(classes) + ", dimension " +
           std::to_string(dimension) + ", seed " + std::to_string(seed) +
           (kernel.kind == KernelKind::linear ? ", linear" : "");
  }
};

class RuleRace {
 public:
  RuleRace(const RaceSetting& setting, PlainModel& plain)
      : setting_(setting),
        plain_(plain),
        f_(setting.kernel, {.dimension = static_cast<std::uint32_t>(setting.dimension), .classes = setting.classes},
           plain.outputs(), setting.budget + 1),
        random_(setting.seed) {
    Options options{{"maintain", setting.rule}, {"gamma", "0.5"}, {"budget", std::to_string(setting.budget)}};
    for (const auto& [name, value] : setting.options.all()) options.set(name, value);
    const BudgetRuleEntry& entry = budget_rule_entry(setting.rule);
    rule_ = entry.make(complete(options));
    rule_->grow(setting.classes);
    if (entry.needs_values) f_.keep_values();
  }

  // Draws an example and learns it where its margin asks for it. Returns whether it was learned.
  bool step() {
    const auto label = static_cast<ClassId>(random_.below(setting_.classes));
    std::vector<float> x = random_vector(random_, setting_.dimension);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] += (label + i) % 3 == 0 ? 1.0F : (label + i) % 2 == 0 ? -0.7F : 0.2F;
    const double size = setting_.varied_steps ? 0.2 + random_.uniform() : 1;
    return learn(x, label, size);
  }
  bool learn(const std::vector<float>& x, ClassId label, double size) {
    AlignedFloats row(f_.set().padded_size() + 16);
    f_.set().kernel_rows(RowBlock({x}).rows(), row.data(), f_.set().padded_size());
    plain_.clear = true;
    if (rule_->watches()) rule_->watch(f_, row.data(), label);
    plain_.watch(x, label);
    const std::vector<double> scores = plain_.scores(x);
    const double margin = plain_.margin(scores, label);
    const bool learned = margin <= setting_.learn_up_to;
    if (learned) {
      if (setting_.shrink != 1) {
        f_.shrink(setting_.shrink);
        for (RacingTerm& term : plain_.terms) {
          for (double& weight : term.weights) weight *= setting_.shrink;
        }
      }
      RacingTerm term{x, std::vector<double>(plain_.outputs(), 0.0), label, born_++};
      if (plain_.outputs() == 1) {
        term.weights[0] = label == 1 ? size : -size;
      } else {
        ClassId rival = label == 0 ? 1 : 0;
        for (ClassId c = 0; c < scores.size(); ++c) {
          if (c != label && scores[c] > scores[rival]) rival = c;
        }
        term.weights[label] = size;
        term.weights[rival] = -size;
      }
      const Term given{.x = Features::dense(x),
                       .kernel_row = row.data(),
                       .self_kernel = setting_.kernel(Features::dense(x), Features::dense(x)),
                       .coefficients = term.weights,
                       .step = size,
                       .margin = margin,
                       .label = label};
      acted = rule_->place(f_, given, random_);
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
  std::vector<RacingTerm> terms() const {
    std::vector<RacingTerm> list;
    const std::vector<double> counts = saved_counts();
    const std::size_t stride = round_up(setting_.budget + 1, 16);
    for (std::size_t j = 0; j < f_.size(); ++j) {
      std::vector<float> x(setting_.dimension);
      f_.set().copy_to(j, x);
      RacingTerm term{x, {}, f_.label(j), f_.birth(j)};
      for (std::size_t c = 0; c < f_.outputs(); ++c) term.weights.push_back(f_.coefficient(j, c));
      for (std::size_t c = 0; c * stride < counts.size(); ++c) term.counts.push_back(counts[c * stride + j]);
      list.push_back(term);
    }
    std::ranges::sort(list, {}, &RacingTerm::birth);
    return list;
  }
  Expansion& f() { return f_; }
  BudgetRule& rule() { return *rule_; }

  std::size_t doubtful = 0;
  bool acted = false;  // what the rule said last

 private:
  std::vector<double> saved_counts() const {
    if (!rule_->watches()) return {};
    StateWriter out;
    rule_->save(out);
    StateReader in(out.bytes());
    return in.get_array<double>();
  }
  void take_over() { plain_.terms = terms(); }
  void compare() const {
    ASSERT_LE(f_.size(), setting_.budget);
    const std::vector<RacingTerm> got = terms();
    ASSERT_EQ(got.size(), plain_.terms.size()) << setting_.name();
    for (std::size_t j = 0; j < got.size(); ++j) {
      const RacingTerm& want = plain_.terms[j];
      ASSERT_EQ(got[j].birth, want.birth) << setting_.name();
      for (std::size_t c = 0; c < want.weights.size(); ++c) {
        ASSERT_NEAR(got[j].weights[c], want.weights[c], 2e-4 * (1 + std::abs(want.weights[c]))) << setting_.name();
      }
      if (rule_->watches()) {
        ASSERT_EQ(got[j].counts, want.counts) << setting_.name();
      }
    }
  }

  RaceSetting setting_;
  PlainModel& plain_;
  Expansion f_;
  std::unique_ptr<BudgetRule> rule_;
  Random random_;
  std::uint64_t born_ = 0;
};

// The rule and its model on streams of many kinds. `make` builds the model for a setting.
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
          if (budget <= 2) continue;  // ties are the rule
          EXPECT_LE(static_cast<double>(race.doubtful), doubtful_share * static_cast<double>(setting.examples))
              << setting.name();
        }
      }
    }
  }
}

}  // namespace kinglet
