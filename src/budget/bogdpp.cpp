// BOGD++: like BOGD, but light terms are more likely to be removed.
//   p_i = 1 − s w_i,   w_i = ‖α_i‖ √k(x_i, x_i),   s = (B − 1)/Σ w;   α_i ← min(α_i / (1 − p_i), γη)
// A term with s w_i > 1 would have a negative probability; it gets 0, and the others are rescaled. With the excess
// E = Σ max(0, s w_i − 1) the probabilities are p_i = max(0, 1 − s w_i)/(1 + E), so that
//   1/(1 − p_i) = (1 + E)/(E + s w_i)   where p_i > 0,
// which for E = 0 is Σ w / ((B − 1) w_i): every remaining term gets the same weight, and 1 − p_i → 0 causes no problem.
// Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012).
#include <algorithm>

#include "budget/bounded_descent.hpp"
#include "budget/choices.hpp"
#include "core/zeroed.hpp"
#include "simd/light_draw.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet::budgets {
namespace {

class BogdPlusPlus final : public BoundedDescent {
 public:
  BogdPlusPlus(std::size_t budget, double clip)
      : BoundedDescent(budget, clip), weights_(round_up(budget + 1, 16)), factors_(weights_.size()) {}

  // The likeliest to be drawn. The others keep their weights, as with bogd.
  void take_one_out(Expansion& f, Random&) override { f.remove(smallest_of(f)); }

  std::size_t memory_bytes() const override { return bytes(budget()); }
  static std::size_t bytes(std::size_t budget) { return 2 * round_up(budget + 1, 16) * sizeof(float); }

 private:
  void grow_old(Expansion& f, const Term&, double limit) override {
    const std::size_t old = budget();
    double sum = simd::square_roots(f.sizes(), old, weights_.data());
    if (!(sum > 0)) {  // all weights are 0: draw uniformly
      std::fill_n(weights_.begin(), old, 1.0F);
      sum = static_cast<double>(old);
    }
    draw_ = {weights_.data(), old, static_cast<double>(old - 1) / sum};
    draw_.excess = simd::excess_of(draw_);
    simd::make_up(draw_, factors_.data());
    factors_[old] = 1;
    f.rewrite([&](float* coefficients) {
      float* row = f.scratch_row();
      const std::size_t padded = f.set().padded_size();
      simd::largest_weights(f.stored_outputs(), padded, row);
      const float largest = simd::cap_factors(row, as_float(limit / f.scale()), padded, factors_.data());
      storable(static_cast<double>(largest));
      const std::size_t stride = f.stored_outputs().stride;
      for (std::size_t c = 0; c < f.outputs(); ++c) simd::multiply(factors_.data(), padded, coefficients + c * stride);
    });
  }
  std::size_t draw(Random& random) const override { return simd::drawn(draw_, random.uniform() * (1 + draw_.excess)); }

  ZeroedFloats weights_;  // ‖α_i‖ √k(x_i, x_i)
  ZeroedFloats factors_;
  simd::LightDraw draw_;
};

}  // namespace

extern const BudgetRuleEntry bogdpp;
const BudgetRuleEntry bogdpp{
    .entry = {.name = "bogd++",
              .summary = "remove an old term, preferably a light one, and enlarge the others to compensate",
              .formula = "r ~ p, p_i = 1 − s ‖α_i‖ √k(x_i, x_i): α_r ← 0, α_i ← min(α_i / (1 − p_i), γη)",
              .paper = "Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012)",
              .cost = "O(B C + d)",
              .use = "Like bogd, and better if the weights differ widely.",
              .options = {clip_option()}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<BogdPlusPlus>(budget_of(options), options.real("clip"));
    },
    .memory = BogdPlusPlus::bytes,
    .rescales = true};

}  // namespace kinglet::budgets
