// Largest margin: removes the vector that f classifies best without its own term.
//   i = argmax_j y_j (f(x_j) − a_j k(x_j, x_j)),  before the new term is added;  ties go to the oldest
// margins.hpp has the formula for more than two classes. The values f(x_j) are kept up to date by SupportValues.
// The fixed cache of Crammer, Kandola, Singer: Online Classification on a Budget, NIPS 16 (2003).
#include "budget/budget_rule.hpp"
#include "budget/margins.hpp"
#include "budget/values_rule.hpp"

namespace kinglet::budgets {
namespace {

class LargestMargin final : public ValuesRule {
 public:
  explicit LargestMargin(std::size_t budget) : budget_(budget) {}

  bool place(Expansion& f, const Term& term, Random&) override {
    if (f.size() < budget_) {
      f.append(term);
      return false;
    }
    f.replace(largest_margin_without(f, values()).slot, term);
    return true;
  }
  void take_one_out(Expansion& f, Random&) override { f.remove(largest_margin_without(f, values()).slot); }

 private:
  std::size_t budget_;
};

}  // namespace

extern const BudgetRuleEntry largest_margin;
const BudgetRuleEntry largest_margin{
    .entry = {.name = "largest-margin",
              .summary = "remove the vector that is classified best without its own term",
              .formula = "i = argmax_j y_j (f(x_j) − a_j k(x_j, x_j)): f ← f − a_i k(x_i, ·)",
              .paper = "Crammer, Kandola, Singer: Online Classification on a Budget, NIPS 16 (2003)",
              .cost = "O(B C + B d)",
              .use = "For clean data, where well-classified vectors can be removed. With noise it keeps mislabelled "
                     "examples, whose margins never grow."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<LargestMargin>(budget_of(options));
    },
    .incompatibility = needs_classes,
    .needs_values = true};

}  // namespace kinglet::budgets
