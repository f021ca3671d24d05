// LASVM: the SVM with hinge loss and bias, with two steps per example. With signed variables a_i = y_i α_i,
// A_i = min(0, y_i C_i) ≤ a_i ≤ B_i = max(0, y_i C_i), and gradients g_i = y_i − Σ_j a_j k(x_i, x_j):
//   process     a step of the new example and the example with the most extreme gradient that can move
//   reprocess   a step of the most violating pair i = argmax g over a < B, j = argmin g over a > A; then
//               b = (g_i + g_j)/2, and examples with a = 0 that are unlikely to return (y = 1 and g ≤ g_j, y = −1 and
//               g ≥ g_i) are forgotten
//   a step      λ = min((g_i − g_j)/(k_ii + k_jj − 2k_ij), B_i − a_i, a_j − A_j);  a_i += λ, a_j −= λ
// At the end of a pass, reprocess is repeated until no pair violates its condition by more than the tolerance.
// Bordes, Ertekin, Weston, Bottou: Fast Kernel Classifiers with Online and Active Learning, JMLR 6 (2005).
#pragma once

#include "core/aligned.hpp"
#include "solver/dual_solver.hpp"

namespace kinglet {

class LasvmSolver final : public DualSolver {
 public:
  explicit LasvmSolver(double tolerance) : tolerance_(tolerance) {}

  void append(double value) override;
  void learn(ExampleStore& store, std::size_t slot, double y, double box) override;
  void finish(ExampleStore& store) override;
  double coefficient(std::size_t slot) const override { return a_[slot]; }
  double bias() const override { return bias_; }
  bool forgets() const override { return true; }
  void mark_needed(std::vector<char>& needed) override;
  void remove(std::size_t slot) override;
  std::size_t memory_bytes() const override;
  void save(StateWriter& out) const override;
  void load(StateReader& in, std::size_t count) override;

 private:
  struct Pair {
    std::size_t up = 0;
    std::size_t down = 0;
    double violation = 0;  // g_up − g_down; there is no violation if it is not positive
  };
  double gradient(std::size_t i) const { return y_[i] - values_[i]; }
  double low(std::size_t i) const { return y_[i] < 0 ? -boxes_[i] : 0; }
  double high(std::size_t i) const { return y_[i] > 0 ? boxes_[i] : 0; }
  Pair most_violating() const;
  void step(ExampleStore& store, const Pair& pair);
  void reprocess(ExampleStore& store);
  std::size_t best_partner(ExampleStore& store, const Pair& pair) const;
  void settle(const Pair& pair);

  double tolerance_;
  AlignedDoubles values_;  // Σ_j a_j k(x_i, x_j), padded to whole blocks of 16
  std::vector<double> y_;  // by slot; 0: forgotten, or not learned
  std::vector<double> a_;
  std::vector<double> boxes_;  // C_i
  double bias_ = 0;
};

}  // namespace kinglet
