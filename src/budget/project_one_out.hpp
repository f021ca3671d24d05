// A budget rule that, when over the budget, replaces one term by its projection on the others. A new vector in their span
// (up to GramInverse::kSpan) is itself projected, which keeps the kernel matrix well conditioned.
#pragma once

#include "budget/append_then.hpp"
#include "budget/inverse_rule.hpp"

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
          project_out_of(f, choose(f, inverse()));
        },
        [&](std::size_t newest) { inverse().exclude(newest, newest + 1); });
    return full;
  }

 protected:
  // The term to replace; the newest is the last.
  virtual std::size_t choose(const Expansion& f, const GramInverse& inverse) const = 0;
};

}  // namespace kinglet
