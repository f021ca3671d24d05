// Margin perceptron: constant steps whenever the margin is below 1, inside a ball of radius U.
//   if y f(x) < 1:  f ← f + y η k(x, ·);  f ← f · min(1, U/‖f‖)
// Without a radius this is the plain margin perceptron; with one, it is BMP of Wang, Crammer, Vucetic: Breaking the
// Curse of Kernelization, JMLR 13 (2012).
#include <limits>

#include "rules/rule_options.hpp"
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class MarginPerceptron final : public UpdateRule {
 public:
  MarginPerceptron(double eta, double radius) : eta_(eta), radius_(radius) {}

  Update on(const Scored& example, Random&) override {
    if (example.margin >= 1) return {};
    return {.step = example.weight * eta_, .radius = radius_};
  }
  bool needs_norm() const override { return radius_ < std::numeric_limits<double>::infinity(); }

 private:
  double eta_;
  double radius_;
};

}  // namespace

extern const UpdateRuleEntry mp;
const UpdateRuleEntry mp{
    .entry = {.name = "mp",
              .summary = "margin perceptron: constant steps whenever the margin is below 1",
              .formula = "if y f(x) < 1: f ← f + y η k(x, ·);  f ← f · min(1, U/‖f‖)",
              .paper = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012)",
              .cost = "O(1); O(B) with a finite radius",
              .use = "If nothing should be forgotten and only one parameter should be chosen: η (or the radius).",
              .options = {eta_option(),
                          {.name = "radius",
                           .default_value = "inf",
                           .help = "radius U of the ball that contains the model",
                           .low = 0,
                           .low_open = true,
                           .may_be_infinite = true}}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<MarginPerceptron>(options.real("eta"), options.real("radius"));
    }};

}  // namespace kinglet::rules
