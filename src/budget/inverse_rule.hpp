// A budget rule whose only state is the inverse of the kernel matrix of the support vectors; or, if it projects within
// classes, of the matrix that has zeros where two vectors differ in class.
#pragma once

#include <limits>

#include "budget/budget_rule.hpp"
#include "budget/project_terms.hpp"
#include "expansion/gram_inverse.hpp"

namespace kinglet {

class InverseRule : public BudgetRule {
 public:
  explicit InverseRule(std::size_t budget, bool within_classes = false)
      : budget_(budget), inverse_(budget + 1), within_classes_(within_classes) {}

  std::size_t memory_bytes() const final { return bytes(budget_); }
  static std::size_t bytes(std::size_t budget) { return GramInverse::bytes(budget + 1); }
  void take_one_out(Expansion& f, Random&) final {
    const std::size_t size = f.size();
    const std::size_t p = least_loss(f, inverse_, size);
    try {
      project_out_of(f, p);
    } catch (const Error&) {  // a coefficient would be out of range
      f.remove(p);
      inverse_.exclude(p, size);
    }
  }
  void fit_to_budget(std::size_t budget) final { inverse_.limit(budget + 1); }

  void save(StateWriter& out) const final { inverse_.save(out); }
  void load(StateReader& in) final { inverse_.load(in); }

 protected:
  std::size_t budget() const { return budget_; }
  bool within_classes() const { return within_classes_; }
  GramInverse& inverse() { return inverse_; }
  const GramInverse& inverse() const { return inverse_; }

  // The projection of a new term on the support vectors.
  GramInverse::Projection projected(Expansion& f, const Term& term) {
    const SlotLabels labels{.of_slots = labels_of(f), .own = term.label};
    return inverse_.project(f.set(), term.x, term.self_kernel, labels);
  }
  void look_after(Expansion& f) { inverse_.look_after(f.set(), labels_of(f)); }

  // Replaces a term by its projection on the others. Throws Error, having changed nothing, where a coefficient would be
  // out of range.
  void project_out_of(Expansion& f, std::size_t p) {
    const std::size_t size = f.size();
    const auto leaving = inverse_.project_out(p, size);
    project_out(f, p, leaving.shares, leaving.residual, !within_classes_);
    inverse_.exclude(p, size);
    look_after(f);
  }

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
  const ClassId* labels_of(const Expansion& f) const { return within_classes_ ? f.labels() : nullptr; }

  std::size_t budget_;
  GramInverse inverse_;
  bool within_classes_;
};

}  // namespace kinglet
