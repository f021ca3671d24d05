// Centres that are approximately linearly independent: x becomes a centre if its squared distance from the span of the
// others,
//   δ = k(x, x) − kᵀ(K + εD)⁻¹ k,   exceeds ν k(x, x).
// It keeps the square root of (K + εD)⁻¹ (square_root.hpp).
// Engel, Mannor, Meir: The Kernel Recursive Least-Squares Algorithm, IEEE Transactions on Signal Processing 52 (2004).
#pragma once

#include <algorithm>
#include <cmath>

#include "core/aligned.hpp"
#include "core/zeroed.hpp"
#include "simd/vector_ops.hpp"
#include "span/square_root.hpp"

namespace kinglet {

class Dictionary {
 public:
  Dictionary(std::size_t capacity, double ridge, double threshold)
      : ridge_(ridge),
        threshold_(threshold),
        root_(capacity),
        whitened_(round_up(capacity, simd::kTriangleBlock)),
        shares_(whitened_.size()) {}

  // Looks at a vector with these kernel values, padded; then shares() and distance() are known. Returns whether it is
  // new.
  bool is_new(const float* kernel_row, double self_kernel) {
    const std::size_t only = 0;
    simd::multiply_transposed(root_.view(), {kernel_row, 0, &only, 1}, whitened_.data(), 0);
    float explained = 0;
    simd::dot_outputs(whitened_.data(), 0, 1, {whitened_.data(), 0, 1}, round_up(root_.size(), simd::kTriangleBlock),
                      &explained);
    const double own = self_kernel > 0 ? self_kernel : 1;
    const double distance = std::max(self_kernel - static_cast<double>(explained), 0.0);
    distance_ = distance + ridge_ * own;
    return root_.size() == 0 || distance > threshold_ * own;
  }
  // Adds the vector of the last is_new().
  void add() {
    simd::multiply(root_.view(), whitened_.data(), 0, 1, shares_.data(), 0);
    root_.append(shares_.data(), 1 / std::sqrt(distance_));
  }
  const float* shares() const { return shares_.data(); }  // a = (K + εD)⁻¹ k of the vector added last
  double distance() const { return distance_; }           // δ + ε k(x, x)

  static std::size_t bytes(std::size_t capacity) {
    return SquareRoot::bytes(capacity) + 2 * round_up(capacity, simd::kTriangleBlock) * sizeof(float);
  }
  void save(StateWriter& out) const { root_.save(out); }
  void load(StateReader& in) { root_.load(in); }
  std::size_t size() const { return root_.size(); }

 private:
  double ridge_;
  double threshold_;
  SquareRoot root_;
  double distance_ = 0;
  ZeroedFloats whitened_;
  ZeroedFloats shares_;
};

}  // namespace kinglet
