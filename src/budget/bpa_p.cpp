// BPA-P, projecting: an old term r is replaced by its projection on all the others. bpa_s.cpp explains why it is enough
// to compare the losses of the old terms.
//   V = S ∪ {t} ∖ r:   r = argmin ‖α_r‖² / (K⁻¹)_rr,   β = α_r K_V⁻¹ k_r        (K of all, with t; project_one_out.hpp)
// This is project with project-choice = best, except that the new term is never removed. A new term in the span of the
// others is projected at once, because this gives the same function as replacing any other term without loss.
// Wang, Vucetic: Online Passive-Aggressive Algorithms on a Budget, AISTATS (2010).
#include "budget/project_one_out.hpp"

namespace kinglet::budgets {
namespace {

class BpaProjection final : public ProjectOneOut {
 public:
  using ProjectOneOut::ProjectOneOut;

 private:
  std::size_t choose(const Expansion& f, const GramInverse& inverse) const override {
    return least_loss(f, inverse, f.size() - 1);
  }
};

}  // namespace

extern const BudgetRuleEntry bpa_p;
const BudgetRuleEntry bpa_p{
    .entry = {.name = "bpa-p",
              .summary = "replace the old term with the smallest loss by its projection onto all the others",
              .formula = "V = S ∪ {t} ∖ r, r = argmin ‖α_r‖² / (K⁻¹)_rr: α_V ← α_V + α_r K_V⁻¹k_r",
              .paper = "Wang, Vucetic: Online Passive-Aggressive Algorithms on a Budget, AISTATS (2010)",
              .cost = "O(B² + B d)",
              .use = "For passive-aggressive updates with a small budget, when accuracy matters most.",
              .options = {dependence_option()}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<BpaProjection>(budget_of(options), options.real("dependence"));
    },
    .incompatibility = needs_inner_product,
    .memory = ProjectOneOut::bytes,
    .needs_fixed_metric = true};

}  // namespace kinglet::budgets
