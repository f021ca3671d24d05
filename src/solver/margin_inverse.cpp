#include "solver/margin_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/assert.hpp"
#include "solver/vectors.hpp"

namespace kinglet {
namespace {

// Residuals relative to the numbers they are differences of: below the first, a solution cannot be improved; above the
// second, the inverse is too inaccurate.
constexpr double kGood = 1e-15;
constexpr double kBad = 1e-12;
constexpr int kMostRefinements = 3;

double largest(std::span<const double> values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace

void MarginInverse::reserve(std::size_t length) {
  if (length <= matrix_.stride()) return;
  const std::size_t kept = size_ == 0 ? 0 : this->length();
  for (SymmetricMatrix* matrix : {&matrix_, &inverse_}) matrix->reserve(room(length), kept);
  for (AlignedDoubles* values : {&right_, &solution_, &residual_, &side_}) values->resize(matrix_.stride());
}

bool MarginInverse::is_solved(std::span<const double> right) const {
  return solved_ && std::equal(right.begin(), right.end(), right_.begin());
}

std::span<const double> MarginInverse::solve(std::span<const double> right) {
  KINGLET_ASSERT(right.size() == length() && (size_ > 0 || border_ == 0));
  const std::size_t n = length();
  const std::span<const double> solution(solution_.data(), n);
  if (is_solved(right)) return solution;
  std::ranges::copy(right, right_.begin());
  SymmetricMatrix::pad(right_, n);
  inverse_.multiply(n, right_.data(), solution_.data());
  for (int round = 0;; ++round) {
    matrix_.multiply(n, solution_.data(), residual_.data());
    double scale = largest(right);
    for (std::size_t i = 0; i < n; ++i) {
      residual_[i] = right_[i] - residual_[i];
      scale += largest_ * std::abs(solution_[i]);
    }
    const double error = largest({residual_.data(), n});
    if (error <= kGood * scale) break;
    if (round == kMostRefinements) {
      if (!(error <= kBad * scale)) drifted_ = true;
      break;
    }
    inverse_.multiply(n, residual_.data(), side_.data());
    add_scaled(1, side_.data(), solution_.data(), n);
  }
  solved_ = true;
  return solution;
}

void MarginInverse::include(std::span<const double> column, double own, double pivot) {
  KINGLET_ASSERT(column.size() == length());
  const std::size_t n = length();
  reserve(n + 1);
  largest_ = std::max({largest_, std::abs(own), largest(column)});
  if (size_ == 0 && border_ == 1) {  // [0 1; 1 k]⁻¹ = [−k 1; 1 0]
    const double last[][2] = {{1, own}, {1, 0}};
    const double first[][2] = {{0, 1}, {-own, 1}};
    for (std::size_t i = 0; i < 2; ++i) {
      SymmetricMatrix& matrix = i == 0 ? matrix_ : inverse_;
      matrix.append_zeros(0);
      matrix.set_column(0, 2, first[i]);
      matrix.set_column(1, 2, last[i]);
    }
    size_ = 1;
    forget_solution();
    return;
  }
  solve(column);
  std::copy_n(solution_.begin(), n, side_.begin());
  side_[n] = -1;
  SymmetricMatrix::pad(side_, n + 1);
  std::ranges::copy(column, right_.begin());
  right_[n] = own;
  matrix_.append_zeros(n);
  matrix_.set_column(n, n + 1, right_.data());
  inverse_.append_zeros(n);
  inverse_.add_square(n + 1, 1 / pivot, side_.data());
  ++size_;
  forget_solution();
}

void MarginInverse::exclude(std::size_t position) {
  KINGLET_ASSERT(position < size_);
  if (size_ == 1) {
    clear();
    return;
  }
  const std::size_t n = length(), p = border_ + position;
  inverse_.copy_column(p, n, side_.data());
  SymmetricMatrix::pad(side_, n);
  const double diagonal = side_[p];
  if (diagonal > 0) {
    inverse_.add_square(n, -1 / diagonal, side_.data());
  } else {
    drifted_ = true;
  }
  for (SymmetricMatrix* matrix : {&matrix_, &inverse_}) matrix->remove(p, n, side_.data());
  --size_;
  forget_solution();
}

void MarginInverse::clear() {
  size_ = 0;
  drifted_ = false;
  largest_ = 0;
  forget_solution();
}

void MarginInverse::save(StateWriter& out) const {
  out.put<std::uint8_t>(drifted_ ? 1 : 0);
  out.put(largest_);
  if (size_ == 0) return;
  std::vector<double> row(length());
  for (const SymmetricMatrix* matrix : {&matrix_, &inverse_}) {
    for (std::size_t i = 0; i < length(); ++i) {
      matrix->copy_column(i, length(), row.data());
      out.put_array(row);
    }
  }
}

void MarginInverse::load(StateReader& in, std::size_t size) {
  clear();
  drifted_ = in.get<std::uint8_t>() != 0;
  largest_ = in.get<double>();
  StateReader::require(std::isfinite(largest_), "a number is not finite");
  if (size == 0) return;
  const std::size_t n = border_ + size;
  reserve(n);
  for (SymmetricMatrix* matrix : {&matrix_, &inverse_}) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = in.get_array<double>();
      StateReader::require(row.size() == n, "an inverse of the wrong size");
      StateReader::require(std::ranges::all_of(row, [](double v) { return std::isfinite(v); }),
                           "an inverse is not finite");
      matrix->append_zeros(i);
      matrix->set_upper_column(i, row.data());
    }
    matrix->mirror_blocks(n);
  }
  size_ = size;
}

}  // namespace kinglet
