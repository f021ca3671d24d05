// BOGD++: as BOGD, but light terms are more likely to go.
//   p_i = 1 − s w_i,   w_i = ‖α_i‖ √k(x_i, x_i),   s = (B − 1)/Σ w;   α_i ← min(α_i / (1 − p_i), γη)
// A term with s w_i > 1 would have a negative chance: it gets none, and the others share what is too much. With the excess
// E = Σ max(0, s w_i − 1) the chances are p_i = max(0, 1 − s w_i)/(1 + E), so that
//   1/(1 − p_i) = (1 + E)/(E + s w_i)   where p_i > 0,
// which for E = 0 is Σ w / ((B − 1) w_i): every survivor gets the same weight, and nothing is lost to 1 − p_i → 0.
// Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012).
#include "budget/bounded_descent.hpp"

namespace kinglet::budgets {
namespace {

class ByWeight final : public BoundedDescent {
 public:
  using BoundedDescent::BoundedDescent;

 private:
  void prepare(const Expansion& f, std::span<double> chances, std::span<double> factors) const override {
    const auto count = static_cast<double>(chances.size());
    double sum = 0;
    for (std::size_t i = 0; i < chances.size(); ++i) {
      factors[i] = std::sqrt(std::max(0.0, static_cast<double>(f.sizes()[i])));  // ‖α_i‖√k_ii
      sum += factors[i];
    }
    double excess = 0;
    for (std::size_t i = 0; i < chances.size(); ++i) {
      // Terms of no weight at all are equals.
      const double share = sum > 0 ? factors[i] * ((count - 1) / sum) : (count - 1) / count;
      chances[i] = std::max(0.0, 1 - share);
      factors[i] = share;
      excess += std::max(0.0, share - 1);
    }
    for (std::size_t i = 0; i < chances.size(); ++i) {
      const double stays = excess + factors[i];  // 1 − p_i, times 1 + E
      factors[i] = chances[i] > 0 && stays > 0 ? (1 + excess) / stays : 1;
    }
  }
};

}  // namespace

extern const BudgetRuleEntry bogdpp;
const BudgetRuleEntry bogdpp{
    .entry = {.name = "bogd++",
              .summary = "remove an old term, drawn from the light ones rather; the others grow to make up for it",
              .formula = "r ~ p, p_i = 1 − s ‖α_i‖ √k(x_i, x_i): α_r ← 0, α_i ← min(α_i / (1 − p_i), γη)",
              .paper = "Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012)",
              .cost = "O(B C + d)",
              .use = "As bogd, and better where the weights differ much.",
              .options = {clip_option()}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<ByWeight>(budget_of(options), options.real("clip"));
    },
    .memory = BoundedDescent::bytes};

}  // namespace kinglet::budgets
