#include "expansion/dense_support_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/assert.hpp"
#include "simd/isa.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet {

using simd::kLanes;

namespace {

constexpr std::size_t kTileRows = 8;  // rows for which kernel values are computed together, or a multiple

// The direct form of the Gaussian kernel does not look at norms.
bool needs_norms(std::uint32_t dimension) { return dimension > simd::kDirectDimensions; }

// Dense rows with their norms, which `norms` has room for.
simd::RowView measured(const float* values, std::size_t count, std::size_t stride, std::uint32_t dimension,
                       float* norms) {
  const bool needed = needs_norms(dimension);
  for (std::size_t q = 0; q < count; ++q) {
    norms[q] = needed ? simd::squared_norm(values + q * stride, dimension) : 0.0F;
  }
  return {values, norms, count, stride};
}

}  // namespace

DenseSupportSet::DenseSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity)
    : LaneSupportSet(kernel, dimension, capacity), norms_(vectors_.capacity()) {
  simd::choose_isa();
  window_data_.resize(kWindow * dimension);
  window_norms_.resize(kWindow);
  window_kernel_.resize(kWindow * kWindow);
  column_.resize(kWindow);
}

std::size_t DenseSupportSet::bytes(std::uint32_t dimension, std::size_t capacity) {
  const std::size_t window = kWindow * (std::size_t{dimension} + 2 + kWindow) + dimension;
  return LaneVectors::bytes(dimension, capacity) + (round_up(capacity, kLanes) + window) * sizeof(float);
}

void DenseSupportSet::set_norm(std::size_t slot, float norm) {
  norms_[slot] = norm;
  largest_norm_ = std::max(largest_norm_, norm);
}

void DenseSupportSet::append(const Features& x) {
  if (size_ == vectors_.capacity()) {
    vectors_.reserve(2 * size_ + kLanes);
    norms_.resize(vectors_.capacity());
  }
  replace(size_++, x);
}

void DenseSupportSet::replace(std::size_t slot, const Features& x) {
  const bool whole = !x.is_sparse() && x.count == dimension();
  if (!whole) expand(x, query_);
  const float* from = whole ? x.values : query_.data();
  vectors_.set(slot, from);
  newest_row_ = whole ? window_row_at(from) : kNoRow;
  newest_slot_ = newest_row_ == kNoRow ? kNoRow : slot;
  const bool measured = newest_row_ != kNoRow && needs_norms(dimension());
  set_norm(slot, measured ? window_norms_[newest_row_] : simd::squared_norm(from, dimension()));
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
  vectors_.move(last, slot);
  norms_[slot] = norms_[last];
}

void DenseSupportSet::after_blend(std::size_t slot) {
  set_norm(slot, simd::squared_norm(query_.data(), dimension()));
  if (slot == newest_slot_) newest_slot_ = kNoRow;
}

void DenseSupportSet::rescale(std::span<const float> ratios) {
  vectors_.rescale(ratios, size_);
  largest_norm_ = 0;
  for (std::size_t j = 0; j < size_; ++j) {
    vectors_.copy_to(j, query_.data());
    set_norm(j, simd::squared_norm(query_.data(), dimension()));
  }
  window_ = {};
  newest_slot_ = kNoRow;
}

void DenseSupportSet::grow(std::uint32_t dimension) {
  if (dimension <= vectors_.dimension()) return;
  vectors_.grow(dimension, size_);
  window_data_.resize(kWindow * dimension);
  query_.resize(dimension);
}

void DenseSupportSet::values(const simd::RowView& rows, std::size_t first, std::size_t last, float* out,
                             std::size_t stride) const {
  share_slots(first / kLanes * kLanes, last, rows.count, dimension(), [&](std::size_t begin, std::size_t end) {
    simd::kernel_block(kernel_, part(begin, end), rows, out + begin, stride);
  });
}

void DenseSupportSet::values_of_query(float norm, std::size_t first, std::size_t last, float* out) const {
  values({query_.data(), &norm, 1, dimension()}, first, last, out, padded_size());
}

void DenseSupportSet::kernel_rows(const Rows& rows, float* out, std::size_t stride) const {
  KINGLET_ASSERT(!rows.is_sparse() && rows.dimension == dimension());
  float norms[kBlock];
  for (std::size_t begin = 0; begin < rows.count; begin += kBlock) {
    const std::size_t n = std::min(kBlock, rows.count - begin);
    const simd::RowView part = measured(rows.values + begin * rows.stride, n, rows.stride, dimension(), norms);
    values(part, 0, size_, out + begin * stride, stride);
  }
}

