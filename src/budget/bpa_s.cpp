// BPA-S, simple: an old term r is replaced by its projection on the new vector.
//
// The budgeted passive-aggressive step adds the example t and removes r at the same time,
//   minimise ½ ‖w − w_t‖² + C ξ   subject to   y w·φ_t ≥ 1 − ξ,   w = w_t − α_r φ_r + Σ_{i∈V} β_i φ_i
// with V = {t} here, {t, nearest(r)} in bpa-nn, all but r in bpa-p. Since t is in V, the two parts separate. Let P
// project on the span of V and write w − w_t = −α_r (φ_r − Pφ_r) + v, where v is any vector of the span. Both parts are
// orthogonal:
//   ‖w − w_t‖² = α_r² ‖φ_r − Pφ_r‖² + ‖v‖²
// and as φ_t is in the span, (φ_r − Pφ_r)·φ_t = 0: the constraint y (w_t + v)·φ_t ≥ 1 − ξ depends only on v. So v is
// the plain passive-aggressive step τ y φ_t for any r, r is the argmin of α_r² ‖φ_r − Pφ_r‖² over the old terms, and
// α_r φ_r is replaced by its projection. This does not depend on where the new term comes from: the rule works with
// every update rule, and with pa1 it is BPA. With several outputs, ‖α_r‖² replaces α_r².
//
//   V = {t}:   r = argmin ‖α_r‖² (k_rr − k_rt²/k_tt),   α_t ← α_t + α_r k_rt/k_tt
// Wang, Vucetic: Online Passive-Aggressive Algorithms on a Budget, AISTATS (2010).
#include <algorithm>
#include <array>
#include <cmath>

#include "budget/append_then.hpp"
#include "budget/budget_rule.hpp"
#include "budget/choices.hpp"
#include "budget/hand_over.hpp"
#include "simd/term_search.hpp"

namespace kinglet::budgets {
namespace {

class BpaSimple final : public BudgetRule {
 public:
  explicit BpaSimple(std::size_t budget) : budget_(budget) {}

  bool place(Expansion& f, const Term& term, Random&) override {
    if (f.size() < budget_) {
      f.append(term);
      return false;
    }
    const Leaving leaving = choose(f, term);
    append_then(f, term, [&](std::size_t newest) {
      const std::array<Heir, 1> heirs{{{newest, leaving.share}}};
      hand_over(f, leaving.slot, heirs, leaving.squared_distance);
    });
    return true;
  }
  // There is no new vector to project on.
  void take_one_out(Expansion& f, Random&) override { f.remove(smallest_of(f)); }

 private:
  struct Leaving {
    std::size_t slot = 0;
    double share = 0;
    double squared_distance = 0;
  };

  static Leaving choose(const Expansion& f, const Term& term) {
    const double inverse = term.self_kernel > 0 ? 1 / term.self_kernel : 0;
    const std::size_t best = simd::least_loss({.to_new = term.kernel_row,
                                               .inverse = inverse,
                                               .outputs = f.stored_outputs(),
                                               .self_kernels = f.self_kernels(),
                                               .births = f.births()},
                                              f.size());
    // |k_rt| ≤ √(k_rr k_tt), up to rounding.
    const double own = f.self_kernels()[best];
    const double most = std::sqrt(std::max(0.0, own) * inverse);
    const auto kernel = static_cast<double>(term.kernel_row[best]);
    const double share = std::clamp(kernel * inverse, -most, most);
    return {best, share, std::max(0.0, own - share * kernel)};
  }

  std::size_t budget_;
};

}  // namespace

extern const BudgetRuleEntry bpa_s;
const BudgetRuleEntry bpa_s{
    .entry = {.name = "bpa-s",
              .summary = "replace the old term with the smallest loss by its projection onto the new vector",
              .formula = "r = argmin ‖α_r‖² (k_rr − k_rt²/k_tt): α_t ← α_t + α_r k_rt/k_tt",
              .paper = "Wang, Vucetic: Online Passive-Aggressive Algorithms on a Budget, AISTATS (2010)",
              .cost = "O(B C + d)",
              .use = "For passive-aggressive updates, when a step must be cheap."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<BpaSimple>(budget_of(options));
    },
    .incompatibility = needs_inner_product};

}  // namespace kinglet::budgets
