// Norma: stochastic gradient descent on the λ-regularised hinge loss with step η/√t.
//   f ← (1 − λη/√t) f;   if y f(x) < 1:  f ← f + y η/√t k(x, ·)
// Kivinen, Smola, Williamson: Online Learning with Kernels, IEEE Transactions on Signal Processing 52 (2004).
#include <cmath>

#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class Norma final : public UpdateRule {
 public:
  Norma(double lambda, double eta) : lambda_(lambda), eta_(eta) {
    if (lambda * eta >= 1) {
      throw Error("norma needs lambda × eta < 1, or the first step would wipe out the model: lower --lambda or --eta");
    }
  }

  Update on(const Scored& example) override {
    const double step = eta_ / std::sqrt(static_cast<double>(++rounds_));
    return {.shrink = 1 - lambda_ * step, .step = example.margin < 1 ? example.weight * step : 0};
  }
  void save(StateWriter& out) const override { out.put(rounds_); }
  void load(StateReader& in) override {
    rounds_ = in.get<std::uint64_t>();
    StateReader::require(rounds_ < std::uint64_t{1} << 62, "more rounds than there can have been");
  }

 private:
  double lambda_;
  double eta_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

extern const UpdateRuleEntry norma;
const UpdateRuleEntry norma{
    .entry = {.name = "norma",
              .summary = "gradient descent on the regularised hinge loss with step η/√t",
              .formula = "f ← (1 − λη/√t) f;  if y f(x) < 1: f ← f + y η/√t k(x, ·)",
              .paper =
                  "Kivinen, Smola, Williamson: Online Learning with Kernels, IEEE Trans. Signal Processing 52 (2004)",
              .cost = "O(1)",
              .options = {{.name = "lambda",
                           .fallback = "1e-4",
                           .help = "regularisation; smaller fits the data more closely",
                           .low = 0},
                          {.name = "eta", .fallback = "1", .help = "learning rate", .low = 0, .low_open = true}}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<Norma>(options.real("lambda"), options.real("eta"));
    }};

}  // namespace kinglet::rules
