// Passive-aggressive: the shortest step that gives the example a margin of 1.
//   if ℓ = max(0, 1 − m) > 0:  f ← f + τ u k(x, ·),   τ = ℓ / (‖u‖² k(x, x))
// Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: Online Passive-Aggressive Algorithms, JMLR 7 (2006).
#include <algorithm>

#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class PassiveAggressive final : public UpdateRule {
 public:
  Update on(const Scored& example, Random&) override {
    const double loss = 1 - example.margin;
    if (!(loss > 0)) return {};
    // If k(x, x) = 0, no step changes f(x).
    return {.step = example.length > 0 ? std::min(1.0, example.weight) * loss / example.length : 0};
  }
};

}  // namespace

extern const UpdateRuleEntry pa;
const UpdateRuleEntry pa{
    .entry = {.name = "pa",
              .summary = "the shortest step that gives the example a margin of 1",
              .formula = "if ℓ > 0: f ← f + y τ k(x, ·), τ = ℓ / (k(x, x))",
              .paper =
                  "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: Online Passive-Aggressive Algorithms, JMLR 7 (2006)",
              .cost = "O(1)",
              .use = "For clean data: every example is fitted completely, including noise. Example weights above 1 "
                     "count as 1."},
    .make = [](const Options&) -> std::unique_ptr<UpdateRule> { return std::make_unique<PassiveAggressive>(); }};

}  // namespace kinglet::rules
