// TVM, the twin vector machine: the exact support vector machine of at most B prototypes, which represent all examples
// near the boundary (solver/tvm_learner.hpp).
//   f = argmin ½‖f‖² + C Σ_p s_p⁺ max(0, 1 − f(x_p)) + s_p⁻ max(0, 1 + f(x_p))
// Wang, Vucetic: Twin Vector Machines for Online Learning on a Budget, SDM (2009).
#include "solver/dual_options.hpp"
#include "solver/tvm_learner.hpp"

namespace kinglet::learners {

extern const LearnerEntry tvm;
const LearnerEntry tvm{
    .entry = {.name = "tvm",
              .summary = "the exact support vector machine of prototypes that represent the examples near the boundary",
              .formula = "f = argmin ½‖f‖² + C Σ_p s_p⁺ max(0, 1 − f(x_p)) + s_p⁻ max(0, 1 + f(x_p)) over B prototypes",
              .paper = "Wang, Vucetic: Twin Vector Machines for Online Learning on a Budget, SDM (2009)",
              .cost = "O(B²) for each change of the margin, and O(B²) for a merge",
              .use =
                  "For small budgets of a few hundred, when every support vector counts. When the budget is exceeded, "
                  "the prototype farthest from the boundary is removed if |f| there is above twice the band; otherwise "
                  "two close prototypes are merged, where a pair with different majority classes counts as ten times "
                  "farther apart.",
              .options = {box_option(),
                          {.name = "band",
                           .default_value = "1",
                           .help = "once the budget is full, learn only examples with |f| up to this value",
                           .low = 0,
                           .low_open = true},
                          cache_option()}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      return std::make_unique<TvmLearner>(options, shape);
    },
    .bounded = true,
    .keeps_examples = false,
    .incompatibility = dual_incompatibility,
    .memory = TvmLearner::bytes};

}  // namespace kinglet::learners
