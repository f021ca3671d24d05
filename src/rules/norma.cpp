// Norma: stochastic gradient descent on the λ-regularised loss with step η/√t.
//   f ← (1 − λη/√t) f;   f ← f − ℓ'(m) η/√t u k(x, ·)        hinge loss: if y f(x) < 1 add y η/√t
// Kivinen, Smola, Williamson: Online Learning with Kernels, IEEE Transactions on Signal Processing 52 (2004).
// eta = auto is the step that minimises the bound of theorem 2 in Wang, Crammer, Vucetic: Breaking the Curse of
// Kernelization, JMLR 13 (2012), (2U²/η + η (λU + 2)²)/√N with U = 2/λ:   η = √2 U/(λU + 2) = 1/(√2 λ)
#include <fmt/format.h>

#include <cmath>
#include <numbers>

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

void settle_norma(const Options& given, Options& full) {
  Loss::settle(given, full);
  if (!full.is_auto("eta")) return;
  if (!(full.real("lambda") > 0)) throw Error(compose("{} needs {} above 0", option("eta", "auto"), option("lambda")));
  full.set("eta", fmt::format("{}", 1 / (std::numbers::sqrt2 * full.real("lambda"))));
}

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
              .options = {lambda_option(),
                          with_theory(eta_option(), "1/(√2 λ), which minimises the bound of its theory"),
                          Loss::option()}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<Norma>(options.real("lambda"), options.real("eta"), Loss(options));
    },
    .incompatibility = Loss::incompatibility,
    .settle = settle_norma};

}  // namespace kinglet::rules
