// ILK, implicit online learning with kernels: the step is computed after shrinking, so that it never overshoots.
//   ρ = ηλ/(1 + ηλ);  f ← (1 − ρ) f;  f ← f + α u k(x, ·),
//   α = clip((1 − m) / (‖u‖² k(x, x)), 0, (1−ρ) η C),   m the margin after the shrink
// With removal of the smallest term this is SILK. Cheng, Vishwanathan, Schuurmans, Wang, Caelli: Implicit Online
// Learning with Kernels, NIPS 19 (2006).
#include <algorithm>

#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class Implicit final : public UpdateRule {
 public:
  Implicit(double lambda, double eta, double limit)
      : shrink_(1 / (1 + eta * lambda)), limit_(eta * limit / (1 + eta * lambda)) {}
  double shrink_first() const override { return shrink_; }
  Update on(const Scored& example, Random&) override {
    const double missing = 1 - example.margin;
    const double limit = example.weight * limit_;
    if (!(missing > 0)) return {.shrink = shrink_};
    return {.shrink = shrink_, .step = example.length > 0 ? std::min(limit, missing / example.length) : limit};
  }

 private:
  double shrink_;  // 1 − ρ
  double limit_;   // (1 − ρ) η C
};

}  // namespace

extern const UpdateRuleEntry ilk;
const UpdateRuleEntry ilk{
    .entry =
        {.name = "ilk",
         .summary = "implicit gradient steps that never overshoot the margin",
         .formula = "f ← (1−ρ) f + y α k(x, ·), α = clip((1 − (1−ρ) y f(x)) / k(x, x), 0, (1−ρ) η C), ρ = ηλ/(1+ηλ)",
         .paper =
             "Cheng, Vishwanathan, Schuurmans, Wang, Caelli: Implicit Online Learning with Kernels, NIPS 19 (2006)",
         .cost = "O(1)",
         .use = "If ogd would need small steps to be stable: implicit steps cannot overshoot.",
         .options = {without_unit(lambda_option()), not_searched(eta_option()),
                     aggressiveness_option("largest step (C in the papers); for dual learners, the cost of an error")}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<Implicit>(options.real("lambda"), options.real("eta"), options.real("C"));
    }};

}  // namespace kinglet::rules
