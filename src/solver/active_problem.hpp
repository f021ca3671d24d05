// A part of a dual problem, the variables that may well move, copied out so that it fits the caches:
//   max Σ α − ½ αᵀQα + (what the others contribute, through f),   0 ≤ α ≤ C
// Solved one variable at a time, always the one that gains most. Where kernel values of the free variables (0 < α < C)
// are much alike that converges slowly, so now and then a Newton step moves all of them at once:
//   α_F ← α_F + t Q_FF⁻¹ g_F,   t ≤ 1 the most that keeps them in their boxes
// whenever as much work has gone into single steps as such a step takes.
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
  // The variables in slots, with their state in the whole problem.
  void take(const simd::DualVariables& whole, std::vector<std::uint32_t> slots);
  // Until no condition is violated by more than `tolerance` or no step gains more than `least_gain`.
  void solve(ExampleStore& store, double tolerance, double least_gain);

  std::vector<std::uint32_t> give_back() { return std::move(slots_); }  // the memory of take()
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
  bool newton_step(ExampleStore& store);  // whether a bound stopped it
  double work_of_newton() const;          // in single steps

  std::size_t limit_;
  std::vector<std::uint32_t> slots_;
  bool unit_ = true;
  std::size_t padded_ = 0;
  AlignedDoubles values_;  // by place in slots_, padded to whole blocks of 16
  AlignedDoubles signs_;
  AlignedDoubles alphas_;
  AlignedDoubles boxes_;
  AlignedDoubles selves_;
  AlignedFloats rows_;                // kernel rows of the variables that have moved, one after the other
  std::vector<std::uint32_t> place_;  // of the row of a variable; kNone: not there yet
  std::size_t rows_used_ = 0;
  std::vector<std::uint32_t> free_;

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
};

}  // namespace kinglet
