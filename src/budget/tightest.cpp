// Tightest: like tighter, but each support vector represents the examples of the stream that were nearest to it, and
// the error is weighted by the number of these examples in each class (budget/least_error.hpp).
//   r = argmin_r Σ_j Σ_y n_j(y) [f − α_r k(x_r, ·) is wrong at x_j for class y]
// Wang, Vucetic: Tighter Perceptron with Improved Dual Use of Cached Data for Model Representation and Validation,
// IJCNN (2009).
#include "budget/least_error.hpp"

namespace kinglet::budgets {

extern const BudgetRuleEntry tightest;
const BudgetRuleEntry tightest{
    .entry = {.name = "tightest",
              .summary = "like tighter, with errors weighted by the number of examples that each vector represents",
              .formula = "r = argmin_r Σ_j Σ_y n_j(y) [f − α_r k(x_r, ·) is wrong at x_j for y]: f ← f − α_r k(x_r, ·)",
              .paper = "Wang, Vucetic: Tighter Perceptron with Improved Dual Use of Cached Data for Model "
                       "Representation and Validation, IJCNN (2009)",
              .cost = "O(B² C + B d)",
              .use = "Like tighter, when support vectors represent very different numbers of examples."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<LeastError>(budget_of(options), LeastError::Counts::stream);
    },
    .incompatibility = needs_classes,
    .memory = LeastError::bytes,
    .memory_for_classes = LeastError::bytes_for_classes,
    .needs_values = true};

}  // namespace kinglet::budgets
