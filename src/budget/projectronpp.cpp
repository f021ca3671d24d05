// Projectron++: like the Projectron, but also learns from correct examples with a margin below 1, by a step along their
// projection, which needs no new vector.
//   0 < m < 1 and ℓ = 1 − m > ‖u‖ δ/η:   f ← f + τ u Pk,   τ = min{ ℓ/L, 2 (ℓ − ‖u‖ δ/η)/L, 1 },   L = ‖u‖² ‖Pk‖²
// Pk is the projection of k(x, ·) on the span, δ its distance from k(x, ·), ‖Pk‖² = kᵀK⁻¹k. For two classes u = y and
// ‖u‖ = 1: the formula of the paper. For more, u = e_y − e_r and ‖u‖² = 2, since for a model g with margin ≥ 1 − ℓ_g
//   ‖f − g‖² − ‖f + τ u Pk − g‖² = 2τ (⟨g, u Pk⟩ − m) − τ² ‖u Pk‖² ≥ 2τ (ℓ − ℓ_g − ‖g‖ ‖u‖ δ) − τ² ‖u‖² ‖Pk‖²
// (f lies in the span, so ⟨f, u Pk⟩ = m): with ‖g‖ ≤ 1/η a step up to 2 (ℓ − ‖u‖ δ/η)/L brings f no farther from g when
// ℓ_g = 0, and one up to ℓ/L does not overshoot the margin. The limit of 1 is the weight of the example, if it has one.
// With project-on = class, f does not lie in the span: the formulas are the same, but this does not follow. Orabona,
// Keshet, Caputo: Bounded Kernel-Based Online Learning, JMLR 10 (2009).
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "budget/projectron_rule.hpp"
#include "core/compose.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::budgets {
namespace {

class ProjectronPlusPlus final : public ProjectronRule {
 public:
  using ProjectronRule::ProjectronRule;

  bool learns_margin_errors() const override { return true; }
  bool on_margin_error(Expansion& f, const Term& term) override {
    const double loss = 1 - term.margin;
    if (!(term.margin > 0 && loss > 0) || f.size() == 0) return false;
    double squared = 0;  // ‖u‖²
    for (const double a : term.coefficients) squared += (a / term.step) * (a / term.step);
    const auto projection = projected(f, term);
    const double distance = std::sqrt(std::max(0.0, projection.residual));
    const double within = loss - std::sqrt(squared) * distance / threshold();
    const double length = squared * projection.length;
    const bool learns = within > 0 && length > 0;
    if (learns) {
      const double step = std::min({loss / length, 2 * within / length, term.step});
      absorb(f, term, projection.shares, projection.length, step / term.step, !within_classes());
    }
    look_after(f);
    return learns;
  }
};

}  // namespace

extern const BudgetRuleEntry projectronpp;
const BudgetRuleEntry projectronpp{
    .entry = {.name = "projectron++",
              .summary = "like projectron, and learn from margins below 1 with projected steps",
              .formula = "as projectron; 0 < m < 1, ℓ > δ/η: τ = min{ℓ, 2(ℓ − δ/η), ‖Pk‖²}/‖Pk‖², α ← α + τ y K⁻¹k",
              .paper = "Orabona, Keshet, Caputo: Bounded Kernel-Based Online Learning, JMLR 10 (2009)",
              .cost = "O(B² + B d)",
              .use = "Like projectron, for better margins at a higher cost.",
              .options = {threshold_option(false), project_on_option()}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<ProjectronPlusPlus>(budget_of(options), options.real("threshold"),
                                                  within_classes_of(options));
    },
    // Other update rules already learn whenever the margin is below 1, or with some probability.
    .incompatibility = [](const Options& options) -> Message {
      if (update_rule_entry(options.text("update")).learns_mistakes_only()) return projectron_incompatibility(options);
      std::vector<std::string> rules;
      for (const UpdateRuleEntry* rule : update_rule_entries()) {
        if (rule->learns_mistakes_only()) rules.push_back(rule->entry.name);
      }
      return compose(
          "projectron++ learns from margins below 1 itself, so it needs an update rule that learns from mistakes "
          "only ({}); with {} use {}",
          fmt::join(rules, ", "), option("update", options.text("update")), option("budget-rule", "projectron"));
    },
    .objection = [](const Options&, const Options& full) -> Message {
      const std::string& margin = update_rule_entry(full.text("update")).margin_option;
      if (margin.empty() || full.real(margin) < 1) return {};
      return compose(
          "{} leaves nothing to the second step of projectron++, which learns from correct examples with a margin "
          "below 1: "
          "lower it, or use {}",
          option(margin, full.text(margin)), option("budget-rule", "projectron"));
    },
    .memory = ProjectronRule::bytes,
    .fills_budget = false,
    .needs_fixed_metric = true,
    .keeps_vectors = true};

}  // namespace kinglet::budgets
