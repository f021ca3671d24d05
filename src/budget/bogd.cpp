// BOGD: removes a uniformly drawn old term and enlarges the others to compensate.
//   r ~ U(S);  α_i ← min(α_i / (1 − 1/B), γη) for the others, in absolute value       (bounded_descent.hpp)
// In expectation f does not change, unless a coefficient is clipped.
// Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012).
#include <algorithm>

#include "budget/bounded_descent.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet::budgets {
namespace {

class Bogd final : public BoundedDescent {
 public:
  using BoundedDescent::BoundedDescent;

  // The others keep their weights: there is no step whose length would limit them.
  void take_one_out(Expansion& f, Random& random) override {
    f.remove(static_cast<std::size_t>(random.below(f.size())));
  }

 private:
  // All factors 1/(1 − p_i) are equal, so they go into the lazy scale, and the new term is divided by it.
  void grow_old(Expansion& f, const Term& newest, double limit) override {
    const auto count = static_cast<double>(budget());
    const double factor = count > 1 ? count / (count - 1) : 1.0;
    const double limit_before = limit / factor;
    const std::span<const float> kept = f.stored(newest);
    f.rewrite([&](float* coefficients) {
      float* row = f.scratch_row();
      const std::size_t padded = f.set().padded_size();
      const std::size_t stride = f.stored_outputs().stride;
      float* last = coefficients + f.size() - 1;
      for (std::size_t c = 0; c < f.outputs(); ++c) last[c * stride] = 0;
      const float largest = simd::largest_weights(f.stored_outputs(), padded, row);
      for (std::size_t c = 0; c < f.outputs(); ++c) last[c * stride] = kept[c];
      storable(factor * std::min(limit_before, f.scale() * static_cast<double>(largest)));
      if (const float stored_limit = as_float(limit_before / f.scale()); largest > stored_limit) {
        simd::shares_below(stored_limit, padded, row);
        for (std::size_t c = 0; c < f.outputs(); ++c) simd::multiply(row, padded, coefficients + c * stride);
      }
      for (std::size_t c = 0; c < f.outputs(); ++c) {
        last[c * stride] = static_cast<float>(static_cast<double>(kept[c]) / factor);
      }
      f.shrink(factor);
    });
  }
  std::size_t draw(Random& random) const override { return static_cast<std::size_t>(random.below(budget())); }
};

}  // namespace

extern const BudgetRuleEntry bogd;
const BudgetRuleEntry bogd{
    .entry = {.name = "bogd",
              .summary = "remove a uniformly drawn old term and enlarge the others to compensate",
              .formula = "r ~ U(S): α_r ← 0, α_i ← min(α_i / (1 − 1/B), γη)",
              .paper = "Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012)",
              .cost = "O(B C + d)",
              .use = "For gradient steps, when an update must be cheap and the kernel is not Gaussian.",
              .options = {clip_option()}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Bogd>(budget_of(options), options.real("clip"));
    },
    .rescales = true};

}  // namespace kinglet::budgets
