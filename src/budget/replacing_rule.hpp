// A budget rule that, once the budget is full, puts the new term in the place of an old one.
#pragma once

#include "budget/budget_rule.hpp"
#include "expansion/expansion.hpp"

namespace kinglet {

class ReplacingRule : public BudgetRule {
 public:
  explicit ReplacingRule(std::size_t budget) : budget_(budget) {}

  bool place(Expansion& f, const Term& term, Random& random) final {
    if (f.size() < budget_) {
      f.append(term);
      return false;
    }
    f.replace(leaving(f, random), term);
    return true;
  }
  void take_one_out(Expansion& f, Random& random) final { f.remove(leaving(f, random)); }

 protected:
  // The slot of the term that leaves. The budget is full, and the new term is not in f yet.
  virtual std::size_t leaving(const Expansion& f, Random& random) = 0;

 private:
  std::size_t budget_;
};

}  // namespace kinglet
