#include "solver/support_vectors.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "expansion/scoring.hpp"

namespace kinglet {

SupportVectors::SupportVectors(const Kernel& kernel, const Shape& shape, std::size_t outputs)
    : kernel_(kernel),
      shape_(shape),
      set_(make_support_set(kernel, shape, 0)),
      outputs_(outputs),
      biases_(outputs, 0.0),
      vector_(shape.dimension) {
  reserve(16);
}

void SupportVectors::reserve(std::size_t capacity) {
  if (capacity <= stride_) return;
  const std::size_t wider = round_up(std::max(capacity, 2 * stride_), 16);
  AlignedFloats coefficients(outputs_ * wider);
  std::vector<double> exact(outputs_ * wider);
  for (std::size_t c = 0; c < outputs_; ++c) {
    std::copy_n(coefficients_.begin() + static_cast<std::ptrdiff_t>(c * stride_), stride_,
                coefficients.begin() + static_cast<std::ptrdiff_t>(c * wider));
    std::copy_n(exact_.begin() + static_cast<std::ptrdiff_t>(c * stride_), stride_,
                exact.begin() + static_cast<std::ptrdiff_t>(c * wider));
  }
  coefficients_ = std::move(coefficients);
  exact_ = std::move(exact);
  stride_ = wider;
  row_.resize(wider);
}

SupportVector SupportVectors::vector(std::size_t i) const {
  SupportVector vector{.x = std::vector<float>(set_->dimension()), .coefficients = {}};
  set_->copy_to(i, vector.x);
  for (std::size_t c = 0; c < outputs_; ++c) vector.coefficients.push_back(exact_[c * stride_ + i]);
  return vector;
}

void SupportVectors::set(std::size_t slot, const SupportSet& examples, std::span<const double> coefficients) {
  if (slot >= index_.size()) index_.resize(slot + 1, kNone);
  const bool is_support = std::ranges::any_of(coefficients, [](double a) { return a != 0; });
  std::size_t at = index_[slot];
  if (!is_support) {
    if (at == kNone) return;
    const std::size_t last = size() - 1;
    set_->remove(at);
    for (std::size_t c = 0; c < outputs_; ++c) {
      exact_[c * stride_ + at] = exact_[c * stride_ + last];
      coefficients_[c * stride_ + at] = coefficients_[c * stride_ + last];
      coefficients_[c * stride_ + last] = 0;
    }
    slots_[at] = slots_[last];
    index_[slots_[at]] = static_cast<std::uint32_t>(at);
    slots_.pop_back();
    index_[slot] = kNone;
    return;
  }
  if (at == kNone) {
    at = size();
    reserve(at + 1);
    examples.copy_to(slot, vector_);
    set_->append(Features::dense(vector_));
    slots_.push_back(static_cast<std::uint32_t>(slot));
    index_[slot] = static_cast<std::uint32_t>(at);
  }
  for (std::size_t c = 0; c < outputs_; ++c) {
    exact_[c * stride_ + at] = coefficients[c];
    coefficients_[c * stride_ + at] = static_cast<float>(coefficients[c]);
  }
}

void SupportVectors::move(std::size_t from, std::size_t slot) {
  if (from >= index_.size()) return;
  KINGLET_ASSERT(slot == from || slot >= index_.size() || index_[slot] == kNone);
  if (slot != from) {
    if (slot >= index_.size()) index_.resize(slot + 1, kNone);
    index_[slot] = index_[from];
    if (index_[slot] != kNone) slots_[index_[slot]] = static_cast<std::uint32_t>(slot);
  }
  index_.resize(from, kNone);
}

void SupportVectors::evaluate(const Features& x, std::span<double> out) {
  set_->kernel_row(x, row_.data());
  for (std::size_t c = 0; c < outputs_; ++c) {
    double sums[4] = {};  // four at a time hide the latency of an addition
    const double* a = &exact_[c * stride_];
    for (std::size_t j = 0; j < size(); ++j) sums[j % 4] += a[j] * static_cast<double>(row_[j]);
    out[c] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
}

void SupportVectors::scores(const Rows& rows, std::span<float> out) const {
  score_rows(*set_, {coefficients_.data(), stride_, outputs_}, 0, rows, out,
             [&](std::size_t first, std::size_t count, const float*, std::size_t) {
               float* score = &out[first * outputs_];
               for (std::size_t i = 0; i < count; ++i) {
                 for (std::size_t c = 0; c < outputs_; ++c) *score++ += static_cast<float>(biases_[c]);
               }
             });
}

void SupportVectors::grow(const Shape& shape) {
  shape_ = shape;
  set_->grow(shape.dimension);
  vector_.resize(shape.dimension);
}

void SupportVectors::begin_anew(std::size_t outputs) {
  set_ = make_support_set(kernel_, shape_, 0);
  outputs_ = outputs;
  stride_ = 0;
  coefficients_.clear();
  exact_.clear();
  biases_.assign(outputs, 0.0);
  slots_.clear();
  index_.clear();
  reserve(16);
}

std::size_t SupportVectors::memory_bytes() const {
  return set_->memory_bytes() + outputs_ * stride_ * (sizeof(float) + sizeof(double)) + stride_ * sizeof(float) +
         (slots_.capacity() + index_.capacity()) * sizeof(std::uint32_t);
}

std::size_t SupportVectors::bytes(std::size_t outputs, std::size_t count, std::size_t slots) {
  const std::size_t stride = round_up(2 * count + 16, 16);
  return outputs * stride * (sizeof(float) + sizeof(double)) + stride * sizeof(float) +
         2 * (count + slots) * sizeof(std::uint32_t);
}

}  // namespace kinglet
