// Removes the oldest term: a sliding window over the support vectors.
//   r = the term with the smallest birth:  f ← f − α_r k(x_r, ·),  then the new term enters
// Kivinen, Smola, Williamson: Online Learning with Kernels, IEEE Transactions on Signal Processing 52 (2004).
#include "budget/choices.hpp"
#include "budget/replacing_rule.hpp"

namespace kinglet::budgets {
namespace {

class Oldest final : public ReplacingRule {
 public:
  using ReplacingRule::ReplacingRule;

 private:
  std::size_t leaving(const Expansion& f, Random&) override { return oldest_of(f); }
};

}  // namespace

extern const BudgetRuleEntry oldest;
const BudgetRuleEntry oldest{
    .entry = {.name = "oldest",
              .summary = "remove the oldest term",
              .formula = "r = oldest: f ← f − α_r k(x_r, ·)",
              .paper =
                  "Kivinen, Smola, Williamson: Online Learning with Kernels, IEEE Trans. Signal Processing 52 (2004)",
              .cost = "O(B + d)",
              .use = "For drifting streams, when the past should be forgotten."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Oldest>(budget_of(options));
    }};

}  // namespace kinglet::budgets
