// Pegasos: stochastic gradient descent on the λ-regularised loss with step 1/(λt).
//   f ← (1 − 1/t) f;   f ← f − ℓ'(m)/(λt) u k(x, ·)          hinge loss: if y f(x) < 1 add y/(λt)
// Shalev-Shwartz, Singer, Srebro, Cotter: Mathematical Programming 127 (2011). The projection onto the ball of radius
// 1/√λ is omitted, as in the budgeted version (Wang, Crammer, Vucetic: JMLR 13, 2012).
#include "rules/loss.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class Pegasos final : public UpdateRule {
 public:
  Pegasos(double lambda, Loss loss) : lambda_(lambda), loss_(loss) {}

  Update on(const Scored& example, Random&) override {
    const double t = rounds_.next();
    // At t = 1 the factor is 0, but the expansion is still empty: do not change the scale.
    return {.shrink = rounds_.is_first() ? 1 : 1 - 1 / t,
            .step = loss_.step(example.weight / (lambda_ * t), example.margin, example.length)};
  }
  void save(StateWriter& out) const override { rounds_.save(out); }
  void load(StateReader& in) override { rounds_.load(in); }

 private:
  double lambda_;
  Loss loss_;
  Rounds rounds_;
};

}  // namespace

extern const UpdateRuleEntry pegasos;
const UpdateRuleEntry pegasos{
    .entry = {.name = "pegasos",
              .summary = "gradient descent on the regularised loss with step 1/(λt)",
              .formula = "f ← (1 − 1/t) f;  if y f(x) < 1: f ← f + y/(λt) k(x, ·)",
              .paper = "Shalev-Shwartz, Singer, Srebro, Cotter: Pegasos, Mathematical Programming 127 (2011)",
              .cost = "O(1)",
              .use = "There is no step size to choose, and the effect of early mistakes fades. A small λ "
                     "fits the data more closely but makes the last function noisy.",
              .options = {{.name = "lambda",
                           .default_value = "1e-4",
                           .help = "regularisation λ; smaller values fit the data more closely",
                           .low = 0,
                           .low_open = true,
                           .search = {.low = 1e-6, .high = 1e-2, .target_power = -1}},
                          Loss::option()}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<Pegasos>(options.real("lambda"), Loss(options));
    },
    .incompatibility = Loss::incompatibility,
    .settle = Loss::settle,
    .advice = [](const Options& options) -> Message {
      if (!options.has("query") || options.text("query") != "ramp") return {};
      return {
          "the first steps of pegasos are so long that few scores are within the ramp and few labels are queried; use ",
          option("query", "greedy"), " to query more"};
    }};

}  // namespace kinglet::rules
