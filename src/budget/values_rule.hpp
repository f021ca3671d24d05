// A budget rule that uses the values f(x_j) at the support vectors. Its entry must set needs_values.
#pragma once

#include "budget/budget_rule.hpp"
#include "core/assert.hpp"
#include "expansion/support_values.hpp"

namespace kinglet {

class ValuesRule : public BudgetRule {
 public:
  void use_values(SupportValues& values) final { values_ = &values; }

 protected:
  SupportValues& values() const {
    KINGLET_ASSERT(values_ != nullptr);
    return *values_;
  }

 private:
  SupportValues* values_ = nullptr;
};

}  // namespace kinglet
