// BOGD: a uniformly drawn old term goes, and the others make up for it.
//   r ~ U(S);  α_i ← min(α_i / (1 − 1/B), γη) for the others, in absolute value       (bounded_descent.hpp)
// On average f stays what it was, as far as nothing is clipped.
// Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012).
#include "budget/bounded_descent.hpp"

namespace kinglet::budgets {
namespace {

class Uniform final : public BoundedDescent {
 public:
  using BoundedDescent::BoundedDescent;

 private:
  void grow_old(Expansion& f, double limit) override {
    const auto count = static_cast<double>(budget());
    f.reweigh_others(count > 1 ? count / (count - 1) : 1.0, limit);
  }
  std::size_t draw(Random& random) const override { return static_cast<std::size_t>(random.below(budget())); }
};

}  // namespace

extern const BudgetRuleEntry bogd;
const BudgetRuleEntry bogd{
    .entry = {.name = "bogd",
              .summary = "remove a uniformly drawn old term; the others grow to make up for it",
              .formula = "r ~ U(S): α_r ← 0, α_i ← min(α_i / (1 − 1/B), γη)",
              .paper = "Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012)",
              .cost = "O(B C + d)",
              .use = "With gradient steps, where an update must be cheap and the kernel is not Gaussian.",
              .options = {clip_option()}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Uniform>(budget_of(options), options.real("clip"));
    },
    .rescales = true};

}  // namespace kinglet::budgets
