// The ramp-loss SVM without bias, kept at a local optimum (the problem is not convex):
//   min ½‖f‖² + C Σ_i R(y_i f(x_i)),   R(z) = min(2, max(0, 1 − z))
// The concave-convex procedure turns it into SVMs with hinge loss over V = {i : g_i ≤ 2}, where g_i = 1 − y_i f(x_i):
//   repeat   max D(α) over the α of V, one variable at a time, always the one with the largest gain
//            (simd/dual_steps.hpp)
//            V ← {i : g_i ≤ 2}; examples that leave V get α = 0
//   until V does not change
// A new example starts with α = 0 and its g. If g is outside [0, 2], it changes nothing; it is kept, because later
// changes of f may bring it in. So the Karush–Kuhn–Tucker conditions hold for all examples after each example (except
// for one that left V so often in a step that it is barred until the next: kMostExits):
//   i in V:  α = 0 and g ≤ 0,  or 0 < α < C and g = 0,  or α = C and g ≥ 0 (all within the tolerance)
//   else     α = 0 and g > 2
// Wang, Vucetic: Fast Online Training of Ramp Loss Support Vector Machines, ICDM (2009); the removal step is its
// algorithm 2. Offline: Collobert, Sinz, Weston, Bottou: Trading Convexity for Scalability, ICML (2006).
#pragma once

#include <functional>

#include "core/aligned.hpp"
#include "simd/dual_steps.hpp"
#include "solver/active_problem.hpp"
#include "solver/dual_solver.hpp"

namespace kinglet {

struct RampPlan {
  double tolerance = 1e-3;              // of the optimality conditions
  double least_gain = 0;                // also stop when the best step gains less than this
  bool offline = false;                 // solve once, at the end of a pass, starting with all examples in V
  std::size_t active_bytes = 64 << 20;  // memory for rows of the active problem
  std::size_t kept = SIZE_MAX;          // number of examples with α = 0 to keep: those nearest to the boundary
};

class RampSolver final : public DualSolver {
 public:
  explicit RampSolver(const RampPlan& plan) : plan_(plan), active_(plan.active_bytes) {}

  void append(double value) override;
  void learn(ExampleStore& store, std::size_t slot, double y, double box) override;
  void finish(ExampleStore& store) override;
  bool learns_at_end() const override { return plan_.offline; }
  double coefficient(std::size_t slot) const override { return signs_[slot] * alphas_[slot]; }
  bool forgets() const override { return plan_.kept != SIZE_MAX; }
  void mark_needed(std::vector<char>& needed) override;
  void remove(std::size_t slot) override;
  std::size_t memory_bytes() const override;
  void save(StateWriter& out) const override;
  void load(StateReader& in, std::size_t count) override;
  void check(const ExampleStore& store) const override;

  // For tests of the optimality conditions.
  double gradient(std::size_t slot) const { return 1 - signs_[slot] * values_[slot]; }
  double alpha(std::size_t slot) const { return alphas_[slot]; }
  bool is_active(std::size_t slot) const { return limits_[slot] > 0; }  // in V
  // Called after each round of the procedure, if set.
  std::function<void()> on_round;

 private:
  static constexpr double kRampEnd = 2;
  // An example that left V so often in one step stays out until the next, as rounding could make it alternate for ever.
  static constexpr int kMostExits = 8;

  void reserve(std::size_t count);
  simd::DualVariables variables();
  void solve(ExampleStore& store);
  void optimise(ExampleStore& store);
  bool relocate(ExampleStore& store);
  void move(ExampleStore& store, std::size_t slot, double alpha);
  std::vector<std::uint32_t> likely_to_move();

  RampPlan plan_;
  std::size_t size_ = 0;
  bool unit_ = true;  // whether all Q_ii are 1
  // By slot, padded to whole blocks of 16.
  AlignedDoubles values_;  // f(x_i)
  AlignedDoubles signs_;   // y_i; 0: not learned
  AlignedDoubles alphas_;
  AlignedDoubles limits_;      // C_i in V, 0 outside
  AlignedDoubles selves_;      // k(x_i, x_i)
  std::vector<double> boxes_;  // C_i
  std::vector<int> exits_;
  std::vector<std::uint32_t> leaving_;
  ActiveProblem active_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace kinglet
