// What budget maintenance takes from f to make room for a new term, relative to the length of that term:
//
//   ‖Δ‖ / (‖α‖ √k(x, x))
//
// added up over the operations since the last term came. What shrinking and rewriting all coefficients changes is not
// counted. The sum is no finite number where the term has no length.
#pragma once

#include <algorithm>
#include <cmath>

#include "expansion/expansion.hpp"

namespace kinglet {

class MaintenanceLoss final : public ExpansionObserver {
 public:
  explicit MaintenanceLoss(Expansion& f) : f_(f) { f.log().add_observer(*this, {}); }

  double value() const { return loss_; }

 private:
  void before_change(const TermChange& change) override {
    leaving_ = change.leaving ? static_cast<double>(f_.sizes()[change.slot]) : 0;
  }
  void after_change(const TermChange& change) override {
    if (change.entering != nullptr) enter(static_cast<double>(f_.sizes()[change.slot]));
    if (change.leaving) lose(leaving_);
  }
  void after_approximation(const Approximation& change) override { lose(change.squared_length); }
  void after_projection(const ProjectedTerm& change) override {
    // ‖φ − part Pφ‖² = k(x, x) − part (2 − part) ‖Pφ‖²
    enter(change.term.self_kernel);
    lose(change.term.self_kernel - change.part * (2 - change.part) * change.length);
  }
  void after_passing(double squared_size, double squared_loss) override {
    enter(squared_size);
    lose(squared_loss);
  }

  void enter(double squared) {
    entered_ = squared;
    loss_ = 0;
  }
  void lose(double squared) { loss_ += std::sqrt(std::max(0.0, squared) / entered_); }

  Expansion& f_;
  double leaving_ = 0;  // size of the term that leaves, while a change is under way
  double entered_ = 1;  // ‖α‖² k(x, x) of the last term that came; all three in stored units
  double loss_ = 0;
};

}  // namespace kinglet
