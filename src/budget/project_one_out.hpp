// A budget rule that, when over the budget, replaces one term by its projection on the others. A new vector in their span
// (up to GramInverse::kSpan) is itself projected, which keeps the kernel matrix well conditioned.
#pragma once

#include <limits>

#include "budget/inverse_rule.hpp"
#include "budget/project_terms.hpp"

namespace kinglet {

class ProjectOneOut : public InverseRule {
 public:
  using InverseRule::InverseRule;

  bool place(Expansion& f, const Term& term, Random&) final {
    const bool full = f.size() >= budget();
    const auto projection = inverse().project(f.set(), term.x, term.self_kernel);
    if (projection.residual <= GramInverse::kSpan * term.self_kernel) {
      absorb(f, term, projection.shares, projection.length);
      return full;
    }
    append_then(
        f, term,
        [&](std::size_t newest) {
          if (!full) {
            inverse().include(projection.residual, newest);
            return;
          }
          inverse().include_for_now(projection.residual, newest);
          project_one_out(f);
        },
        [&](std::size_t newest) { inverse().exclude(newest, newest + 1); });
    return full;
  }

 protected:
  // The term to replace; the newest is the last.
  virtual std::size_t choose(const Expansion& f, const GramInverse& inverse) const = 0;

  // Among the first `count` terms, the one whose projection has the smallest loss, argmin ‖α_p‖² / (K⁻¹)_pp; ties go to
  // the oldest.
  static std::size_t least_loss(const Expansion& f, const GramInverse& inverse, std::size_t count) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < count; ++p) {
      const double own = inverse.own(p);
      if (!(own > 0)) continue;  // no projection: the kernel is not positive definite
      const double loss = squared_weight(f, p) / own;
      if (loss < least || (loss == least && f.births()[p] < f.births()[best])) {
        least = loss;
        best = p;
      }
    }
    return best;
  }

 private:
  void project_one_out(Expansion& f) {
    const std::size_t size = f.size();
    const std::size_t p = choose(f, inverse());
    const auto leaving = inverse().project_out(p, size);
    kinglet::project_out(f, p, leaving.shares, leaving.residual);
    inverse().exclude(p, size);
    inverse().look_after(f.set());
  }
};

}  // namespace kinglet
