// Distill: after each insertion, removes every vector that f classifies well without its own term, the best first.
//   while some i has y_i (f(x_i) − a_i k(x_i, x_i)) ≥ β:  f ← f − a_i k(x_i, ·)
// The size adapts to the data: for the perceptron with margin β, on data of norm ≤ R that can be separated with margin
// γ, there are at most (R² + 2β)/γ² vectors. The budget is a hard limit; if it is exceeded, the vector with the largest
// margin is removed. The variable cache of Crammer, Kandola, Singer: Online Classification on a Budget, NIPS 16 (2003).
#include "budget/budget_rule.hpp"
#include "budget/margins.hpp"
#include "budget/values_rule.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::budgets {
namespace {

class Distill final : public ValuesRule {
 public:
  Distill(std::size_t budget, double margin) : budget_(budget), margin_(margin) {}

  // Returns whether a vector was removed. If the budget is full, this is usually the new one.
  bool place(Expansion& f, const Term& term, Random&) override {
    bool acted = f.size() == budget_ && f.outputs() == 1 && leaves_at_once(f, term);
    if (!acted) f.append(term);
    while (f.size() > budget_ || (f.size() > 0 && may_reach(f))) {
      const MarginOf best = largest_margin_without(f, values());
      if (f.size() <= budget_ && !(best.margin >= margin_)) break;
      f.remove(best.slot);
      acted = true;
    }
    return acted;
  }
  void take_one_out(Expansion& f, Random&) override { f.remove(largest_margin_without(f, values()).slot); }

 private:
  // Whether the new term would be removed first. If so, it is counted as added and removed, and f does not change.
  bool leaves_at_once(Expansion& f, const Term& term) const {
    if (!values().would_be_best(term)) return false;
    const auto weight = static_cast<double>(f.stored(term)[0]);
    const double size = weight * weight * term.self_kernel;
    f.pass(size, size);
    return true;
  }
  // Whether a search is worthwhile: usually no margin is large enough.
  bool may_reach(const Expansion& f) const { return f.outputs() > 1 || values().largest_margin() >= margin_; }

  std::size_t budget_;
  double margin_;
};

}  // namespace

extern const BudgetRuleEntry distill;
const BudgetRuleEntry distill{
    .entry = {.name = "distill",
              .summary = "remove every vector that is classified correctly, by a margin, without its own term",
              .formula = "while some i has y_i (f(x_i) − a_i k(x_i, x_i)) ≥ β: f ← f − a_i k(x_i, ·)",
              .paper = "Crammer, Kandola, Singer: Online Classification on a Budget, NIPS 16 (2003)",
              .cost = "O(B C + B d) per vector that enters or leaves",
              .use = "For clean data, when the number of vectors should adapt to the data; the budget is only a limit. "
                     "Not for noisy data.",
              // With β = 0 the first vector would be removed at once, because f = 0 without it.
              .options = {{.name = "distill-margin",
                           .default_value = "auto",
                           .help = "remove vectors whose margin without their own term is at least this value (β in "
                                   "the paper); auto: the update rule's own margin",
                           .low = 0,
                           .low_open = true,
                           .may_be_auto = true}}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Distill>(budget_of(options), options.real("distill-margin"));
    },
    .incompatibility = needs_classes,
    .fills_budget = false,
    .sizes_itself = true,
    .needs_values = true,
    // A vector that was added because its margin is below the update rule's margin must not be removed for that margin.
    .settle =
        [](const Options&, Options& full) {
          if (!full.is_auto("distill-margin")) return;
          const std::string& margin = update_rule_entry(full.text("update")).margin_option;
          full.set("distill-margin", margin.empty() ? "1" : full.real(margin) > 0 ? full.text(margin) : "0.01");
        }};

}  // namespace kinglet::budgets
