// A two-class problem in its dual form over the examples of a store:
//   f(x) = Σ_i y_i α_i k(x_i, x) + b,   0 ≤ α_i ≤ C_i
// The solver decides what is optimised and how exactly. Slots are those of the store. With more than two classes there
// is one solver per class against the rest, sharing one store (solver/dual_learner.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/state.hpp"
#include "solver/example_store.hpp"

namespace kinglet {

class DualSolver {
 public:
  virtual ~DualSolver() = default;

  // Throws Error for an example that the solver cannot learn; called before the store appends it.
  virtual void require_learnable(double /*y*/, double /*box*/) const {}
  // Called after the store has appended an example, which is not part of the problem until it is learned. `value` is f
  // without b at the example.
  virtual void append(double value) = 0;
  // Learns the example in `slot`; y is 1 or −1, and its upper bound C_i > 0.
  virtual void learn(ExampleStore& store, std::size_t slot, double y, double box) = 0;
  // Called at the end of a pass, for work that was postponed.
  virtual void finish(ExampleStore&) {}
  virtual bool learns_at_end() const { return false; }  // whether nothing is learned before finish()

  virtual double coefficient(std::size_t slot) const = 0;  // y_i α_i; 0 for an example that is not part of the problem
  virtual double bias() const { return 0; }
  // Slots whose coefficient may have changed since the last forget_changes().
  std::span<const std::uint32_t> changed() const { return changed_; }
  void forget_changes() {
    for (const std::uint32_t slot : changed_) is_changed_[slot] = 0;
    changed_.clear();
  }

  // Whether there are examples that the solver no longer needs. If so, it sets needed[slot] for those that it does
  // need:
  // all with a nonzero coefficient, and possibly others.
  virtual bool forgets() const { return false; }
  virtual void mark_needed(std::vector<char>& /*needed*/) {}
  // Called when the store removes an example whose coefficient is 0; the last example moves into its slot.
  virtual void remove(std::size_t slot) = 0;

  virtual std::size_t memory_bytes() const = 0;
  virtual void save(StateWriter& out) const = 0;
  // For `count` examples in the store.
  virtual void load(StateReader& in, std::size_t count) = 0;
  // Throws Error if the loaded state does not belong to this store.
  virtual void check(const ExampleStore& /*store*/) const {}

 protected:
  void note_change(std::size_t slot) {
    if (slot >= is_changed_.size()) is_changed_.resize(slot + 1, 0);
    if (is_changed_[slot] != 0) return;
    is_changed_[slot] = 1;
    changed_.push_back(static_cast<std::uint32_t>(slot));
  }

 private:
  std::vector<std::uint32_t> changed_;
  std::vector<char> is_changed_;  // by slot
};

}  // namespace kinglet
