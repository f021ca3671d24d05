// Perceptron: a step of 1 on every mistake. With a margin β > 0, examples that are only just right count as mistakes,
// as in the budget perceptron of Crammer, Kandola, Singer: Online Classification on a Budget, NIPS 16 (2003).
//   if y f(x) ≤ β:  f ← f + y k(x, ·)
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class Perceptron final : public UpdateRule {
 public:
  explicit Perceptron(double margin) : margin_(margin) {}
  Update on(const Scored& example, Random&) override {
    return {.step = example.margin <= margin_ ? example.weight : 0};
  }

 private:
  double margin_;
};

}  // namespace

extern const UpdateRuleEntry perceptron;
const UpdateRuleEntry perceptron{
    .entry =
        {.name = "perceptron",
         .summary = "a step of 1 on every mistake",
         .formula = "if y f(x) ≤ β: f ← f + y k(x, ·)",
         .paper =
             "Freund, Schapire: Large Margin Classification Using the Perceptron Algorithm, Machine Learning 37 (1999)",
         .cost = "O(1)",
         .use = "As the basis of the budget perceptrons: it learns only from mistakes, so it has few support vectors, "
                "but poor margins.",
         .options = {{.name = "margin",
                      .default_value = "0",
                      .help = "learn from examples whose margin is at most this value (β in papers)",
                      .low = 0,
                      .search = {.low = 0.01, .high = 1}}}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<Perceptron>(options.real("margin"));
    },
    .classes_only = true,
    .margin_option = "margin"};

}  // namespace kinglet::rules
