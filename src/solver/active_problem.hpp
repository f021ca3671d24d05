// A part of a dual problem: the variables that are likely to move, copied so that they fit into the processor's caches:
//   max Σ α − ½ αᵀQα + (contribution of the other variables, through f),   0 ≤ α ≤ C
// Each step moves the single variable with the largest gain. If the kernel rows of the free variables (0 < α < C) are
// similar, this converges slowly. So, whenever the single steps have cost as much as a Newton step, a Newton step moves
// all free variables at once:
//   α_F ← α_F + t Q_FF⁻¹ g_F,   with the largest t ≤ 1 that keeps them in their boxes
#pragma once

#include <cstdint>
#include <vector>

#include "core/aligned.hpp"
#include "simd/dual_steps.hpp"
#include "solver/example_store.hpp"

namespace kinglet {

class ActiveProblem {
 public:
  explicit ActiveProblem(std::size_t bytes)
      : limit_(bytes) {}  // for kernel rows; where they are too many they are
                          // copied again
  // Copies the variables in `slots` with their state in the whole problem.
  void take(const simd::DualVariables& whole, std::vector<std::uint32_t> slots);
  // Runs until no condition is violated by more than `tolerance` or no step gains more than `least_gain`.
  void solve(ExampleStore& store, double tolerance, double least_gain);

  std::vector<std::uint32_t> give_back() { return std::move(slots_); }  // returns the memory passed to take()
  std::size_t size() const { return slots_.size(); }
  std::uint32_t slot(std::size_t i) const { return slots_[i]; }
  double alpha(std::size_t i) const { return alphas_[i]; }
  std::size_t memory_bytes() const {
    return 5 * values_.capacity() * sizeof(double) + rows_.capacity() * sizeof(float);
  }

 private:
  simd::DualVariables variables();
  double gradient(std::size_t i) const { return 1 - signs_[i] * values_[i]; }
  bool is_free(std::size_t i) const { return alphas_[i] > 0 && alphas_[i] < boxes_[i]; }
  const float* row(ExampleStore& store, std::size_t i);
  bool newton_step(ExampleStore& store);  // returns whether a bound limited it
  double work_of_newton() const;          // cost of a Newton step, in single steps

  std::size_t limit_;
  std::vector<std::uint32_t> slots_;
  bool unit_ = true;
  std::size_t padded_ = 0;
  AlignedDoubles values_;  // by position in slots_, padded to whole blocks of 16
  AlignedDoubles signs_;
  AlignedDoubles alphas_;
  AlignedDoubles boxes_;
  AlignedDoubles selves_;
  AlignedFloats rows_;                // kernel rows of the variables that have moved, one after the other
  std::vector<std::uint32_t> place_;  // position of a variable's row in rows_; kNone: not there
  std::size_t rows_used_ = 0;
  std::vector<std::uint32_t> free_;

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
};

}  // namespace kinglet
