#include "expansion/lane_vectors.hpp"

#include <algorithm>
#include <cmath>

#include "core/aligned.hpp"
#include "core/assert.hpp"
#include "simd/exact_rows.hpp"
#include "simd/gradient.hpp"

namespace kinglet {

using simd::kLanes;

namespace {

// Larger sums of differences count as this, so that sums of their squares stay finite.
constexpr float kLargestSlope = 1e30F;

}  // namespace

void expand(const Features& x, std::span<float> out) {
  KINGLET_ASSERT(x.extent() <= out.size());
  if (!x.is_sparse()) {
    std::fill(std::copy_n(x.values, x.count, out.begin()), out.end(), 0.0F);
    return;
  }
  std::ranges::fill(out, 0.0F);
  for (std::uint32_t k = 0; k < x.count; ++k) out[x.indices[k]] = x.values[k];
}

std::size_t LaneVectors::bytes(std::uint32_t dimension, std::size_t capacity) {
  return round_up(capacity, kLanes) * dimension * sizeof(float);
}

void LaneVectors::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  capacity_ = round_up(capacity, kLanes);
  data_.resize(capacity_ * dimension_);
}

void LaneVectors::set(std::size_t slot, const float* x) {
  float* to = lane(slot);
  for (std::size_t f = 0; f < dimension_; ++f) to[f * kLanes] = x[f];
}

void LaneVectors::copy_to(std::size_t slot, float* out) const {
  const float* from = lane(slot);
  for (std::size_t f = 0; f < dimension_; ++f) out[f] = from[f * kLanes];
}

void LaneVectors::move(std::size_t from, std::size_t to) {
  const float* source = lane(from);
  float* target = lane(to);
  for (std::size_t f = 0; f < dimension_; ++f) target[f * kLanes] = source[f * kLanes];
}

void LaneVectors::blend(std::size_t slot, double h, float* x) {
  const auto keep = static_cast<float>(h);
  const auto take = static_cast<float>(1 - h);
  float* to = lane(slot);
  for (std::size_t f = 0; f < dimension_; ++f) x[f] = to[f * kLanes] = keep * to[f * kLanes] + take * x[f];
}

void LaneVectors::rescale(std::span<const float> ratios, std::size_t count) {
  KINGLET_ASSERT(ratios.size() == dimension_);
  for (std::size_t start = 0; start < count; start += kLanes) {
    float* values = lane(start);
    for (std::size_t f = 0; f < dimension_; ++f, values += kLanes) {
      for (std::size_t k = 0; k < kLanes; ++k) values[k] *= ratios[f];
    }
  }
}

void LaneVectors::grow(std::uint32_t dimension, std::size_t count) {
  ZeroedFloats wider(capacity_ * dimension);
  for (std::size_t start = 0; start < count; start += kLanes) {
    std::copy_n(block(start), dimension_ * kLanes, &wider[start * dimension]);
  }
  data_ = std::move(wider);
  dimension_ = dimension;
}

void LaneVectors::exact_values(const Kernel& kernel, const float* query, std::size_t first, std::size_t last,
                               double* out) const {
  alignas(64) double values[kLanes];
  for (std::size_t start = first / kLanes * kLanes; start < last; start += kLanes) {
    simd::exact_block(kernel, block(start), dimension_, query, values);
    const std::size_t from = std::max(first, start), to = std::min(last, start + kLanes);
    std::copy(values + (from - start), values + (to - start), out + from);
  }
}

void LaneVectors::save(StateWriter& out, std::size_t count) const {
  out.put(dimension_);
  out.put<std::uint64_t>(count);
  std::vector<float> vector(dimension_);
  for (std::size_t j = 0; j < count; ++j) {
    copy_to(j, vector.data());
    out.put_array(vector);
  }
}

std::vector<float> LaneVectors::load_vector(StateReader& in) const {
  std::vector<float> vector = in.get_array<float>();
  StateReader::require(vector.size() == dimension_, "a support vector of another length");
  StateReader::require(std::ranges::all_of(vector, [](float v) { return std::isfinite(v); }), "a value is not finite");
  return vector;
}

double add_gradient_squares(const Kernel& kernel, double slope, const simd::LaneView& vectors, const float* x,
                            const float* shares, double weight, FadingMean& mean, float* gradient,
                            std::span<double> sums) {
  KINGLET_ASSERT(kernel.is_radial() && sums.size() == vectors.dimension);
  if (kernel.kind == KernelKind::rbf) {
    simd::weighted_differences(vectors, shares, x, gradient);
  } else {
    simd::weighted_signs(vectors, shares, x, gradient);
  }
  double squares = 0;
  for (std::size_t f = 0; f < sums.size(); ++f) {
    gradient[f] = std::min(kLargestSlope, std::abs(gradient[f]));  // also for NaN
    squares += static_cast<double>(gradient[f]) * static_cast<double>(gradient[f]);
  }
  const double squared_length = slope * slope * squares;
  if (squared_length == 0) return 0;
  mean.add(squared_length);
  const double factor = weight * slope * slope / mean.value();
  for (std::size_t f = 0; f < sums.size(); ++f) {
    sums[f] += factor * static_cast<double>(gradient[f]) * static_cast<double>(gradient[f]);
  }
  return squared_length;
}

}  // namespace kinglet
