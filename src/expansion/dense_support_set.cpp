#include "expansion/dense_support_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/assert.hpp"
#include "simd/exact_rows.hpp"
#include "simd/gradient.hpp"
#include "simd/isa.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet {

using simd::kLanes;

namespace {

// Larger sums of differences count as this, so that sums of their squares stay finite.
constexpr float kLargestSlope = 1e30F;

// The direct form of the Gaussian kernel does not look at norms.
bool needs_norms(std::uint32_t dimension) { return dimension > simd::kDirectDimensions; }

void measure_rows(const Rows& rows, float* norms) {
  const bool needed = needs_norms(rows.dimension);
  for (std::size_t q = 0; q < rows.count; ++q)
    norms[q] = needed ? simd::squared_norm(rows[q].values, rows.dimension) : 0.0F;
}

}  // namespace

DenseSupportSet::DenseSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity)
    : SupportSet(kernel), dimension_(dimension) {
  simd::choose_isa();
  reserve(capacity);
  window_data_.resize(kWindow * dimension);
  window_norms_.resize(kWindow);
  window_kernel_.resize(kWindow * kWindow);
  column_.resize(kWindow);
  query_.resize(dimension);
}

std::size_t DenseSupportSet::bytes(std::uint32_t dimension, std::size_t capacity) {
  const std::size_t vectors = round_up(capacity, kLanes) * (std::size_t{dimension} + 1);
  const std::size_t window = kWindow * (std::size_t{dimension} + 2 + kWindow) + dimension;
  return (vectors + window) * sizeof(float);
}

void DenseSupportSet::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  capacity_ = round_up(capacity, kLanes);
  data_.resize(capacity_ * dimension_);
  norms_.resize(capacity_);
}

void DenseSupportSet::set_norm(std::size_t slot, float norm) {
  norms_[slot] = norm;
  largest_norm_ = std::max(largest_norm_, norm);
}

// visit(feature, value) for every feature of the set, zeros included.
template <class Visit>
void DenseSupportSet::for_each_value(const Features& x, Visit visit) const {
  KINGLET_ASSERT(x.extent() <= dimension_);
  if (!x.is_sparse() && x.count == dimension_) {
    for (std::size_t f = 0; f < dimension_; ++f) visit(f, x.values[f]);
    return;
  }
  std::size_t next = 0;
  for (std::uint32_t k = 0; k < x.count; ++k) {
    const std::size_t feature = x.is_sparse() ? x.indices[k] : k;
    for (; next < feature; ++next) visit(next, 0.0F);
    visit(next++, x.values[k]);
  }
  for (; next < dimension_; ++next) visit(next, 0.0F);
}

void DenseSupportSet::append(const Features& x) {
  if (size_ == capacity_) reserve(2 * capacity_ + kLanes);
  replace(size_++, x);
}

void DenseSupportSet::replace(std::size_t slot, const Features& x) {
  const bool whole = !x.is_sparse() && x.count == dimension_;
  if (!whole) for_each_value(x, [&](std::size_t f, float value) { query_[f] = value; });
  const float* from = whole ? x.values : query_.data();
  float* to = lane(slot);
  for (std::size_t f = 0; f < dimension_; ++f) to[f * kLanes] = from[f];
  newest_row_ = whole ? window_row_at(from) : kNoRow;
  newest_slot_ = newest_row_ == kNoRow ? kNoRow : slot;
  const bool measured = newest_row_ != kNoRow && needs_norms(dimension_);
  set_norm(slot, measured ? window_norms_[newest_row_] : simd::squared_norm(from, dimension_));
}

// Which row of the window stands there, if one does.
std::size_t DenseSupportSet::window_row_at(const float* values) const {
  if (window_.stride == 0) return kNoRow;
  const auto offset = reinterpret_cast<std::uintptr_t>(values) - reinterpret_cast<std::uintptr_t>(window_.values);
  const std::size_t row = offset / (window_.stride * sizeof(float));
  return row < window_.count && window_[row].values == values ? row : kNoRow;
}

