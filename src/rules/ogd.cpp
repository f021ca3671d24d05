// Online gradient descent: Norma with a constant step, the update of BOGD.
//   f ← (1 − λη) f;   f ← f − η ℓ'(m) u k(x, ·)               hinge loss: if y f(x) < 1 add y η
// Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012).
#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "rules/loss.hpp"
#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class GradientDescent final : public UpdateRule {
 public:
  GradientDescent(double lambda, double eta, Loss loss) : lambda_(lambda), eta_(eta), loss_(loss) {
    if (lambda * eta >= 1) {
      throw Error(compose("ogd needs {} × {} < 1, or a step would erase the model: lower one of them", option("lambda"),
                          option("eta")));
    }
  }
  Update on(const Scored& example, Random&) override {
    return {.shrink = 1 - lambda_ * eta_, .step = loss_.step(example.weight * eta_, example.margin, example.length)};
  }

 private:
  double lambda_;
  double eta_;
  Loss loss_;
};

}  // namespace

extern const UpdateRuleEntry ogd;
const UpdateRuleEntry ogd{
    .entry = {.name = "ogd",
              .summary = "gradient descent on the regularised loss with a constant step",
              .formula = "f ← (1 − λη) f;  if y f(x) < 1: f ← f + y η k(x, ·)",
              .paper = "Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012)",
              .cost = "O(1)",
              .use = "For streams that keep drifting: steps never get smaller.",
              .options = {lambda_option(), eta_option(), Loss::option()}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<GradientDescent>(options.real("lambda"), options.real("eta"), Loss(options));
    },
    .incompatibility = Loss::incompatibility,
    .settle = Loss::settle};

}  // namespace kinglet::rules
