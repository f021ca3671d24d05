// OSKL, online sparse kernel learning by importance sampling: an example becomes a support vector with a probability that
// is the slope of the logistic loss; every step is then equally long.
//   Z ~ Bernoulli(|ℓ'(m)|/G),  ℓ(m) = log(1 + e^−m),  G = 1:   f ← f + Z η G u k(x, ·)
// The result is the average of all f_t (--output). Zhang, Yi, Jin, Lin, He: Online Kernel Learning with a Near Optimal
// Sparsity Bound, ICML (2013).
#include <cmath>

#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class ImportanceSampled final : public UpdateRule {
 public:
  explicit ImportanceSampled(double eta) : eta_(eta) {}
  Update on(const Scored& example, Random& random) override {
    const double chance = 1 / (1 + std::exp(example.margin));
    return {.step = random.coin(chance) ? example.weight * eta_ : 0};
  }

 private:
  double eta_;
};

}  // namespace

extern const UpdateRuleEntry oskl;
const UpdateRuleEntry oskl{
    .entry = {.name = "oskl",
              .summary = "constant steps on examples drawn by the slope of the logistic loss",
              .formula = "Z ~ Bernoulli(1/(1 + e^{y f(x)})): f ← f + y η Z k(x, ·)",
              .paper =
                  "Zhang, Yi, Jin, Lin, He: Online Kernel Learning with a Near Optimal Sparsity Bound, ICML (2013)",
              .cost = "O(1)",
              .use = "As spa, with a smooth loss; many classes that overlap.",
              .options = {eta_option()}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<ImportanceSampled>(options.real("eta"));
    },
    .refusal = classes_only};

}  // namespace kinglet::rules