void DenseSupportSet::remove(std::size_t slot) {
  const std::size_t last = --size_;
  if (slot == newest_slot_) newest_slot_ = kNoRow;
  if (last == newest_slot_) newest_slot_ = slot;
  if (slot == last) return;
  float* to = lane(slot);
  const float* from = lane(last);
  for (std::size_t f = 0; f < dimension_; ++f) to[f * kLanes] = from[f * kLanes];
  norms_[slot] = norms_[last];
}

void DenseSupportSet::blend(std::size_t into, const Features& x, double h) {
  const auto keep = static_cast<float>(h);
  const auto take = static_cast<float>(1 - h);
  float* to = lane(into);
  for_each_value(x, [&](std::size_t f, float value) { to[f * kLanes] = keep * to[f * kLanes] + take * value; });
  copy_to(into, query_);
  set_norm(into, simd::squared_norm(query_.data(), dimension_));
  if (into == newest_slot_) newest_slot_ = kNoRow;
}

void DenseSupportSet::blend(std::size_t into, std::size_t other, double h) {
  copy_to(other, query_);
  blend(into, Features::dense(query_), h);
}

void DenseSupportSet::rescale(std::span<const float> ratios) {
  KINGLET_ASSERT(ratios.size() == dimension_);
  for (std::size_t start = 0; start < padded_size(); start += kLanes) {
    float* values = lane(start);
    for (std::size_t f = 0; f < dimension_; ++f, values += kLanes) {
      for (std::size_t k = 0; k < kLanes; ++k) values[k] *= ratios[f];
    }
  }
  largest_norm_ = 0;
  for (std::size_t j = 0; j < size_; ++j) {
    copy_to(j, query_);
    set_norm(j, simd::squared_norm(query_.data(), dimension_));
  }
  window_ = {};
  newest_slot_ = kNoRow;
}

void DenseSupportSet::grow(std::uint32_t dimension) {
  if (dimension <= dimension_) return;
  ZeroedFloats wider(capacity_ * dimension);
  for (std::size_t block = 0; block < padded_size() / kLanes; ++block) {
    std::copy_n(&data_[block * dimension_ * kLanes], dimension_ * kLanes, &wider[block * dimension * kLanes]);
  }
  data_ = std::move(wider);
  dimension_ = dimension;
  window_data_.resize(kWindow * dimension);
  query_.resize(dimension);
}

void DenseSupportSet::kernel_rows(const Rows& rows, float* out, std::size_t stride) const {
  KINGLET_ASSERT(!rows.is_sparse() && rows.dimension == dimension_);
  float norms[kBlock];
  for (std::size_t begin = 0; begin < rows.count; begin += kBlock) {
    const std::size_t n = std::min(kBlock, rows.count - begin);
    const Rows part = rows.slice(begin, n);
    measure_rows(part, norms);
    simd::kernel_block(kernel_, view(), {part.values, norms, n, part.stride}, out + begin * stride, stride);
  }
}

void DenseSupportSet::look_ahead(const Rows& rows, float* out, std::size_t stride) {
  KINGLET_ASSERT(rows.count <= kWindow && !rows.is_sparse() && rows.dimension == dimension_);
  window_ = rows;
  window_transposed_ = false;
  window_known_.fill(false);
  newest_slot_ = kNoRow;
  measure_rows(rows, window_norms_.data());
  simd::kernel_block(kernel_, view(), {rows.values, window_norms_.data(), rows.count, rows.stride}, out, stride);
}

