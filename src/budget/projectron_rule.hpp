// Base of the Projectrons. With d = K⁻¹ k, δ² = k(x, x) − kᵀ d is the squared distance of k(x, ·) from the span of the
// support vectors. If δ ≤ η, or if the budget is full, the term is projected:  α ← α + a d;  else it is added. No
// vector is ever removed. A vector in the span up to rounding (GramInverse::kSpan) is projected for any η. The papers
// do not say which vectors carry the projection if there are many classes: all of them, or those of the term's own
// class (project-on). Orabona, Keshet, Caputo: Bounded Kernel-Based Online Learning, JMLR 10 (2009).
#pragma once

#include <algorithm>
#include <cmath>

#include "budget/inverse_rule.hpp"
#include "budget/project_terms.hpp"

namespace kinglet {

class ProjectronRule : public InverseRule {
 public:
  ProjectronRule(std::size_t budget, double threshold, bool within_classes)
      : InverseRule(budget, within_classes), threshold_(threshold) {}

  bool place(Expansion& f, const Term& term, Random&) final {
    const auto projection = projected(f, term);
    const bool near = projection.residual <= threshold_ * threshold_ ||
                      projection.residual <= GramInverse::kSpan * std::abs(term.self_kernel);
    const bool full = f.size() == budget();
    if (near || full) {
      absorb(f, term, projection.shares, projection.length, part_of(projection, term), !within_classes());
    } else {
      inverse().include(projection.residual, f.append(term));
    }
    look_after(f);
    return full && !near;
  }

 protected:
  // A projection is never longer than the vector, except by rounding or if the kernel is not positive definite. If it
  // is longer, it is scaled down so that f(x) changes by as much as the term requires.
  static double part_of(const GramInverse::Projection& projection, const Term& term) {
    if (projection.length <= term.self_kernel) return 1;
    return std::max(0.0, term.self_kernel) / projection.length;
  }
  double threshold() const { return threshold_; }

 private:
  double threshold_;
};

// With 0, almost nothing would be projected before the budget is full. With 0.1, a Gaussian term is projected if 99 %
// of its squared length are in the span.
inline OptionSpec threshold_option(bool may_be_zero) {
  return {.name = "threshold",
          .default_value = "0.1",
          .help =
              "project a vector whose distance from the span of the support vectors is at most this value (η in the "
              "paper)",
          .low = 0,
          .low_open = !may_be_zero};
}

inline OptionSpec project_on_option() {
  return {.name = "project-on",
          .kind = OptionKind::choice,
          .default_value = "all",
          .help = "the support vectors on which a vector is projected: all, or those of its own class",
          .choices = {"all", "class"}};
}
inline bool within_classes_of(const Options& options) { return options.text("project-on") == "class"; }

inline Message projectron_incompatibility(const Options& options) {
  Message message = needs_inner_product(options);
  if (!message.empty() || !within_classes_of(options) || options.text("task") == "classify") return message;
  return compose("{} needs classes, which {} does not have: use {}", option("project-on", "class"),
                 option("task", options.text("task")), option("project-on", "all"));
}

}  // namespace kinglet
