// For tests of budget rules with a single output: RuleAtWork with one weight per term.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "budget/rule_at_work.hpp"

namespace kinglet {

class Placed : public RuleAtWork {
 public:
  Placed(const std::string& rule, std::size_t budget, const Kernel& kernel = gaussian(0.5), std::uint32_t dimension = 2)
      : RuleAtWork(options_of(rule, budget), kernel, dimension) {}

  bool place(const std::vector<float>& x, double weight) { return RuleAtWork::place(x, {weight}); }
  double score(const std::vector<float>& x) const { return scores(x)[0]; }
  // The first feature of every support vector, in the order of birth.
  std::vector<float> firsts() const {
    std::vector<PlainTerm> terms = plain().terms;
    std::ranges::sort(terms, {}, &PlainTerm::birth);
    std::vector<float> values;
    for (const PlainTerm& term : terms) values.push_back(term.x[0]);
    return values;
  }

 private:
  static Options options_of(const std::string& rule, std::size_t budget) {
    Options options{{"maintain", rule}};
    if (rule != "none") options.set("budget", std::to_string(budget));
    return options;
  }
};

}  // namespace kinglet
