// LASVM: an SVM that takes two steps per example and drops examples that cannot become support vectors. At the end of a
// pass it iterates until convergence (solver/lasvm_solver.hpp).
#include "solver/dual_learner.hpp"
#include "solver/lasvm_solver.hpp"

namespace kinglet::learners {

extern const LearnerEntry lasvm;
const LearnerEntry lasvm{
    .entry = {.name = "lasvm",
              .summary = "an SVM with bias: two steps per example, and convergence at the end of a pass",
              .formula = "max Σ y a − ½ aᵀKa, Σ a = 0: pairs with the most extreme gradients",
              .paper =
                  "Bordes, Ertekin, Weston, Bottou: Fast Kernel Classifiers with Online and Active Learning, JMLR 6 "
                  "(2005)",
              .cost = "O(n) for each of the two steps, n examples kept",
              .use = "Nearly the accuracy of a batch SVM in one pass over data in random order (with sorted data it "
                     "forgets the first class); it keeps little more than its support vectors.",
              .options = {box_option(), tolerance_option(), cache_option()}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      const double tolerance = options.real("tolerance");
      return std::make_unique<DualLearner>(options, shape, [=] { return std::make_unique<LasvmSolver>(tolerance); });
    },
    .incompatibility = dual_incompatibility};

}  // namespace kinglet::learners
