#include "solver/margin_inverse.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"
#include "solver/vectors.hpp"

namespace kinglet {
namespace {

// Of a residual, relative to the numbers that it is a difference of: below the first a solution is as good as it gets,
// above the second the inverse is not good enough.
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
  if (length <= stride_) return;
  const std::size_t wider = room(length);
  const std::size_t kept = size_ == 0 ? 0 : this->length();
  for (std::vector<double>* values : {&matrix_, &inverse_}) {
    std::vector<double> copy(wider * wider);
    for (std::size_t i = 0; i < kept; ++i) std::copy_n(row(*values, i), kept, &copy[i * wider]);
    *values = std::move(copy);
  }
  stride_ = wider;
}

// Both matrices are symmetric: rows are columns.
void MarginInverse::multiply(const std::vector<double>& by, std::span<const double> x, std::vector<double>& out) const {
  out.assign(length(), 0.0);
  for (std::size_t i = 0; i < length(); ++i) add_scaled(x[i], by.data() + i * stride_, out.data(), length());
}

std::span<const double> MarginInverse::solve(std::span<const double> right) {
  KINGLET_ASSERT(right.size() == length() && (size_ > 0 || border_ == 0));
  multiply(inverse_, right, solution_);
  for (int round = 0;; ++round) {
    multiply(matrix_, solution_, residual_);
    double scale = largest(right);
    for (std::size_t i = 0; i < length(); ++i) {
      residual_[i] = right[i] - residual_[i];
      scale += largest_ * std::abs(solution_[i]);
    }
    const double error = largest(residual_);
    if (error <= kGood * scale) break;
    if (round == kMostRefinements) {
      if (!(error <= kBad * scale)) drifted_ = true;
      break;
    }
    multiply(inverse_, residual_, side_);
    add_scaled(1, side_.data(), solution_.data(), length());
  }
  return solution_;
}

void MarginInverse::include(std::span<const double> column, double own, double pivot) {
  KINGLET_ASSERT(column.size() == length());
  const std::size_t n = length();
  reserve(n + 1);
  largest_ = std::max({largest_, std::abs(own), largest(column)});
  if (size_ == 0 && border_ == 1) {  // [0 1; 1 k]⁻¹ = [−k 1; 1 0]
    for (double* at : {row(matrix_, 0), row(inverse_, 0)}) {
      at[0] = 0;
      at[1] = at[stride_] = 1;
    }
    matrix_[stride_ + 1] = own;
    inverse_[stride_ + 1] = 0;
    inverse_[0] = -own;
    size_ = 1;
    return;
  }
  const std::span<const double> shares = solve(column);
  side_.assign(shares.begin(), shares.end());
  side_.push_back(-1);
  for (std::size_t i = 0; i < n; ++i) {
    row(matrix_, i)[n] = row(matrix_, n)[i] = column[i];
    row(inverse_, i)[n] = row(inverse_, n)[i] = 0;
  }
  row(matrix_, n)[n] = own;
  row(inverse_, n)[n] = 0;
  for (std::size_t i = 0; i <= n; ++i) add_scaled(side_[i] / pivot, side_.data(), row(inverse_, i), n + 1);
  ++size_;
}

void MarginInverse::replace_by_last(std::vector<double>& of, std::size_t i) {
  const std::size_t last = length() - 1;
  if (i == last) return;
  std::copy_n(row(of, last), last, row(of, i));
  row(of, i)[i] = row(of, last)[last];
  for (std::size_t k = 0; k < last; ++k) row(of, k)[i] = row(of, i)[k];
}

void MarginInverse::exclude(std::size_t position) {
  KINGLET_ASSERT(position < size_);
  const std::size_t p = border_ + position;
  if (size_ == 1) {
    clear();
    return;
  }
  const double diagonal = row(inverse_, p)[p];
  side_.assign(row(inverse_, p), row(inverse_, p) + length());
  if (diagonal > 0) {
    for (std::size_t i = 0; i < length(); ++i) {
      add_scaled(-side_[i] / diagonal, side_.data(), row(inverse_, i), length());
    }
  } else {
    drifted_ = true;
  }
  replace_by_last(matrix_, p);
  replace_by_last(inverse_, p);
  --size_;
}

void MarginInverse::clear() {
  size_ = 0;
  drifted_ = false;
  largest_ = 0;
}

void MarginInverse::save(StateWriter& out) const {
  out.put<std::uint8_t>(drifted_ ? 1 : 0);
  out.put(largest_);
  if (size_ == 0) return;
  for (const std::vector<double>* values : {&matrix_, &inverse_}) {
    for (std::size_t i = 0; i < length(); ++i) out.put_array(std::span(values->data() + i * stride_, length()));
  }
}

void MarginInverse::load(StateReader& in, std::size_t size) {
  clear();
  drifted_ = in.get<std::uint8_t>() != 0;
  largest_ = in.get<double>();
  StateReader::require(std::isfinite(largest_), "a number that is not finite");
  if (size == 0) return;
  std::vector<double> read[2];
  const std::size_t n = border_ + size;
  for (std::vector<double>& values : read) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto row_read = in.get_array<double>();
      StateReader::require(row_read.size() == n, "an inverse of another size");
      StateReader::require(std::ranges::all_of(row_read, [](double v) { return std::isfinite(v); }),
                           "an inverse that is not finite");
      values.insert(values.end(), row_read.begin(), row_read.end());
    }
  }
  reserve(n);
  size_ = size;
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(&read[0][i * n], n, row(matrix_, i));
    std::copy_n(&read[1][i * n], n, row(inverse_, i));
  }
}

}  // namespace kinglet
