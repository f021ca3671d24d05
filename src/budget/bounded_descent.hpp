// Base class of BOGD and BOGD++, bounded online gradient descent. One of the B old terms is removed, drawn with the
// probabilities p; the others grow so that f stays the same in expectation, but none beyond γη:
//   α_i ← α_i · min(1/(1 − p_i), γη / max_c |α_ic|)          then the new term enters
// The factor (1 − λη) of the paper's formula has already been applied by the update rule. Until the budget is full,
// terms are just added. η is the learning rate, which for the hinge loss and a constant rate is the length of every
// step. If steps differ (other losses, weights of examples, other update rules), η is the mean of about the last B
// steps, or the new step if that is longer; otherwise a single short step would reduce all weights. Zhao, Wang, Wu,
// Jin, Hoi: Fast Bounded Online Gradient Descent Algorithms, ICML (2012).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "budget/append_then.hpp"
#include "budget/budget_rule.hpp"

namespace kinglet {

class BoundedDescent : public BudgetRule {
 public:
  BoundedDescent(std::size_t budget, double clip) : budget_(budget), clip_(clip) {}

  bool place(Expansion& f, const Term& term, Random& random) final {
    const bool full = f.size() == budget_;
    const double rate = rate_with(term.step);
    append_then(f, term, [&](std::size_t) {
      // How much each term grows does not depend on which one is removed.
      if (full) grow_old(f, term, clip_ * std::max(std::abs(term.step), rate));
    });
    if (full) f.remove(draw(random));
    rate_ = rate;
    steps_ = std::min(steps_ + 1, static_cast<std::uint64_t>(budget_));
    return full;
  }
  void fit_to_budget(std::size_t budget) final { steps_ = std::min(steps_, static_cast<std::uint64_t>(budget)); }

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
  std::size_t budget() const { return budget_; }
  // α_i ← α_i · min(1/(1 − p_i), limit / max_c |α_ic|) for all terms but the last, which is `newest`.
  virtual void grow_old(Expansion& f, const Term& newest, double limit) = 0;
  // Draws the term to remove, with the probabilities from before.
  virtual std::size_t draw(Random& random) const = 0;

 private:
  double rate_with(double step) const {
    const std::uint64_t count = std::min(steps_ + 1, static_cast<std::uint64_t>(budget_));
    return rate_ + (std::abs(step) - rate_) / static_cast<double>(count);
  }

  std::size_t budget_;
  double clip_;
  double rate_ = 0;          // mean of the last steps
  std::uint64_t steps_ = 0;  // number of steps in it, at most B
};

// Converts to float; numbers out of range become the largest float.
inline float as_float(double value) {
  return static_cast<float>(std::min(value, static_cast<double>(std::numeric_limits<float>::max())));
}

inline OptionSpec clip_option() {
  return {.name = "clip",
          .default_value = "4",
          .help = "upper bound on the weight of a support vector, in multiples of the step size",
          .low = 1,
          .may_be_infinite = true};
}

}  // namespace kinglet
