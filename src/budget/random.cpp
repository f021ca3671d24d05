// Random removal: removes a uniformly drawn old term.
// Cavallanti, Cesa-Bianchi, Gentile: Tracking the best hyperplane with a simple budget perceptron, ML 69 (2007).
#include "budget/replacing_rule.hpp"

namespace kinglet::budgets {
namespace {

class RandomRemoval final : public ReplacingRule {
 public:
  using ReplacingRule::ReplacingRule;

 private:
  std::size_t leaving(const Expansion& f, kinglet::Random& random) override {
    return static_cast<std::size_t>(random.below(f.size()));
  }
};

}  // namespace

extern const BudgetRuleEntry random;
const BudgetRuleEntry random{
    .entry = {.name = "random",
              .summary = "remove a uniformly drawn old term",
              .formula = "r ~ U(S): f ← f − α_r k(x_r, ·)",
              .paper =
                  "Cavallanti, Cesa-Bianchi, Gentile: Tracking the Best Hyperplane with a Simple Budget Perceptron, "
                  "Machine Learning 69 (2007)",
              .cost = "O(d)",
              .use = "If an update must cost almost nothing."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<RandomRemoval>(budget_of(options));
    }};

}  // namespace kinglet::budgets
