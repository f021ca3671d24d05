// Stop: once the budget is full, new terms are dropped.
// With the perceptron this is the Stoptron (Orabona, Keshet, Caputo: JMLR 10, 2009).
#include "budget/budget_rule.hpp"
#include "budget/choices.hpp"
#include "expansion/expansion.hpp"

namespace kinglet::budgets {
namespace {

class Stop final : public BudgetRule {
 public:
  explicit Stop(std::size_t budget) : budget_(budget) {}
  bool place(Expansion& f, const Term& term, Random&) override {
    if (f.size() == budget_) return true;
    f.append(term);
    return false;
  }
  // The terms that came last would not have been added.
  void take_one_out(Expansion& f, Random&) override { f.remove(newest_of(f)); }

 private:
  std::size_t budget_;
};

}  // namespace

extern const BudgetRuleEntry stop;
const BudgetRuleEntry stop{
    .entry = {.name = "stop",
              .summary = "once full, drop every new term",
              .formula = "|S| = B: S stays",
              .paper = "Orabona, Keshet, Caputo: Bounded Kernel-Based Online Learning, JMLR 10 (2009)",
              .cost = "O(1)",
              .use = "As a reference, or with spa, which rarely exceeds the budget."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Stop>(budget_of(options));
    },
    .keeps_vectors = true};

}  // namespace kinglet::budgets
