// What the two forms of bounded online gradient descent share. Of the B old terms one goes, drawn with the chances p; the
// others grow so that the sum stays the same on average, but none beyond γη:
//   α_i ← α_i · min(1/(1 − p_i), γη / max_c |α_ic|)          then the new term enters
// The shrink (1 − λη) of the paper's formula is the update rule's and has been done. Until the budget is full terms simply
// enter.
// η is the learning rate, which for the hinge loss and a constant rate is the length of every step. Where steps differ
// (other losses, weights of examples, other update rules) it is the mean of about the last B of them, or the new step if
// that is longer: a single short step would otherwise cut down every weight there is.
// Zhao, Wang, Wu, Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "budget/reducing_rule.hpp"

namespace kinglet {

class BoundedDescent : public BudgetRule {
 public:
  BoundedDescent(std::size_t budget, double clip)
      : budget_(budget), clip_(clip), chances_(budget + 1), factors_(budget + 1) {}

  bool place(Expansion& f, const Term& term, Random& random) final {
    const std::size_t old = f.size();
    const bool full = old == budget_;
    const double rate = rate_with(term.step);
    append_then(f, term, [&](std::size_t newest) {
      if (!full) return;
      // Who grows by how much does not depend on who goes.
      prepare(f, std::span(chances_).first(old), std::span(factors_).first(old));
      clip_factors(f, old, clip_ * std::max(std::abs(term.step), rate));
      factors_[newest] = 1;
      f.reweigh(std::span(factors_).first(newest + 1));
    });
    if (full) f.remove(draw(old, random));
    rate_ = rate;
    steps_ = std::min(steps_ + 1, static_cast<std::uint64_t>(budget_));
    return full;
  }

  std::size_t memory_bytes() const final { return bytes(budget_); }
  static std::size_t bytes(std::size_t budget) { return 2 * (budget + 1) * sizeof(double); }

  void save(StateWriter& out) const final {
    out.put(rate_);
    out.put(steps_);
  }
  void load(StateReader& in) final {
    rate_ = in.get<double>();
    StateReader::require(std::isfinite(rate_) && rate_ >= 0, "a rate that is not a number");
    steps_ = in.get<std::uint64_t>();
    StateReader::require(steps_ <= budget_, "more steps than there can have been");
  }

 protected:
  // chances[i]: how likely term i is to go, up to a common factor; factors[i] = 1/(1 − p_i). The spans are as long as the
  // budget; what factors[i] is does not matter where p_i = 1.
  virtual void prepare(const Expansion& f, std::span<double> chances, std::span<double> factors) const = 0;

 private:
  double rate_with(double step) const {
    const std::uint64_t count = std::min(steps_ + 1, static_cast<std::uint64_t>(budget_));
    return rate_ + (std::abs(step) - rate_) / static_cast<double>(count);
  }

  void clip_factors(const Expansion& f, std::size_t old, double limit) {
    if (f.outputs() == 1) {
      const float* a = f.stored(0).data();
      const double stored_limit = limit / f.scale();
      for (std::size_t j = 0; j < old; ++j) {
        const double weight = std::abs(static_cast<double>(a[j]));
        factors_[j] = weight * factors_[j] > stored_limit ? stored_limit / weight : factors_[j];
      }
      return;
    }
    for (std::size_t j = 0; j < old; ++j) {
      double largest = 0;
      for (std::size_t c = 0; c < f.outputs(); ++c) largest = std::max(largest, std::abs(f.coefficient(j, c)));
      if (largest * factors_[j] > limit) factors_[j] = limit / largest;
    }
  }

  // By the chances, unless the rule knows better.
  virtual std::size_t draw(std::size_t old, Random& random) const {
    double sum = 0;
    for (std::size_t j = 0; j < old; ++j) sum += chances_[j];
    double left = random.uniform() * sum;
    std::size_t last = 0;
    for (std::size_t j = 0; j < old; ++j) {
      if (chances_[j] <= 0) continue;
      last = j;
      left -= chances_[j];
      if (left < 0) break;
    }
    return last;
  }

  std::size_t budget_;
  double clip_;
  std::vector<double> chances_;
  std::vector<double> factors_;
  double rate_ = 0;          // mean of the last steps
  std::uint64_t steps_ = 0;  // how many of them, at most B
};

inline OptionSpec clip_option() {
  return {
      .name = "clip", .fallback = "4", .help = "largest weight of a term, in steps", .low = 1, .may_be_infinite = true};
}

}  // namespace kinglet
