// Pegasos: stochastic gradient descent on the λ-regularised hinge loss with step 1/(λt).
//   f ← (1 − 1/t) f;   if y f(x) < 1:  f ← f + y/(λt) k(x, ·)
// Shalev-Shwartz, Singer, Srebro, Cotter: Mathematical Programming 127 (2011). The projection on the ball of radius
// 1/√λ is left out, as in the budgeted form (Wang, Crammer, Vucetic: JMLR 13, 2012).
#include "rules/update_rule.hpp"

namespace kinglet::rules {
namespace {

class Pegasos final : public UpdateRule {
 public:
  explicit Pegasos(double lambda) : lambda_(lambda) {}

  Update on(const Scored& example) override {
    const auto t = static_cast<double>(++rounds_);
    // At t = 1 the factor is 0 and the expansion still empty: leave the scale alone.
    return {.shrink = rounds_ == 1 ? 1 : 1 - 1 / t, .step = example.margin < 1 ? example.weight / (lambda_ * t) : 0};
  }
  void save(StateWriter& out) const override { out.put(rounds_); }
  void load(StateReader& in) override {
    rounds_ = in.get<std::uint64_t>();
    StateReader::require(rounds_ < std::uint64_t{1} << 62, "more rounds than there can have been");
  }

 private:
  double lambda_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

extern const UpdateRuleEntry pegasos;
const UpdateRuleEntry pegasos{
    .entry = {.name = "pegasos",
              .summary = "gradient descent on the regularised hinge loss with step 1/(λt)",
              .formula = "f ← (1 − 1/t) f;  if y f(x) < 1: f ← f + y/(λt) k(x, ·)",
              .paper = "Shalev-Shwartz, Singer, Srebro, Cotter: Pegasos, Mathematical Programming 127 (2011)",
              .cost = "O(1)",
              .options = {{.name = "lambda",
                           .fallback = "1e-4",
                           .help = "regularisation; smaller fits the data more closely",
                           .low = 0,
                           .low_open = true}}},
    .make = [](const Options& options) -> std::unique_ptr<UpdateRule> {
      return std::make_unique<Pegasos>(options.real("lambda"));
    }};

}  // namespace kinglet::rules
