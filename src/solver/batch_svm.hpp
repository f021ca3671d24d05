// The SVM with hinge loss and bias, solved at once at the end of a pass:
//   min ½‖f‖² + Σ C_i max(0, 1 − y_i (f(x_i) + b))
// BatchSvm holds the problem and its solution, which is enough to load a model and to predict with it. Finding the
// solution is left to a BatchSolver that a program installs: the command installs LIBSVM (reference/libsvm_solver.hpp),
// the library alone has none.
#pragma once

#include <string>

#include "solver/dual_solver.hpp"

namespace kinglet {

// The examples of `set` whose sign is not 0; both signs occur.
struct BatchProblem {
  const SupportSet& set;
  std::span<const double> signs;  // by slot: 1, −1, or 0 for an example that takes no part
  double positive_box;            // C of the examples with sign 1
  double negative_box;
  double tolerance;         // how far from exact the optimality conditions may be
  std::size_t cache_bytes;  // memory for kernel rows
};

struct BatchSolution {
  std::vector<double> coefficients;  // y_i α_i by slot
  double bias = 0;
};

using BatchSolver = BatchSolution (*)(const BatchProblem& problem);

// Call it before any learner is made: it is a setting of the whole program. Null: none.
void install_batch_solver(BatchSolver solver);
// Why svm cannot learn in this program; empty when a solver is installed.
std::string missing_batch_solver();

class BatchSvm final : public DualSolver {
 public:
  BatchSvm(double tolerance, std::size_t cache_bytes) : tolerance_(tolerance), cache_bytes_(cache_bytes) {}

  void require_learnable(double y, double box) const override;
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
  // The C of the examples of a sign; 0 if there are none. Throws Error if they differ.
  double box_of(double sign) const;
  double& known_box(double sign) { return sign > 0 ? positive_box_ : negative_box_; }
  double known_box(double sign) const { return sign > 0 ? positive_box_ : negative_box_; }
  bool has(double sign) const;

  double tolerance_;
  std::size_t cache_bytes_;
  std::vector<double> signs_;  // by slot; 0: not learned
  std::vector<double> boxes_;
  std::vector<double> coefficients_;
  double bias_ = 0;
  double positive_box_ = 0;  // of the last example of that sign; 0: there was none
  double negative_box_ = 0;
};

}  // namespace kinglet
