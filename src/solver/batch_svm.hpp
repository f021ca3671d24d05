// The SVM with hinge loss and bias, solved by LIBSVM at the end of a pass: an exact yardstick from another hand.
//   min ½‖f‖² + Σ C_i max(0, 1 − y_i (f(x_i) + b))
// LIBSVM knows one C for each of the two classes: examples of one class must weigh the same.
// Chang, Lin: LIBSVM: A Library for Support Vector Machines, ACM Transactions on Intelligent Systems and Technology 2
// (2011).
#pragma once

#include "solver/dual_solver.hpp"

namespace kinglet {

class BatchSvm final : public DualSolver {
 public:
  BatchSvm(double tolerance, std::size_t cache_bytes) : tolerance_(tolerance), cache_bytes_(cache_bytes) {}

  void append(double value) override;
  void learn(ExampleStore& store, std::size_t slot, double y, double box) override;
  void finish(ExampleStore& store) override;
  bool learns_at_end() const override { return true; }
  double coefficient(std::size_t slot) const override { return coefficients_[slot]; }
  double bias() const override { return bias_; }
  void remove(std::size_t slot) override;
  std::size_t memory_bytes() const override;
  void save(StateWriter& out) const override;
  void load(StateReader& in, std::size_t count) override;

 private:
  double box_of(double sign) const;

  double tolerance_;
  std::size_t cache_bytes_;
  std::vector<double> signs_;  // by slot; 0: not learned
  std::vector<double> boxes_;
  std::vector<double> coefficients_;
  double bias_ = 0;
};

}  // namespace kinglet
