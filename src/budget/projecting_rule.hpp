// A budget rule that, once over the budget, replaces one term by its projection on the others. A new vector that lies in
// their span (up to GramInverse::kSpan) is projected itself, which keeps the kernel matrix well conditioned.
#pragma once

#include <limits>

#include "budget/reducing_rule.hpp"
#include "model/gram_inverse.hpp"

namespace kinglet {

class ProjectingRule : public BudgetRule {
 public:
  explicit ProjectingRule(std::size_t budget) : budget_(budget), inverse_(budget + 1) {}

  bool place(Expansion& f, const Term& term, Random&) final {
    const auto projection = inverse_.project(f.set(), term.x, term.self_kernel);
    if (projection.residual <= GramInverse::kSpan * term.self_kernel) {
      f.absorb(term, projection.shares, projection.length);
      return f.size() == budget_;
    }
    const std::size_t newest = f.append(term);
    inverse_.include(projection.residual, newest);
    const std::size_t size = f.size();
    if (size <= budget_) return false;
    const std::size_t p = choose(f, inverse_);
    try {
      const auto leaving = inverse_.project_out(p, size);
      f.project_out(p, leaving.shares, leaving.residual);
    } catch (const Error&) {
      f.remove(newest);  // as before the term came
      inverse_.exclude(newest, size);
      throw;
    }
    inverse_.exclude(p, size);
    inverse_.look_after(f.set());
    return true;
  }

  std::size_t memory_bytes() const final { return bytes(budget_); }
  static std::size_t bytes(std::size_t budget) { return GramInverse::bytes(budget + 1); }
  void save(StateWriter& out) const final { inverse_.save(out); }
  void load(StateReader& in) final { inverse_.load(in); }

 protected:
  // The term that goes; the newest is the last.
  virtual std::size_t choose(const Expansion& f, const GramInverse& inverse) const = 0;

  // Of the first `count` terms, the one whose projection loses least: argmin ‖α_p‖² / (K⁻¹)_pp; of equals, the oldest.
  static std::size_t least_loss(const Expansion& f, const GramInverse& inverse, std::size_t count) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < count; ++p) {
      const double own = inverse.own(p);
      if (!(own > 0)) continue;  // no projection: the kernel is not positive definite
      const double loss = f.squared_weight(p) / own;
      if (loss < least || (loss == least && f.birth(p) < f.birth(best))) {
        least = loss;
        best = p;
      }
    }
    return best;
  }

 private:
  std::size_t budget_;
  GramInverse inverse_;
};

}  // namespace kinglet
