// Projectron: a new term near the span of the support vectors is projected on it instead of being added; once the
// budget is full, every new term is projected.
//   d = K⁻¹ k,  δ² = k(x, x) − kᵀ d;   δ ≤ η or |S| = B:  α ← α + a d,  else the term is added (projectron_rule.hpp)
// Orabona, Keshet, Caputo: Bounded Kernel-Based Online Learning, JMLR 10 (2009).
#include "budget/projectron_rule.hpp"

namespace kinglet::budgets {
namespace {

class Projectron final : public ProjectronRule {
 public:
  using ProjectronRule::ProjectronRule;
};

}  // namespace

extern const BudgetRuleEntry projectron;
const BudgetRuleEntry projectron{
    .entry = {.name = "projectron",
              .summary = "project a new term onto the others if little is lost, or if the budget is full",
              .formula = "δ² = k(x, x) − kᵀK⁻¹k; δ ≤ η or |S| = B: α ← α + a K⁻¹k",
              .paper = "Orabona, Keshet, Caputo: Bounded Kernel-Based Online Learning, JMLR 10 (2009)",
              .cost = "O(B² + B d)",
              .use = "For perceptrons, when no vector may be lost: new terms are expressed by the existing vectors.",
              .options = {threshold_option(true), project_on_option()}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Projectron>(budget_of(options), options.real("threshold"), within_classes_of(options));
    },
    .incompatibility = projectron_incompatibility,
    .memory = ProjectronRule::bytes,
    .fills_budget = false,
    .needs_fixed_metric = true,
    .keeps_vectors = true};

}  // namespace kinglet::budgets
