// How steep f is along each feature, for the learned metric (learn/metric.hpp): the sums
//
//   G_k = Σ weight (∂f/∂x_k)² / m
//
// over the examples that the learner learned from, at the f before each of them. m is the mean of ‖∂f/∂x‖² over the
// last fifty gradients or so: the first steps of Pegasos make f thousands of times steeper than it is later, and would
// outweigh all that comes. For more than two classes f stands for
// f_y − f_r, where r is the rival with the highest score. A gradient costs O(B d), as much as a score:
//
//   Gaussian    ∂f/∂x_k = −2γ Σ_j α_j k(x_j, x) (x_k − x_jk)
//   Laplacian   ∂f/∂x_k =  −γ Σ_j α_j k(x_j, x) sign(x_k − x_jk)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "expansion/expansion.hpp"

namespace kinglet {

class GradientSquares {
 public:
  GradientSquares(std::uint32_t dimension, std::size_t capacity) : sums_(dimension), shares_(round_up(capacity, 16)) {}

  // With one output, `label` and `rival` are not used.
  void add(Expansion& f, const Features& x, const float* kernel_row, ClassId label, ClassId rival, double weight);

  std::span<double> sums() { return {sums_.data(), sums_.size()}; }
  double count() const { return count_; }
  // The features have been multiplied by these. The sums and their count are halved.
  void rescale(std::span<const float> ratios);
  void grow(std::uint32_t dimension) { sums_.resize(dimension); }

  std::size_t memory_bytes() const { return sums_.size() * sizeof(double) + shares_.size() * sizeof(float); }
  static std::size_t bytes(std::uint32_t dimension, std::size_t capacity) {
    return dimension * sizeof(double) + round_up(capacity, 16) * sizeof(float);
  }
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  ZeroedDoubles sums_;
  double count_ = 0;
  FadingMean mean_length_;  // m
  ZeroedFloats shares_;     // scratch: α_j k(x_j, x)
};

}  // namespace kinglet
