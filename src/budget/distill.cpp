// Distill: after each insertion, every vector that f classifies well without its help goes, the best first.
//   while some i has y_i (f(x_i) − a_i k(x_i, x_i)) ≥ β:  f ← f − a_i k(x_i, ·)
// The set sizes itself: for the perceptron with margin β on data of norm ≤ R that can be separated with margin γ it holds
// at most (R² + 2β)/γ² vectors. The budget is a hard limit; when it is exceeded all the same, the largest margin goes.
// The variable cache of Crammer, Kandola, Singer: Online Classification on a Budget, NIPS 16 (2003).
#include "budget/margins.hpp"
#include "budget/reducing_rule.hpp"
#include "budget/values_rule.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::budgets {
namespace {

class Distill final : public ValuesRule {
 public:
  Distill(std::size_t budget, double margin) : budget_(budget), margin_(margin) {}

  // Returns whether a vector went. Where the budget is full it is mostly the new one.
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

 private:
  // Whether the new term would be the first to go once it had entered. If so, it counts as one that came and left; f stays.
  bool leaves_at_once(Expansion& f, const Term& term) const {
    if (!values().would_be_best(term)) return false;
    const auto weight = static_cast<double>(f.stored(term)[0]);
    const double size = weight * weight * term.self_kernel;
    f.pass(size, size);
    return true;
  }
  // Whether it is worth looking for the vector: mostly no margin is large enough.
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
              // With β = 0 the first vector would go at once: without it f = 0.
              .options = {{.name = "distill-margin",
                           .default_value = "auto",
                           .help = "margin β from which a vector is not needed; auto: the update rule's own margin",
                           .low = 0,
                           .low_open = true,
                           .may_be_auto = true}}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Distill>(budget_of(options), options.real("distill-margin"));
    },
    .incompatibility = needs_classes,
    .needs_values = true,
    // A vector that enters with a margin below the one that is learned up to must not be thrown out for it.
    .settle =
        [](const Options&, Options& full) {
          if (!full.is_auto("distill-margin")) return;
          const std::string& margin = update_rule_entry(full.text("update")).margin_option;
          full.set("distill-margin", margin.empty() ? "1" : full.real(margin) > 0 ? full.text(margin) : "0.01");
        }};

}  // namespace kinglet::budgets