void DenseSupportSet::transpose_window() {
  for (std::size_t begin = 0; begin < window_.count; begin += kLanes) {
    const std::size_t rows = std::min(kLanes, window_.count - begin);
    const float* from = window_.values + begin * window_.stride;
    float* to = window_data_.data() + begin * dimension_;
    for (std::size_t f = 0; f < dimension_; ++f) {
      for (std::size_t q = 0; q < rows; ++q) to[f * kLanes + q] = from[q * window_.stride + f];
    }
  }
  window_largest_norm_ = *std::max_element(window_norms_.begin(), window_norms_.end());
  window_transposed_ = true;
}

// The kernel values of a row, as a support vector, with the rows after it.
const float* DenseSupportSet::window_row(std::size_t row) {
  const std::size_t group = row / kWindowGroup;
  if (!window_known_[group]) {
    const std::size_t first = group * kWindowGroup;
    const Rows rows = window_.slice(first, std::min(kWindowGroup, window_.count - first));
    const std::size_t skipped = first / kLanes * kLanes;
    simd::kernel_block(kernel_, window_lanes(skipped), {rows.values, &window_norms_[first], rows.count, rows.stride},
                       &window_kernel_[first * kWindow + skipped], kWindow);
    window_known_[group] = true;
  }
  return &window_kernel_[row * kWindow];
}

// The rows from one on, the first of a block.
simd::LaneView DenseSupportSet::window_lanes(std::size_t first) const {
  return {&window_data_[first * dimension_], &window_norms_[first], window_.count - first, dimension_,
          window_largest_norm_};
}

void DenseSupportSet::refresh_column(std::size_t slot, std::size_t first, float* out, std::size_t stride) {
  if (first >= window_.count) return;
  if (dimension_ <= simd::kDirectDimensions) {
    // So few features that the whole block of lanes costs no more than turning the window would.
    const std::size_t start = slot / kLanes * kLanes;
    const simd::LaneView block{&data_[start * dimension_], &norms_[start], kLanes, dimension_, largest_norm_};
    const Rows rows = window_.slice(first, window_.count - first);
    simd::kernel_block(kernel_, block, {rows.values, &window_norms_[first], rows.count, rows.stride},
                       out + first * stride + start, stride);
    return;
  }
  if (!window_transposed_) transpose_window();
  if (slot == newest_slot_) {
    const float* values = window_row(newest_row_);
    for (std::size_t q = first; q < window_.count; ++q) out[q * stride + slot] = values[q];
    return;
  }
  copy_to(slot, query_);
  // The roles are swapped: the rows stand in lanes and the support vector is the query. The values are the same.
  const std::size_t skipped = first / kLanes * kLanes;
  simd::kernel_block(kernel_, window_lanes(skipped), {query_.data(), &norms_[slot], 1, dimension_}, column_.data(),
                     kWindow);
  for (std::size_t q = first; q < window_.count; ++q) out[q * stride + slot] = column_[q - skipped];
}

void DenseSupportSet::kernel_row_of(std::size_t slot, float* out) {
  copy_to(slot, query_);
  simd::kernel_block(kernel_, view(), {query_.data(), &norms_[slot], 1, dimension_}, out, padded_size());
}

simd::LaneView DenseSupportSet::part(std::size_t first, std::size_t last) const {
  const std::size_t start = first / kLanes * kLanes;
  return {data_.data() + start * dimension_, norms_.data() + start, last - start, dimension_, largest_norm_};
}

void DenseSupportSet::kernel_row_part(std::size_t slot, std::size_t first, std::size_t last, float* out) {
  copy_to(slot, query_);
  const std::size_t start = first / kLanes * kLanes;
  simd::kernel_block(kernel_, part(first, last), {query_.data(), &norms_[slot], 1, dimension_}, out + start,
                     round_up(last - start, kLanes));
}

void DenseSupportSet::kernel_row(const Features& x, float* out) {
  for_each_value(x, [&](std::size_t f, float value) { query_[f] = value; });
  const float norm = simd::squared_norm(query_.data(), dimension_);
  simd::kernel_block(kernel_, view(), {query_.data(), &norm, 1, dimension_}, out, padded_size());
}

