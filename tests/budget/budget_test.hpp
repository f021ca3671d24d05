// What the tests of budget rules share: an expansion with one output and terms placed in it through a rule.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "budget/budget_rule.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "model/expansion.hpp"
#include "random_vectors.hpp"

namespace kinglet {

class Placed {
 public:
  Placed(const std::string& rule, std::size_t budget, const Kernel& kernel = {.kind = KernelKind::rbf, .gamma = 0.5},
         std::uint32_t dimension = 2)
      : kernel_(kernel), f_(kernel, {.dimension = dimension, .classes = 2}, 1, budget + 1) {
    Options options{{"maintain", rule}, {"gamma", "0.5"}};
    if (rule != "none") options.set("budget", std::to_string(budget));
    rule_ = budget_rule_entry(rule).make(complete(options));
  }

  // Returns what the rule does: whether the budget forced it to act.
  bool place(const std::vector<float>& x, double weight) {
    AlignedFloats row(f_.set().padded_size() + 16);
    f_.set().kernel_rows(RowBlock({x}).rows(), row.data(), f_.set().padded_size());
    const std::vector<double> weights{weight};
    return rule_->place(f_, {Features::dense(x), row.data(), kernel_(Features::dense(x), Features::dense(x)), weights},
                        random);
  }
  double score(const std::vector<float>& x) {
    AlignedFloats row(f_.set().padded_size() + 16);
    f_.set().kernel_rows(RowBlock({x}).rows(), row.data(), f_.set().padded_size());
    float out = 0;
    f_.evaluate(row.data(), &out);
    return static_cast<double>(out);
  }
  // The first feature of every vector, in the order of birth.
  std::vector<float> firsts() const {
    std::vector<std::pair<std::uint64_t, float>> aged;
    std::vector<float> x(f_.set().dimension());
    for (std::size_t j = 0; j < f_.size(); ++j) {
      f_.set().copy_to(j, x);
      aged.emplace_back(f_.birth(j), x[0]);
    }
    std::sort(aged.begin(), aged.end());
    std::vector<float> values;
    for (const auto& [birth, value] : aged) values.push_back(value);
    return values;
  }
  Expansion& f() { return f_; }
  BudgetRule& rule() { return *rule_; }

  Random random{1};

 private:
  Kernel kernel_;
  Expansion f_;
  std::unique_ptr<BudgetRule> rule_;
};

}  // namespace kinglet