void DenseSupportSet::look_ahead(const Rows& rows, float* out, std::size_t stride) {
  KINGLET_ASSERT(rows.count <= kWindow && !rows.is_sparse() && rows.dimension == dimension());
  window_ = rows;
  window_transposed_ = false;
  window_known_.fill(false);
  newest_slot_ = kNoRow;
  values(measured(rows.values, rows.count, rows.stride, dimension(), window_norms_.data()), 0, size_, out, stride);
}

void DenseSupportSet::transpose_window() {
  for (std::size_t begin = 0; begin < window_.count; begin += kLanes) {
    const std::size_t rows = std::min(kLanes, window_.count - begin);
    const float* from = window_.values + begin * window_.stride;
    float* to = window_data_.data() + begin * dimension();
    for (std::size_t f = 0; f < dimension(); ++f) {
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
  return {&window_data_[first * dimension()], &window_norms_[first], window_.count - first, dimension(),
          window_largest_norm_};
}

void DenseSupportSet::refresh_column(std::size_t slot, std::size_t first, float* out, std::size_t stride) {
  if (first >= window_.count) return;
  if (dimension() <= simd::kDirectDimensions) {
    // So few features that the whole block of lanes costs no more than turning the window would.
    const std::size_t start = slot / kLanes * kLanes;
    const simd::LaneView block{vectors_.block(start), &norms_[start], kLanes, dimension(), largest_norm_};
    // So do the rows before `first` that complete a tile of rows.
    const std::size_t begin = first / kTileRows * kTileRows;
    simd::kernel_block(
        kernel_, block,
        {window_.values + begin * window_.stride, &window_norms_[begin], window_.count - begin, window_.stride},
        out + begin * stride + start, stride);
    return;
  }
  if (!window_transposed_) transpose_window();
  if (slot == newest_slot_) {
    const float* values = window_row(newest_row_);
    for (std::size_t q = first; q < window_.count; ++q) out[q * stride + slot] = values[q];
    return;
  }
  vectors_.copy_to(slot, query_.data());
  // The roles are swapped: the rows stand in lanes and the support vector is the query. The values are the same.
  const std::size_t skipped = first / kLanes * kLanes;
  simd::kernel_block(kernel_, window_lanes(skipped), {query_.data(), &norms_[slot], 1, dimension()}, column_.data(),
                     kWindow);
  for (std::size_t q = first; q < window_.count; ++q) out[q * stride + slot] = column_[q - skipped];
}

void DenseSupportSet::kernel_row_of(std::size_t slot, float* out) {
  vectors_.copy_to(slot, query_.data());
  values_of_query(norms_[slot], 0, size_, out);
}

simd::LaneView DenseSupportSet::part(std::size_t first, std::size_t last) const {
  const std::size_t start = first / kLanes * kLanes;
  return {vectors_.block(start), norms_.data() + start, last - start, dimension(), largest_norm_};
}

void DenseSupportSet::kernel_row_part(std::size_t slot, std::size_t first, std::size_t last, float* out) {
  vectors_.copy_to(slot, query_.data());
  values_of_query(norms_[slot], first, last, out);
}

void DenseSupportSet::kernel_row(const Features& x, float* out) {
  expand(x, query_);
  values_of_query(simd::squared_norm(query_.data(), dimension()), 0, size_, out);
}

double DenseSupportSet::self_kernel(std::size_t slot) const {
  if (kernel_.is_radial()) return 1;
  const auto norm = static_cast<double>(norms_[slot]);
  return kernel_.from_dot(norm, 2 * norm);
}

double DenseSupportSet::add_gradient_squares(const Features& x, const float* shares, double weight, FadingMean& mean,
                                             std::span<double> sums) {
  KINGLET_ASSERT(!x.is_sparse() && x.count == dimension());
  return kinglet::add_gradient_squares(kernel_, slope(), view(), x.values, shares, weight, mean, query_.data(), sums);
}

void DenseSupportSet::save(StateWriter& out) const {
  vectors_.save(out, size_);
  out.put(largest_norm_);
}

void DenseSupportSet::load(StateReader& in) {
  load_vectors(in);
  const auto largest = in.get<float>();
  StateReader::require(largest >= largest_norm_, "a norm is too small");
  largest_norm_ = largest;
}

}  // namespace kinglet
