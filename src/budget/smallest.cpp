// Removes the smallest term: p = argmin ‖α_p‖² k(x_p, x_p); ties go to the oldest.
// Used by BSGD with removal (Wang, Crammer, Vucetic: JMLR 13, 2012), by Norma's truncation and by SILK.
#include "budget/budget_rule.hpp"
#include "budget/choices.hpp"
#include "expansion/expansion.hpp"

namespace kinglet::budgets {
namespace {

class Smallest final : public BudgetRule {
 public:
  explicit Smallest(std::size_t budget) : budget_(budget) {}

  bool place(Expansion& f, const Term& term, Random&) override {
    f.append(term);
    if (f.size() <= budget_) return false;
    f.remove(smallest_of(f));  // this may be the new one
    return true;
  }

  void take_one_out(Expansion& f, Random&) override { f.remove(smallest_of(f)); }

 private:
  std::size_t budget_;
};

}  // namespace

extern const BudgetRuleEntry smallest;
const BudgetRuleEntry smallest{
    .entry = {.name = "smallest",
              .summary = "remove the term of smallest weight",
              .formula = "p = argmin ‖α_p‖² k(x_p, x_p): f ← f − α_p k(x_p, ·)",
              .paper = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012)",
              .cost = "O(B + d)",
              .use = "For rules whose weights shrink: a cheap sliding window that keeps the terms that still matter."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Smallest>(budget_of(options));
    }};

}  // namespace kinglet::budgets
