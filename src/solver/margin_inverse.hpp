// The inverse of the kernel matrix of a list of examples, bordered by ones if the sum of their coefficients is fixed:
//   M = K   or   M = [0 1ᵀ; 1 K],   M (b, a) = (0, f): coefficients a and bias b from values f
// It is maintained by rank-one updates in O(n²), as in expansion/gram_inverse.hpp. M itself is kept, too: the residual
// of a solution is used to refine it and to detect rounding errors.
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

  std::size_t size() const { return size_; }              // number of examples
  std::size_t length() const { return border_ + size_; }  // length of the vectors below; the border comes first
  std::size_t border() const { return border_; }

  // Solves M x = right, with refinement if it helps. Valid until the next call. Not for an empty list with a border.
  // The same right side again costs nothing until the list changes.
  std::span<const double> solve(std::span<const double> right);
  std::span<const double> residual() const { return {residual_.data(), length()}; }  // right − M x of the last solve()
  bool has_drifted() const { return drifted_; }  // a solution was inaccurate: the inverse must be recomputed

  // Appends an example: its column of M (a 1 for the border, then its kernel values with the others), its own kernel
  // value, and its squared distance from the span of the others (the pivot), which must be positive.
  void include(std::span<const double> column, double own, double pivot);
  // The last example moves into its position.
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
  double largest_ = 0;      // the largest entry that M ever had
  SymmetricMatrix matrix_;  // M
  SymmetricMatrix inverse_;
  bool solved_ = false;                                // whether the following are up to date
  AlignedDoubles right_, solution_, residual_, side_;  // padded
};

}  // namespace kinglet
