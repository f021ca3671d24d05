// No budget: every term is kept. A reference for the learners with a budget.
#include "budget/budget_rule.hpp"
#include "core/assert.hpp"
#include "expansion/expansion.hpp"

namespace kinglet::budgets {
namespace {

class None final : public BudgetRule {
 public:
  bool place(Expansion& f, const Term& term, Random&) override {
    f.append(term);
    return false;
  }
  void take_one_out(Expansion&, Random&) override { KINGLET_ASSERT(!"there is no budget"); }
};

}  // namespace

extern const BudgetRuleEntry none;
const BudgetRuleEntry none{
    .entry = {.name = "none",
              .summary = "keep every term: memory grows with the stream",
              .cost = "O(1)",
              .use = "As a reference, on short streams."},
    .make = [](const Options&) -> std::unique_ptr<BudgetRule> { return std::make_unique<None>(); },
    .bounded = false,
    .keeps_vectors = true};

}  // namespace kinglet::budgets
