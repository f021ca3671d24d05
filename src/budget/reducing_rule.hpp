// A budget rule that first adds the new term and then, if over the budget, removes one vector.
#pragma once

#include "budget/append_then.hpp"
#include "budget/budget_rule.hpp"

namespace kinglet {

class ReducingRule : public BudgetRule {
 public:
  explicit ReducingRule(std::size_t budget) : budget_(budget) {}

  bool place(Expansion& f, const Term& term, Random& random) final {
    const bool full = f.size() >= budget_;
    append_then(f, term, [&](std::size_t newest) {
      if (full) reduce(f, newest, term, random);
    });
    return full;
  }

 protected:
  // f has one vector more than the budget allows; `newest` is the slot of the term that was just added.
  virtual void reduce(Expansion& f, std::size_t newest, const Term& term, Random& random) = 0;

 private:
  std::size_t budget_;
};

}  // namespace kinglet
