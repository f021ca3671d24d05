// IDSVM: the exact support vector machine of all examples so far, after every example (solver/incremental_svm.hpp).
//   f = argmin ½‖f‖² + C Σ_i max(0, 1 − y_i f(x_i))   over all examples i so far
// It keeps every example, because one that is well classified now may be needed later. The time per example grows with
// the number of examples and with the number on the margin. Cauwenberghs, Poggio: Incremental and Decremental Support
// Vector Machine Learning, NIPS (2000).
#include "solver/dual_learner.hpp"
#include "solver/dual_options.hpp"
#include "solver/incremental_svm.hpp"

namespace kinglet::learners {

extern const LearnerEntry idsvm;
const LearnerEntry idsvm{
    .entry = {.name = "idsvm",
              .summary = "the exact support vector machine of all examples so far, after every example",
              .formula = "f = argmin ½‖f‖² + C Σ_i max(0, 1 − y_i f(x_i)) over all examples i so far",
              .paper = "Cauwenberghs, Poggio: Incremental and Decremental Support Vector Machine Learning, NIPS (2000)",
              .cost = "O(n (d + |S|)) for each change of the margin S, with n examples so far",
              .use = "As a reference, and for up to some ten thousand examples when the exact solution is needed.",
              .options = {box_option(),
                          {.name = "bias",
                           .kind = OptionKind::flag,
                           .default_value = "false",
                           .help = "add a constant to f, which is not regularised"},
                          cache_option()}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      const IncrementalSvm::Settings settings{.bias = options.flag("bias")};
      return std::make_unique<DualLearner>(options, shape, [settings]() -> std::unique_ptr<DualSolver> {
        return std::make_unique<IncrementalSvm>(settings);
      });
    },
    .incompatibility = dual_incompatibility};

}  // namespace kinglet::learners
