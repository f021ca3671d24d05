// The Projectron's way with a new term: d = K⁻¹ k and δ² = k(x, x) − kᵀ d tell how far k(x, ·) is from the span of the
// support vectors. Within η of it, or once the budget is full, the term is projected:  α ← α + a d;  else it enters.
// No vector ever leaves. A vector in the span up to rounding (GramInverse::kSpan) is projected whatever η is.
// Orabona, Keshet, Caputo: Bounded Kernel-Based Online Learning, JMLR 10 (2009).
#pragma once

#include <algorithm>
#include <cmath>

#include "budget/inverse_rule.hpp"
#include "budget/project_terms.hpp"

namespace kinglet {

class ProjectronRule : public InverseRule {
 public:
  ProjectronRule(std::size_t budget, double threshold) : InverseRule(budget), threshold_(threshold) {}

  bool place(Expansion& f, const Term& term, Random&) final {
    const auto projection = inverse().project(f.set(), term.x, term.self_kernel);
    const bool near = projection.residual <= threshold_ * threshold_ ||
                      projection.residual <= GramInverse::kSpan * std::abs(term.self_kernel);
    const bool full = f.size() == budget();
    if (near || full) {
      absorb(f, term, projection.shares, projection.length, part_of(projection, term));
    } else {
      inverse().include(projection.residual, f.append(term));
    }
    inverse().look_after(f.set());
    return full && !near;
  }

 protected:
  // A projection is never longer than the vector, but for rounding and kernels that are not positive definite: of a longer
  // one, so much that f(x) grows as the term says.
  static double part_of(const GramInverse::Projection& projection, const Term& term) {
    if (projection.length <= term.self_kernel) return 1;
    return std::max(0.0, term.self_kernel) / projection.length;
  }
  double threshold() const { return threshold_; }

 private:
  double threshold_;
};

// With 0 next to nothing would be projected before the budget is full. At 0.1 a Gaussian term is projected where 99 % of
// its squared length lie in the span.
inline OptionSpec threshold_option(bool may_be_zero) {
  return {.name = "threshold",
          .default_value = "0.1",
          .help = "project a vector whose distance from the span of the support vectors is at most η",
          .low = 0,
          .low_open = !may_be_zero};
}

}  // namespace kinglet
