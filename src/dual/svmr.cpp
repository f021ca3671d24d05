// SVM^R: the ramp-loss SVM, solved at the end of a pass: an SVM of all examples, then repeatedly without those beyond
// the ramp (y f < −1), until this set no longer changes (solver/ramp_solver.hpp).
#include "solver/dual_learner.hpp"
#include "solver/ramp_options.hpp"

namespace kinglet::learners {

extern const LearnerEntry svmr;
const LearnerEntry svmr{
    .entry = {.name = "svmr",
              .summary = "the ramp-loss SVM, solved once at the end of a pass; a reference for onlinesvmr",
              .formula = "min ½‖f‖² + C Σ min(2, max(0, 1 − y f(x)))",
              .paper = "Collobert, Sinz, Weston, Bottou: Trading Convexity for Scalability, ICML (2006)",
              .cost = "O(n) for each change of a dual variable, n examples",
              .use = "For comparison: it keeps all examples and learns nothing before the end of the pass.",
              .options = {box_option(), tolerance_option(), least_gain_option(), cache_option()}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      RampPlan plan = ramp_plan(options);
      plan.offline = true;
      return std::make_unique<DualLearner>(options, shape, [plan] { return std::make_unique<RampSolver>(plan); });
    },
    .incompatibility = late_incompatibility};

}  // namespace kinglet::learners
