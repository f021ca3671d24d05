// The multi-class SVM of Crammer and Singer, solved at the end of a pass (solver/crammer_singer.hpp).
//   min ½ Σ_r ‖f_r‖² + C Σ_i max(0, max_{r≠y_i} 1 + f_r(x_i) − f_{y_i}(x_i))
// With two classes, f = f_1 − f_0 is the SVM without bias and with the cost 2C.
// Crammer, Singer: On the Algorithmic Implementation of Multiclass Kernel-based Vector Machines, JMLR 2 (2001).
#include "solver/crammer_singer.hpp"
#include "solver/dual_learner.hpp"
#include "solver/joint_output.hpp"

namespace kinglet::learners {
namespace {

void solve_all_classes(const DualLearner::Joint& problem, double tolerance) {
  const std::size_t classes = std::max<std::size_t>(2, problem.solvers.size());
  const std::vector<double> tau =
      solve_crammer_singer(problem.store, problem.labels, problem.boxes, classes, tolerance);
  const bool two = problem.solvers.size() == 1;
  for (std::size_t c = 0; c < problem.solvers.size(); ++c) {
    auto& output = dynamic_cast<JointOutput&>(*problem.solvers[c]);
    for (std::size_t i = 0; i < problem.labels.size(); ++i) {
      output.set_coefficient(i, two ? 2 * tau[i * classes + 1] : tau[i * classes + c]);
    }
  }
}

}  // namespace

extern const LearnerEntry mcsvm;
const LearnerEntry mcsvm{
    .entry = {.name = "mcsvm",
              .summary = "the multi-class SVM of Crammer and Singer, solved once at the end of a pass",
              .formula = "min ½ Σ_r ‖f_r‖² + C Σ_i max(0, max_{r≠y} 1 + f_r(x_i) − f_y(x_i))",
              .paper = "Crammer, Singer: On the Algorithmic Implementation of Multiclass Kernel-based Vector Machines, "
                       "JMLR 2 (2001)",
              .cost = "O(n C) for each step of an example, n examples",
              .use = "For comparison, with more than two classes and up to some ten thousand examples: it keeps all "
                     "examples and learns nothing before the end of the pass.",
              .options = {box_option(), tolerance_option(), cache_option()}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      return std::make_unique<DualLearner>(
          options, shape, [] { return std::make_unique<JointOutput>(); },
          [tolerance = options.real("tolerance")](const DualLearner::Joint& problem) {
            solve_all_classes(problem, tolerance);
          });
    },
    .incompatibility = late_incompatibility};

}  // namespace kinglet::learners
