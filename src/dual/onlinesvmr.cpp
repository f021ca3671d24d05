// OnlineSVM^R: the ramp-loss SVM, optimal after every example. Noisy examples do not become support vectors.
//   min ½‖f‖² + C Σ R(y f(x)),  R(z) = min(2, max(0, 1 − z))     (solver/ramp_solver.hpp)
// The option keep-non-sv = m is the removal step: of the examples with coefficient 0, only the m nearest to the
// boundary are kept.
#include "solver/dual_learner.hpp"
#include "solver/ramp_options.hpp"

namespace kinglet::learners {

extern const LearnerEntry onlinesvmr;
const LearnerEntry onlinesvmr{
    .entry = {.name = "onlinesvmr",
              .summary = "the ramp-loss SVM, optimal after every example; noisy examples do not become support vectors",
              .formula = "min ½‖f‖² + C Σ min(2, max(0, 1 − y f(x)))",
              .paper = kRampPaper,
              .cost = "O(n) for each change of a dual variable, n examples kept",
              .use = {"For noisy labels, with up to some ten thousand examples, or more with ", option("keep-non-sv"),
                      "."},
              .options = {box_option(), tolerance_option(), least_gain_option(), kept_option(), cache_option()}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      RampPlan plan = ramp_plan(options);
      plan.kept = kept_of(options);
      return std::make_unique<DualLearner>(options, shape, [plan] { return std::make_unique<RampSolver>(plan); });
    },
    .incompatibility = ramp_incompatibility};

}  // namespace kinglet::learners
