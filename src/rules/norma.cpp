// Norma: stochastic gradient descent on the λ-regularised loss with step η/√t.
//   f ← (1 − λη/√t) f;   f ← f − ℓ'(m) η/√t u k(x, ·)        hinge loss: if y f(x) < 1 add y η/√t
// Kivinen, Smola, Williamson: Online Learning with Kernels, IEEE Transactions on Signal Processing 52 (2004).
#include <cmath>

#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "rules/loss.hpp"
#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class Norma final : public UpdateRule {
 public:
  Norma(double lambda, double eta, Loss loss) : lambda_(lambda), eta_(eta), loss_(loss) {
    if (lambda * eta >= 1) {
      throw Error(compose("norma needs {} × {} < 1, or the first step would erase the model: lower one of them",
                          option("lambda"), option("eta")));
    }
  }

  Update on(const Scored& example, Random&) override {
    const double rate = eta_ / std::sqrt(rounds_.next());
    return {.shrink = 1 - lambda_ * rate, .step = loss_.step(example.weight * rate, example.margin, example.length)};
  }
  void save(StateWriter& out) const override { rounds_.save(out); }
  void load(StateReader& in) override { rounds_.load(in); }

 private:
  double lambda_;
  double eta_;
  Loss loss_;
  Rounds rounds_;
};

}  // namespace

extern const UpdateRuleEntry norma;
const UpdateRuleEntry norma{
    .entry = {.name = "norma",
              .summary = "gradient descent on the regularised loss with step η/√t",
              .formula = "f ← (1 − λη/√t) f;  if y f(x) < 1: f ← f + y η/√t k(x, ·)",
              .paper =
                  "Kivinen, Smola, Williamson: Online Learning with Kernels, IEEE Trans. Signal Processing 52 (2004)",
              .cost = "O(1)",
              .use = "For slowly drifting streams: steps decrease more slowly than those of pegasos, and η and λ are "
                     "chosen separately.",
              .options = {lambda_option(), eta_option(), Loss::option()}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<Norma>(options.real("lambda"), options.real("eta"), Loss(options));
    },
    .incompatibility = Loss::incompatibility,
    .settle = Loss::settle};

}  // namespace kinglet::rules
