// A budget rule that, when over the budget, replaces one term by its projection on the others. A new vector that lies
// in their span, up to the option `dependence`, is itself projected, also before the budget is full: this keeps the
// kernel matrix well conditioned. What it loses counts as maintenance loss like any other projection.
#pragma once

#include "budget/append_then.hpp"
#include "budget/inverse_rule.hpp"

namespace kinglet {

class ProjectOneOut : public InverseRule {
 public:
  ProjectOneOut(std::size_t budget, double dependence) : InverseRule(budget), dependence_(dependence) {}

  bool place(Expansion& f, const Term& term, Random&) final {
    const bool full = f.size() >= budget();
    const auto projection = projected(f, term);
    if (projection.residual <= dependence_ * term.self_kernel) {
      absorb(f, term, projection.shares, projection.length);
      return true;
    }
    append_then(
        f, term,
        [&](std::size_t newest) {
          if (!full) {
            inverse().include(projection.residual, newest);
            return;
          }
          inverse().include_for_now(projection.residual, newest);
          project_out_of(f, choose(f, inverse()));
        },
        [&](std::size_t newest) { inverse().exclude(newest, newest + 1); });
    return full;
  }

 protected:
  // The term to replace; the newest is the last.
  virtual std::size_t choose(const Expansion& f, const GramInverse& inverse) const = 0;

 private:
  double dependence_;
};

inline OptionSpec dependence_option() {
  return {.name = "dependence",
          .default_value = "1e-4",
          .help =
              "project a new vector at once if its squared distance from the span of the others, relative to k(x, x), "
              "is at "
              "most this value; smaller values give larger models and rounding errors",
          .low = 1e-6,
          .high = 1};
}

}  // namespace kinglet
