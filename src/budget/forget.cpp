// Forget, the Forgetron: shrinks f until the oldest vector can be removed with little loss, then removes it.
// With f' the function after the new term, r the oldest vector, σ = ‖α_r‖ √k(x_r, x_r) the length of its term and
// μ = Σ_c α_rc f'_c(x_r) / σ the component of f' along it (perceptron, k(x, x) = 1: σ = |a_r|, μ = y_r f'(x_r)):
//   ψ(φ) = (σφ)² + 2σφ (1 − φμ)                                     the cost of the removal after a shrink by φ
//   self-tuned   φ = the largest in (0, 1] with Q + ψ(φ) ≤ 15/32 M;  Q ← Q + ψ(φ),  M the updates so far
//   basic        φ = min((B+1)^(−1/(2(B+1))), U/‖f'‖) at every update,  U = ¼ √((B+1)/ln(B+1))
//   f ← φ f' − φ α_r k(x_r, ·)
// U is defined for terms of length 1; otherwise it is multiplied by the length of the longest term so far.
// With A = σ² − 2σμ, b = 2σ, c = Q − 15/32 M < 0 the self-tuned φ is 1 if A + b + c ≤ 0. Otherwise it is the smallest
// positive root of Aφ² + bφ + c, for any sign of A:  φ = −2c/(b + √(b² − 4Ac)).
// Dekel, Shalev-Shwartz, Singer: The Forgetron, SIAM Journal on Computing 37 (2008).
#include <algorithm>
#include <cmath>
#include <limits>

#include "budget/budget_rule.hpp"
#include "budget/choices.hpp"
#include "budget/values_rule.hpp"

namespace kinglet::budgets {
namespace {

constexpr double kShare = 15.0 / 32.0;

class Forget final : public ValuesRule {
 public:
  Forget(std::size_t budget, bool self_tuned) : budget_(budget), self_tuned_(self_tuned) {
    const auto places = static_cast<double>(budget + 1);
    radius_ = std::sqrt(places / std::log(places)) / 4;
    factor_ = std::pow(places, -1 / (2 * places));
  }

  bool place(Expansion& f, const Term& term, Random&) override {
    f.append(term);
    ++updates_;
    double squared = 0;
    for (const double a : term.coefficients) squared += a * a;
    longest_ = std::max(longest_, std::sqrt(std::max(0.0, squared * term.self_kernel)));
    const bool full = f.size() > budget_;
    const std::size_t r = full ? oldest_of(f) : 0;
    if (!self_tuned_) {
      shrink(f, std::min(factor_, radius_ * longest_ / norm_of(f)));
    } else if (full) {
      shrink(f, tuned(f, r));
    }
    if (full) f.remove(r);
    return full;
  }
  void take_one_out(Expansion& f, Random&) override {
    const std::size_t r = oldest_of(f);
    if (self_tuned_) shrink(f, tuned(f, r));
    f.remove(r);
  }

  void save(StateWriter& out) const override {
    out.put(updates_);
    out.put(spent_);
    out.put(longest_);
  }
  void load(StateReader& in) override {
    updates_ = in.get<std::uint64_t>();
    StateReader::require(updates_ < std::uint64_t{1} << 62, "more updates than there can have been");
    spent_ = in.get<double>();
    StateReader::require(std::isfinite(spent_) && spent_ <= allowed(), "more forgotten than the Forgetron may");
    longest_ = in.get<double>();
    StateReader::require(std::isfinite(longest_) && longest_ >= 0, "a length that is not a number");
  }

 private:
  double allowed() const { return kShare * static_cast<double>(updates_); }

  static void shrink(Expansion& f, double factor) {
    if (factor != 1) f.shrink(std::max(factor, std::numeric_limits<double>::min()));
  }

  // The self-tuned φ; its cost is added to Q.
  double tuned(const Expansion& f, std::size_t r) {
    double weight = 0;   // ‖α_r‖²
    double product = 0;  // σμ
    for (std::size_t c = 0; c < f.outputs(); ++c) {
      weight += f.coefficient(r, c) * f.coefficient(r, c);
      product += f.coefficient(r, c) * values().value(r, c);
    }
    const double squared = std::max(0.0, weight * f.self_kernels()[r]);  // σ²; some kernels have k(x, x) < 0
    const double a = squared - 2 * product;
    const double b = 2 * std::sqrt(squared);
    const double c = spent_ - allowed();
    double phi = 1;
    if (a + b + c > 0) phi = std::min(1.0, -2 * c / (b + std::sqrt(std::max(0.0, b * b - 4 * a * c))));
    spent_ = std::min(spent_ + (a * phi + b) * phi, allowed());
    return phi;
  }

  double norm_of(const Expansion& f) const {
    double squared = 0;  // ⟨f, f⟩ = Σ_j Σ_c α_jc f_c(x_j)
    for (std::size_t j = 0; j < f.size(); ++j) {
      for (std::size_t c = 0; c < f.outputs(); ++c) squared += f.coefficient(j, c) * values().value(j, c);
    }
    return std::sqrt(std::max(0.0, squared));
  }

  std::size_t budget_;
  bool self_tuned_;
  double radius_;              // U
  double factor_;              // basic: φ if f is inside the ball
  std::uint64_t updates_ = 0;  // M
  double spent_ = 0;           // Q
  double longest_ = 0;         // R
};

}  // namespace

extern const BudgetRuleEntry forget;
const BudgetRuleEntry forget{
    .entry = {.name = "forget",
              .summary = "shrink the model, then remove the oldest term (Forgetron)",
              .formula = "r = oldest: f ← φ (f − α_r k(x_r, ·)), φ the largest in (0, 1] with Q + ψ(φ) ≤ 15/32 M",
              .paper = "Dekel, Shalev-Shwartz, Singer: The Forgetron, SIAM J. Computing 37 (2008)",
              .cost = "O(B C + B d)",
              .use = "For drifting streams, with a bound on the number of mistakes.",
              .options = {{.name = "forgetron",
                           .kind = OptionKind::choice,
                           .default_value = "self-tuned",
                           .help = "how much to shrink: as little as the mistake bound allows (self-tuned), or by a "
                                   "fixed formula at every update (basic)",
                           .choices = {"self-tuned", "basic"}}}},
    .make = [](const Options& options) -> std::unique_ptr<BudgetRule> {
      return std::make_unique<Forget>(budget_of(options), options.text("forgetron") == "self-tuned");
    },
    .needs_values = true,
    .rescales = true};

}  // namespace kinglet::budgets
