// The inverse of the kernel matrix of a list of examples, bordered by ones where the sum of their coefficients is fixed:
//   M = K   or   M = [0 1ᵀ; 1 K],   M (b, a) = (0, f): coefficients a and bias b from values f
// It follows the list by rank-one updates, O(n²), as in expansion/gram_inverse.hpp. M itself is kept as well, so that a
// solution can be refined by its residual, and shows by it when rounding has crept in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/aligned.hpp"
#include "core/state.hpp"
#include "expansion/symmetric_matrix.hpp"

namespace kinglet {

class MarginInverse {
 public:
  explicit MarginInverse(bool bordered) : border_(bordered ? 1 : 0) {}

  std::size_t size() const { return size_; }              // examples
  std::size_t length() const { return border_ + size_; }  // of the vectors below; the border's entry is the first
  std::size_t border() const { return border_; }

  // M x = right, refined where that helps. Valid until the next call. Not for an empty list with a border. The same
  // right side again costs nothing until the list changes.
  std::span<const double> solve(std::span<const double> right);
  std::span<const double> residual() const { return {residual_.data(), length()}; }  // right − M x of the last solve()
  bool has_drifted() const { return drifted_; }  // a solution could not be made good: make the inverse anew

  // An example joins as the last one: its column of M (its kernel values with the others, after a 1 for the border), its
  // own kernel value, and its squared distance from the span of the others (the pivot), which must be positive.
  void include(std::span<const double> column, double own, double pivot);
  // The last takes its place.
  void exclude(std::size_t position);
  void clear();

  std::size_t memory_bytes() const { return matrix_.memory_bytes() + inverse_.memory_bytes(); }
  static std::size_t bytes(std::size_t length) { return 2 * SymmetricMatrix::bytes(room(length)); }  // at most
  void save(StateWriter& out) const;
  void load(StateReader& in, std::size_t size);

 private:
  static std::size_t room(std::size_t length) { return std::max<std::size_t>(16, length + length / 2); }
  void reserve(std::size_t length);
  bool is_solved(std::span<const double> right) const;
  void forget_solution() { solved_ = false; }

  std::size_t border_;
  std::size_t size_ = 0;
  bool drifted_ = false;
  double largest_ = 0;      // entry that M ever had
  SymmetricMatrix matrix_;  // M
  SymmetricMatrix inverse_;
  bool solved_ = false;                                // the following belong together
  AlignedDoubles right_, solution_, residual_, side_;  // padded
};

}  // namespace kinglet
