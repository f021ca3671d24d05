// Passive-aggressive II: like pa, but with a squared slack, so that long steps cost more.
//   if ℓ = max(0, 1 − m) > 0:  f ← f + τ u k(x, ·),   τ = ℓ / (‖u‖² k(x, x) + 1/(2C))
// Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: Online Passive-Aggressive Algorithms, JMLR 7 (2006).
#include <algorithm>

#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class PassiveAggressive2 final : public UpdateRule {
 public:
  explicit PassiveAggressive2(double limit) : limit_(limit) {}
  Update on(const Scored& example, Random&) override {
    const double loss = 1 - example.margin;
    if (!(loss > 0)) return {};
    const double softness = 2 * example.weight * limit_;
    return {.step = softness > 0 ? loss / (std::max(0.0, example.length) + 1 / softness) : 0};
  }

 private:
  double limit_;
};

}  // namespace

extern const UpdateRuleEntry pa2;
const UpdateRuleEntry pa2{
    .entry = {.name = "pa2",
              .summary = "the shortest step to a margin of 1, with a squared slack",
              .formula = "if ℓ > 0: f ← f + y τ k(x, ·), τ = ℓ / (k(x, x) + 1/(2C))",
              .paper =
                  "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: Online Passive-Aggressive Algorithms, JMLR 7 (2006)",
              .cost = "O(1)",
              .use = "Like pa1, when large losses should count more.",
              .options = {without_unit(aggressiveness_option("larger values give larger steps (C in the paper)"))}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<PassiveAggressive2>(options.real("C"));
    }};

}  // namespace kinglet::rules
