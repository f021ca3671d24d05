// Passive-aggressive I: like pa, but no step is longer than C.
//   if ℓ = max(0, 1 − m) > 0:  f ← f + τ u k(x, ·),   τ = min(C, ℓ / (‖u‖² k(x, x)))
// Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: Online Passive-Aggressive Algorithms, JMLR 7 (2006).
#include <algorithm>

#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class PassiveAggressive1 final : public UpdateRule {
 public:
  explicit PassiveAggressive1(double limit) : limit_(limit) {}
  Update on(const Scored& example, Random&) override {
    const double loss = 1 - example.margin;
    if (!(loss > 0)) return {};
    const double limit = example.weight * limit_;
    return {.step = example.length > 0 ? std::min(limit, loss / example.length) : limit};
  }

 private:
  double limit_;
};

}  // namespace

extern const UpdateRuleEntry pa1;
const UpdateRuleEntry pa1{
    .entry = {.name = "pa1",
              .summary = "the shortest step to a margin of 1, limited to C",
              .formula = "if ℓ > 0: f ← f + y τ k(x, ·), τ = min(C, ℓ / (k(x, x)))",
              .paper =
                  "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: Online Passive-Aggressive Algorithms, JMLR 7 (2006)",
              .cost = "O(1)",
              .use = "The passive-aggressive rule to try first: C limits the effect of a single wrong label.",
              .options = {aggressiveness_option(
                  "largest step (C in the papers); for dual learners, the cost of an error")}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<PassiveAggressive1>(options.real("C"));
    }};

}  // namespace kinglet::rules
