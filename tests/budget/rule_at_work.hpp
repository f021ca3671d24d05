// For the tests of budget rules: a rule together with the expansion in which it places terms. plain() copies the
// expansion to a reference model, slot by slot.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "budget/budget_rule.hpp"
#include "expansion/model_function.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet {

class RuleAtWork {
 public:
  // One output means two classes; otherwise there are as many classes as outputs.
  RuleAtWork(const Options& given, const Kernel& kernel, std::uint32_t dimension, std::size_t outputs = 1,
             bool norm = false)
      : kernel_(kernel),
        function_(kernel, {.dimension = dimension, .classes = classes_for(outputs)}, outputs,
                  given.has("budget") ? static_cast<std::size_t>(std::stoul(given.text("budget"))) + 1 : 1,
                  {.norm = norm, .values = budget_rule_entry(given.text("maintain")).needs_values, .loss = true}),
        f_(function_.f) {
    Options options = given;
    if (!options.has("algo")) options.set("algo", "bpegasos");
    options.set("gamma", "0.5");  // only to complete the options; the expansion uses `kernel`
    rule_ = budget_rule_entry(given.text("maintain")).make(complete_options(options));
    rule_->grow(classes_for(outputs));
    if (function_.values) rule_->use_values(*function_.values);
  }

  // Returns the result of the rule: whether the budget forced it to act.
  bool place(const std::vector<float>& x, const std::vector<double>& weights, double step = 1, double margin = 0,
             ClassId label = 0) {
    const AlignedFloats row = kernel_row(x);
    return rule_->place(f_, term(x, weights, row, step, margin, label), random);
  }
  bool on_margin_error(const std::vector<float>& x, const std::vector<double>& direction, double margin) {
    const AlignedFloats row = kernel_row(x);
    return rule_->on_margin_error(f_, term(x, direction, row, 1, margin, 0));
  }
  // Another metric: the vectors move, the coefficients stay.
  void rescale(const std::vector<float>& ratios) {
    f_.rescale(ratios);
    rule_->after_rescale(f_);
  }
  void watch(const std::vector<float>& x, ClassId label) {
    if (rule_->watches()) rule_->watch(f_, kernel_row(x).data(), label);
  }
  std::vector<double> scores(const std::vector<float>& x) const {
    const AlignedFloats row = kernel_row(x);
    std::vector<float> out(f_.outputs());
    evaluate(f_, row.data(), out.data());
    return {out.begin(), out.end()};
  }
  PlainModel plain() const { return kinglet::plain(f_); }
  // The largest difference from the scores of the reference model at these points, relative to the largest score.
  double error(const PlainModel& expected, const Vectors& points) const {
    double worst = 0, largest = 1e-3;
    for (const auto& x : points) {
      const std::vector<double> got = scores(x);
      const std::vector<double> want = expected.scores(x);
      for (std::size_t c = 0; c < got.size(); ++c) {
        worst = std::max(worst, std::abs(got[c] - want[c]));
        largest = std::max(largest, std::abs(want[c]));
      }
    }
    return worst / largest;
  }
  Expansion& f() { return f_; }
  double squared_norm() const { return function_.norm->squared(); }
  const Expansion& f() const { return f_; }
  BudgetRule& rule() { return *rule_; }
  const BudgetRule& rule() const { return *rule_; }

  Random random{1};

 private:
  static std::uint32_t classes_for(std::size_t outputs) {
    return outputs == 1 ? 2 : static_cast<std::uint32_t>(outputs);
  }
  AlignedFloats kernel_row(const std::vector<float>& x) const {
    AlignedFloats row(f_.set().padded_size() + 16);
    f_.set().kernel_rows(RowBlock({x}).rows(), row.data(), f_.set().padded_size());
    return row;
  }
  Term term(const std::vector<float>& x, const std::vector<double>& weights, const AlignedFloats& row, double step,
            double margin, ClassId label) const {
    return {.x = Features::dense(x),
            .kernel_row = row.data(),
            .self_kernel = kernel_(Features::dense(x), Features::dense(x)),
            .coefficients = weights,
            .step = step,
            .margin = margin,
            .label = label};
  }

  Kernel kernel_;
  ModelFunction function_;
  Expansion& f_;
  std::unique_ptr<BudgetRule> rule_;
};

// Weights of a step for a random example: ±step for one output, step · (e_y − e_r) for several.
inline std::vector<double> random_step(Random& random, std::size_t outputs, double step) {
  if (outputs == 1) return {random.coin(0.5) ? step : -step};
  std::vector<double> weights(outputs, 0.0);
  const auto y = static_cast<std::size_t>(random.below(outputs));
  weights[y] = step;
  weights[(y + 1 + static_cast<std::size_t>(random.below(outputs - 1))) % outputs] = -step;
  return weights;
}

}  // namespace kinglet
