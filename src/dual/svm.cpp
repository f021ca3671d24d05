// The batch SVM, solved at the end of a pass: a reference in the tables. Training needs LIBSVM, which only the command
// links (solver/batch_svm.hpp); its models load and predict everywhere.
#include "solver/batch_svm.hpp"
#include "solver/dual_learner.hpp"

namespace kinglet::learners {
namespace {

Message incompatibility(const Options& options) {
  if (options.text("kernel") == "laplacian") return "svm uses LIBSVM, which has no laplacian kernel";
  return late_incompatibility(options);
}

}  // namespace

extern const LearnerEntry svm;
const LearnerEntry svm{
    .entry = {.name = "svm",
              .summary = "the batch SVM, solved by LIBSVM at the end of a pass; a reference",
              .formula = "min ½‖f‖² + C Σ max(0, 1 − y (f(x) + b))",
              .paper = "Chang, Lin: LIBSVM: A Library for Support Vector Machines, ACM Transactions on Intelligent "
                       "Systems and Technology 2 (2011)",
              .cost = "O(n²) and more for a pass of n examples",
              .use = "For comparison: it keeps all examples and learns nothing before the end of the pass. Only the "
                     "kinglet command can train it; the library loads its models and predicts with them.",
              .options = {box_option(), tolerance_option(), cache_option()}},
    .make = [](const Options& options, const Shape& shape) -> std::unique_ptr<Learner> {
      const double tolerance = options.real("tolerance");
      const std::size_t cache = cache_bytes(options);
      return std::make_unique<DualLearner>(options, shape,
                                           [=] { return std::make_unique<BatchSvm>(tolerance, cache); });
    },
    .incompatibility = incompatibility,
    .unavailable = missing_batch_solver};

}  // namespace kinglet::learners
