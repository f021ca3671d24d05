// Tighter: removes the vector whose removal leaves the smallest error on the support set (budget/least_error.hpp).
//   r = argmin_r Σ_j [f − α_r k(x_r, ·) is wrong at x_j for its class]
// Weston, Bordes, Bottou: Online (and Offline) on an Even Tighter Budget, AISTATS (2005), with the support set as the
// validation set, as in Wang, Vucetic: Tighter Perceptron with Improved Dual Use of Cached Data, IJCNN (2009).
#include "budget/least_error.hpp"

namespace kinglet::budgets {

extern const BudgetRuleEntry tighter;
const BudgetRuleEntry tighter{
    .entry = {.name = "tighter",
              .summary = "remove the vector whose removal leaves the smallest error on the support set",
              .formula = "r = argmin_r Σ_j [f − α_r k(x_r, ·) is wrong at x_j]: f ← f − α_r k(x_r, ·)",
              .paper = "Wang, Vucetic: Tighter Perceptron with Improved Dual Use of Cached Data for Model "
                       "Representation and Validation, IJCNN (2009)",
              .cost = "O(B² C + B d)",
              .use = "For perceptrons with a small budget, when cost does not matter: it measures the damage before it "
                     "removes a vector. With much noise, use tightest."},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<LeastError>(budget_of(options), LeastError::Counts::itself);
    },
    .incompatibility = needs_classes,
    .memory = LeastError::bytes,
    .memory_for_classes = LeastError::bytes_for_classes,
    .needs_values = true};

}  // namespace kinglet::budgets
