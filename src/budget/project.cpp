// Project: replaces the term p of smallest weight by its projection on the others.
//   Δα = α_p K_p⁻¹ k_p,   loss ‖α_p‖² (k_pp − k_pᵀ K_p⁻¹ k_p) = ‖α_p‖² / (K⁻¹)_pp
// where K_p is the kernel matrix of the others and k_p the kernel values of p against them. The inverse of the full
// matrix is maintained (expansion/gram_inverse.hpp), so the loss of every p is known: with project-choice = best, the
// term with the smallest loss is replaced, which costs O(B C) more. A new vector in the span of the others is itself
// projected (project_one_out.hpp), which keeps K well conditioned. Wang, Crammer, Vucetic: Breaking the Curse of
// Kernelization, JMLR 13 (2012).
#include "budget/choices.hpp"
#include "budget/project_one_out.hpp"

namespace kinglet::budgets {
namespace {

class ProjectRule final : public ProjectOneOut {
 public:
  ProjectRule(std::size_t budget, double dependence, bool best) : ProjectOneOut(budget, dependence), best_(best) {}

 private:
  std::size_t choose(const Expansion& f, const GramInverse& inverse) const override {
    return best_ ? least_loss(f, inverse, f.size()) : smallest_of(f);
  }

  bool best_;
};

}  // namespace

extern const BudgetRuleEntry project;
const BudgetRuleEntry project{
    .entry = {.name = "project",
              .summary = "project the term of smallest weight onto the others",
              .formula = "Δα = α_p K_p⁻¹ k_p, p = argmin ‖α_p‖² k(x_p, x_p) or argmin ‖α_p‖² / (K⁻¹)_pp",
              .paper = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012)",
              .cost = "O(B² + B d)",
              .use = "If accuracy matters most, for small B (the cost is quadratic) or a kernel that is not Gaussian.",
              .options = {{.name = "project-choice",
                           .kind = OptionKind::choice,
                           .default_value = "smallest",
                           .help =
                               "which term to project: the one of smallest weight, or the one with the smallest loss",
                           .choices = {"smallest", "best"}},
                          dependence_option()}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<ProjectRule>(budget_of(options), options.real("dependence"),
                                           options.text("project-choice") == "best");
    },
    .incompatibility = needs_inner_product,
    .memory = ProjectOneOut::bytes,
    .needs_fixed_metric = true};

}  // namespace kinglet::budgets
