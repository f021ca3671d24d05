// Online gradient descent: Norma with a constant step, the update of BOGD.
//   f ← (1 − λη) f;   f ← f − η ℓ'(m) u k(x, ·)               hinge loss: if y f(x) < 1 add y η
// auto values are those of the paper's theorems for a stream of T examples:   η = 1/√T,  λ = 1/(ηT)
// Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

bool has_auto_steps(const Options& options) {
  return (options.has("eta") && options.is_auto("eta")) || (options.has("lambda") && options.is_auto("lambda"));
}

// Whether its steps depend on the length of the stream. A model in which they do has the length, and values instead of
// auto.
bool wants_length(const Options& options) {
  return has_auto_steps(options) || (options.has("stream-length") && options.integer("stream-length") > 0);
}

void settle_ogd(const Options& given, Options& full) {
  Loss::settle(given, full);
  if (!has_auto_steps(full)) return;
  const double length = std::max(2.0, full.real("stream-length"));  // λη < 1
  if (full.integer("stream-length") == 0) {
    throw Error(compose("{} and {} need the length of the stream: give {}", option("eta", "auto"),
                        option("lambda", "auto"), option("stream-length")));
  }
  if (full.is_auto("eta")) full.set("eta", fmt::format("{}", 1 / std::sqrt(length)));
  if (full.is_auto("lambda")) full.set("lambda", fmt::format("{}", 1 / (full.real("eta") * length)));
}

}  // namespace

extern const UpdateRuleEntry ogd;
const UpdateRuleEntry ogd{
    .entry = {.name = "ogd",
              .summary = "gradient descent on the regularised loss with a constant step",
              .formula = "f ← (1 − λη) f;  if y f(x) < 1: f ← f + y η k(x, ·)",
              .paper = "Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012)",
              .cost = "O(1)",
              .use = "For streams that keep drifting: steps never get smaller.",
              .options = {with_theory(lambda_option(), "1/(ηT) with the length T of the stream"),
                          with_theory(eta_option(), "1/√T"),
                          Loss::option(),
                          {.name = "stream-length",
                           .kind = OptionKind::integer,
                           .default_value = "0",
                           .help = {"number of examples to come, for ", option("eta", "auto"), " and ",
                                    option("lambda", "auto"), "; 0: take it from the data, if known"},
                           .low = 0,
                           .high = 9007199254740992}}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<GradientDescent>(options.real("lambda"), options.real("eta"), Loss(options));
    },
    .incompatibility = Loss::incompatibility,
    .settle = settle_ogd,
    .stream_length = {
        .option = "stream-length", .wanted = wants_length, .if_exceeded = "the steps are longer than the theory's"}};

}  // namespace kinglet::rules
