// The inverse of the kernel matrix of a list of examples, bordered by ones where the sum of their coefficients is fixed:
//   M = K   or   M = [0 1ᵀ; 1 K],   M (b, a) = (0, f): coefficients a and bias b from values f
// It follows the list by rank-one updates, O(n²), as in model/gram_inverse.hpp. M itself is kept as well, so that a
// solution can be refined by its residual, and shows by it when rounding has crept in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/state.hpp"

namespace kinglet {

class MarginInverse {
 public:
  explicit MarginInverse(bool bordered) : border_(bordered ? 1 : 0) {}

  std::size_t size() const { return size_; }              // examples
  std::size_t length() const { return border_ + size_; }  // of the vectors below; the border's entry is the first
  std::size_t border() const { return border_; }

  // M x = right, refined where that helps. Valid until the next call. Not for an empty list with a border.
  std::span<const double> solve(std::span<const double> right);
  std::span<const double> residual() const { return residual_; }  // right − M x of the last solve()
  bool has_drifted() const { return drifted_; }  // a solution could not be made good: make the inverse anew

  // An example joins as the last one: its column of M (its kernel values with the others, after a 1 for the border), its
  // own kernel value, and its squared distance from the span of the others (the pivot), which must be positive.
  void include(std::span<const double> column, double own, double pivot);
  // The last takes its place.
  void exclude(std::size_t position);
  void clear();

  std::size_t memory_bytes() const { return (matrix_.capacity() + inverse_.capacity()) * sizeof(double); }
  static std::size_t bytes(std::size_t length) { return 2 * room(length) * room(length) * sizeof(double); }  // at most
  void save(StateWriter& out) const;
  void load(StateReader& in, std::size_t size);

 private:
  double* row(std::vector<double>& of, std::size_t i) { return of.data() + i * stride_; }
  static std::size_t room(std::size_t length) { return std::max<std::size_t>(16, length + length / 2); }
  void reserve(std::size_t length);
  void multiply(const std::vector<double>& by, std::span<const double> x, std::vector<double>& out) const;
  void replace_by_last(std::vector<double>& of, std::size_t i);

  std::size_t border_;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  bool drifted_ = false;
  double largest_ = 0;           // entry that M ever had
  std::vector<double> matrix_;   // M, row after row, stride_ apart
  std::vector<double> inverse_;  // likewise
  std::vector<double> solution_, residual_, side_;
};

}  // namespace kinglet
