// IDSVM: the support vector machine of everything seen so far, exact after every example (solver/incremental_svm.hpp).
//   f = argmin ½‖f‖² + C Σ_i max(0, 1 − y_i f(x_i))   over all examples i so far
// It keeps every example: one that is sure now may be needed later. Time for an example grows with how many there are
// and how many are on the margin.
// Cauwenberghs, Poggio: Incremental and Decremental Support Vector Machine Learning, NIPS (2000).
#include "solver/dual_entry.hpp"
#include "solver/dual_learner.hpp"
#include "solver/incremental_svm.hpp"

namespace kinglet::duals {

extern const DualEntry idsvm;
const DualEntry idsvm{
    .entry = {.name = "idsvm",
              .summary = "the exact support vector machine of all examples so far, after every example",
              .formula = "f = argmin ½‖f‖² + C Σ_i max(0, 1 − y_i f(x_i)) over all examples i so far",
              .paper = "Cauwenberghs, Poggio: Incremental and Decremental Support Vector Machine Learning, NIPS (2000)",
              .cost = "O(n (d + |S|)) for each change of the margin S, with n examples so far",
              .use = "As a yardstick, and for some ten thousand examples where nothing may be lost.",
              .options = {box_option(),
                          {.name = "bias",
                           .kind = OptionKind::flag,
                           .default_value = "false",
                           .help = "add a constant to f, which the regularisation leaves alone"},
                          cache_option()}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      const IncrementalSvm::Settings settings{.bias = options.flag("bias")};
      return std::make_unique<DualLearner>(options, shape, [settings]() -> std::unique_ptr<DualSolver> {
        return std::make_unique<IncrementalSvm>(settings);
      });
    },
    .incompatibility = dual_refusal};

}  // namespace kinglet::duals
