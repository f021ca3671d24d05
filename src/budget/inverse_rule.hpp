// A budget rule whose only state is the inverse of the kernel matrix of the support vectors.
#pragma once

#include "budget/budget_rule.hpp"
#include "expansion/gram_inverse.hpp"

namespace kinglet {

class InverseRule : public BudgetRule {
 public:
  explicit InverseRule(std::size_t budget) : budget_(budget), inverse_(budget + 1) {}

  std::size_t memory_bytes() const final { return bytes(budget_); }
  static std::size_t bytes(std::size_t budget) { return GramInverse::bytes(budget + 1); }
  void save(StateWriter& out) const final { inverse_.save(out); }
  void load(StateReader& in) final { inverse_.load(in); }

 protected:
  std::size_t budget() const { return budget_; }
  GramInverse& inverse() { return inverse_; }
  const GramInverse& inverse() const { return inverse_; }

 private:
  std::size_t budget_;
  GramInverse inverse_;
};

}  // namespace kinglet