void DenseSupportSet::exact_values(const float* query, std::size_t first, std::size_t last, double* out) const {
  alignas(64) double values[kLanes];
  for (std::size_t start = first / kLanes * kLanes; start < last; start += kLanes) {
    simd::exact_block(kernel_, &data_[start * dimension_], dimension_, query, values);
    const std::size_t from = std::max(first, start), to = std::min(last, start + kLanes);
    std::copy(values + (from - start), values + (to - start), out + from);
  }
}

void DenseSupportSet::exact_row(const Features& x, std::span<double> out) const {
  thread_local AlignedFloats query;
  query.resize(dimension_);
  for_each_value(x, [](std::size_t f, float value) { query[f] = value; });
  exact_values(query.data(), 0, size_, out.data());
}

void DenseSupportSet::exact_row_of(std::size_t slot, std::span<double> out) {
  exact_row_part(slot, 0, size_, out.data());
}

void DenseSupportSet::exact_row_part(std::size_t slot, std::size_t first, std::size_t last, double* out) {
  copy_to(slot, query_);
  exact_values(query_.data(), first, last, out);
}

double DenseSupportSet::self_kernel(std::size_t slot) const {
  if (kernel_.is_radial()) return 1;
  const auto norm = static_cast<double>(norms_[slot]);
  return kernel_.from_dot(norm, 2 * norm);
}

double DenseSupportSet::add_gradient_squares(const Features& x, const float* shares, double weight, FadingMean& mean,
                                             std::span<double> sums) {
  KINGLET_ASSERT(kernel_.is_radial() && !x.is_sparse() && x.count == dimension_ && sums.size() == dimension_);
  if (kernel_.kind == KernelKind::rbf) {
    simd::weighted_differences(view(), shares, x.values, query_.data());
  } else {
    simd::weighted_signs(view(), shares, x.values, query_.data());
  }
  double squares = 0;
  for (std::size_t f = 0; f < dimension_; ++f) {
    query_[f] = std::min(kLargestSlope, std::abs(query_[f]));  // also for NaN
    squares += static_cast<double>(query_[f]) * static_cast<double>(query_[f]);
  }
  const double squared_length = slope() * slope() * squares;
  if (squared_length == 0) return 0;
  mean.add(squared_length);
  const double factor = weight * slope() * slope() / mean.value();
  for (std::size_t f = 0; f < dimension_; ++f) {
    sums[f] += factor * static_cast<double>(query_[f]) * static_cast<double>(query_[f]);
  }
  return squared_length;
}

void DenseSupportSet::copy_to(std::size_t slot, std::span<float> out) const {
  const float* from = lane(slot);
  for (std::size_t f = 0; f < dimension_; ++f) out[f] = from[f * kLanes];
}

void DenseSupportSet::save(StateWriter& out) const {
  out.put(dimension_);
  out.put<std::uint64_t>(size_);
  std::vector<float> vector(dimension_);
  for (std::size_t j = 0; j < size_; ++j) {
    copy_to(j, vector);
    out.put_array(vector);
  }
  out.put(largest_norm_);
}

void DenseSupportSet::load(StateReader& in) {
  const auto dimension = in.get<std::uint32_t>();
  StateReader::require(dimension == dimension_, "support vectors of another dimension");
  const std::size_t count = in.get_count(sizeof(std::uint64_t) + dimension * sizeof(float));
  for (std::size_t j = 0; j < count; ++j) {
    const auto vector = in.get_array<float>();
    StateReader::require(vector.size() == dimension, "a support vector of another length");
    StateReader::require(std::ranges::all_of(vector, [](float v) { return std::isfinite(v); }),
                         "a value is not finite");
    append(Features::dense(vector));
  }
  const auto largest = in.get<float>();
  StateReader::require(largest >= largest_norm_, "a norm is too small");
  largest_norm_ = largest;
}

}  // namespace kinglet
