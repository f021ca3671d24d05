#include "span/square_root.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/aligned.hpp"
#include "core/assert.hpp"

namespace kinglet {
namespace {

using simd::kTriangleBlock;

std::size_t triangle_floats(std::size_t capacity) {
  return simd::Triangle::offset(0, round_up(capacity, kTriangleBlock) / kTriangleBlock);
}

}  // namespace

SquareRoot::SquareRoot(std::size_t capacity)
    : capacity_(round_up(capacity, kTriangleBlock)), values_(triangle_floats(capacity)) {}

std::size_t SquareRoot::bytes(std::size_t capacity) { return triangle_floats(capacity) * sizeof(float); }

float& SquareRoot::entry(std::size_t i, std::size_t j) {
  const std::size_t block = simd::Triangle::offset(i / kTriangleBlock, j / kTriangleBlock);
  return values_[block + j % kTriangleBlock * kTriangleBlock + i % kTriangleBlock];
}

double SquareRoot::at(std::size_t i, std::size_t j) const {
  return i > j ? 0 : static_cast<double>(const_cast<SquareRoot*>(this)->entry(i, j));
}

double SquareRoot::variance(std::size_t i) const {
  double sum = 0;
  for (std::size_t j = i; j < size_; ++j) sum += at(i, j) * at(i, j);
  return sum;
}

void SquareRoot::append(const float* shares, double length) {
  KINGLET_ASSERT(size_ < capacity_);
  for (std::size_t i = 0; i < size_; ++i)
    entry(i, size_) = static_cast<float>(-static_cast<double>(shares[i]) * length);
  entry(size_, size_) = static_cast<float>(length);
  ++size_;
}

void SquareRoot::observe(const float* a, std::size_t stride, const double* noise, std::size_t count, float* scratch) {
  simd::rotate({values_.data(), size_}, a, stride, noise, count, scratch);
}

void SquareRoot::shrink(std::size_t i, double factor) {
  for (std::size_t j = i; j < size_; ++j) entry(i, j) *= static_cast<float>(factor);
}

// The Cholesky factor from the last row up, which is upper triangular: U_jj² = S_jj − Σ_{l>j} U_jl², in double
// precision.
void SquareRoot::assign(std::span<const double> covariance, std::size_t size) {
  KINGLET_ASSERT(size <= capacity_ && covariance.size() == size * size);
  std::vector<double> root(covariance.begin(), covariance.end());
  for (std::size_t j = size; j-- > 0;) {
    double* row_j = &root[j * size];
    for (std::size_t l = j + 1; l < size; ++l) row_j[j] -= row_j[l] * row_j[l];
    row_j[j] = std::sqrt(std::max(row_j[j], 1e-12 * covariance[j * size + j]));
    for (std::size_t i = 0; i < j; ++i) {
      double* row_i = &root[i * size];
      for (std::size_t l = j + 1; l < size; ++l) row_i[j] -= row_i[l] * row_j[l];
      row_i[j] /= row_j[j];
    }
  }
  std::ranges::fill(values_, 0.0F);
  size_ = size;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i; j < size; ++j) entry(i, j) = static_cast<float>(root[i * size + j]);
  }
}

void SquareRoot::save(StateWriter& out) const {
  out.put<std::uint64_t>(size_);
  std::vector<float> column;
  for (std::size_t j = 0; j < size_; ++j) {
    column.resize(j + 1);
    for (std::size_t i = 0; i <= j; ++i) column[i] = static_cast<float>(at(i, j));
    out.put_array(column);
  }
}

void SquareRoot::load(StateReader& in) {
  size_ = in.get_count(sizeof(float));
  StateReader::require(size_ <= capacity_, "more centres than the budget allows");
  std::ranges::fill(values_, 0.0F);
  for (std::size_t j = 0; j < size_; ++j) {
    const auto column = in.get_array<float>();
    StateReader::require(column.size() == j + 1, "a covariance of the wrong size");
    StateReader::require(std::ranges::all_of(column, [](float value) { return std::isfinite(value); }) && column[j] > 0,
                         "a covariance that is not positive");
    for (std::size_t i = 0; i <= j; ++i) entry(i, j) = column[i];
  }
}

}  // namespace kinglet
