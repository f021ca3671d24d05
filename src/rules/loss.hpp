// Losses as functions of the margin m, for rules that take gradient steps. In regression the margin is 1 + ε − |y −
// f(x)|, so the hinge loss becomes the ε-insensitive loss, and its square (with ε = 0) the squared error.
//
//   hinge, epsilon           max(0, 1 − m)               −ℓ'(m) = 1 where m < 1
//   squared-hinge, squared   ½ max(0, 1 − m)²            −ℓ'(m) = max(0, 1 − m)
//   logistic                 log(1 + e^−m)               −ℓ'(m) = 1/(1 + e^m)
//   ramp                     min(2, max(0, 1 − m))       −ℓ'(m) = 1 where −1 < m < 1
//
// A gradient step beyond the margin of 1 leads to oscillation. For the hinge loss in classification, steps are those of
// the papers. With squared losses and in regression, where the oscillation would never end, steps stop at the margin.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "core/compose.hpp"
#include "kinglet/options.hpp"

namespace kinglet {

class Loss {
 public:
  explicit Loss(const Options& options)
      : kind_(kind_of(options.text("loss"))),
        stops_(kind_ == Kind::squared_hinge || options.text("task") == "regress") {}

  // The step for this rate: rate · −ℓ'(m), limited to reach the margin of 1 where necessary. `length` is the increase
  // of the margin by a step of 1.
  double step(double rate, double margin, double length) const {
    const double whole = rate * slope(margin);
    return stops_ && whole * length > 1 - margin && length > 0 ? std::max(0.0, 1 - margin) / length : whole;
  }

  // −ℓ'(m) ≥ 0
  double slope(double margin) const {
    switch (kind_) {
      case Kind::hinge:
        return margin < 1 ? 1 : 0;
      case Kind::squared_hinge:
        return std::max(0.0, 1 - margin);
      case Kind::logistic:
        return 1 / (1 + std::exp(margin));
      case Kind::ramp:
        return margin < 1 && margin > -1 ? 1 : 0;
    }
    return 0;
  }

  static OptionSpec option() {
    return {.name = "loss",
            .kind = OptionKind::choice,
            .default_value = "auto",
            .help = {"loss to minimise; auto: hinge, or epsilon for ", kinglet::option("task", "regress")},
            .choices = {"hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared"},
            .may_be_auto = true};
  }

  // What `auto` stands for.
  static void settle(const Options& /*given*/, Options& full) {
    if (full.is_auto("loss")) full.set("loss", full.text("task") == "regress" ? "epsilon" : "hinge");
  }

  // Why the loss does not fit the task; empty if it does.
  static Message incompatibility(const Options& options) {
    const std::string& loss = options.text("loss");
    const bool regress = options.text("task") == "regress";
    if (regress == (loss == "epsilon" || loss == "squared")) return {};
    const OptionMention regression = kinglet::option("task", "regress");
    return regress ? compose("{} supports the losses epsilon and squared, not {}", regression, loss)
                   : compose("{} is only for {}; other tasks support hinge, squared-hinge, logistic and ramp",
                             kinglet::option("loss", loss), regression);
  }

 private:
  enum class Kind { hinge, squared_hinge, logistic, ramp };

  static Kind kind_of(const std::string& name) {
    if (name == "squared-hinge" || name == "squared") return Kind::squared_hinge;
    if (name == "logistic") return Kind::logistic;
    return name == "ramp" ? Kind::ramp : Kind::hinge;
  }

  Kind kind_;
  bool stops_;
};

}  // namespace kinglet
