// OSKL, online sparse kernel learning by importance sampling: an example becomes a support vector with a probability
// equal to the slope of the logistic loss, and all steps have the same length. The constant G ≥ 1 thins the sampling
// and lengthens the steps to match.
//   Z ~ Bernoulli(|ℓ'(m)|/G),  ℓ(m) = log(1 + e^−m):   f ← f + Z η G u k(x, ·)
// The result is the average of all f_t (output = average). Zhang, Yi, Jin, Lin, He: Online Kernel Learning with a Near
// Optimal Sparsity Bound, ICML (2013).
#include <cmath>

#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class ImportanceSampled final : public UpdateRule {
 public:
  ImportanceSampled(double eta, double thinning) : eta_(eta), thinning_(thinning) {}
  Update on(const Scored& example, Random& random) override {
    const double slope = 1 / (1 + std::exp(example.margin));
    return {.step = random.coin(slope / thinning_) ? example.weight * eta_ * thinning_ : 0};
  }

 private:
  double eta_;
  double thinning_;  // G
};

}  // namespace

extern const UpdateRuleEntry oskl;
const UpdateRuleEntry oskl{
    .entry = {.name = "oskl",
              .summary = "constant steps on examples sampled by the slope of the logistic loss",
              .formula = "Z ~ Bernoulli(1/(G (1 + e^{y f(x)}))): f ← f + y η G Z k(x, ·)",
              .paper =
                  "Zhang, Yi, Jin, Lin, He: Online Kernel Learning with a Near Optimal Sparsity Bound, ICML (2013)",
              .cost = "O(1)",
              .use = "Like spa, with a smooth loss; for many overlapping classes.",
              .options = {eta_option(),
                          {.name = "G",
                           .default_value = "1",
                           .help =
                               "thins the sampling by this factor and lengthens the steps to match (G in the paper)",
                           .low = 1}}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<ImportanceSampled>(options.real("eta"), options.real("G"));
    },
    .classes_only = true,
    .samples = true};

}  // namespace kinglet::rules
