#include "expansion/mixed_support_set.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "simd/isa.hpp"
#include "simd/vector_ops.hpp"

namespace kinglet {

using simd::kLanes;

namespace {

// Dense rows without their zeros, in memory of the thread that only grows.
Rows without_zeros(const Rows& rows) {
  thread_local std::vector<float> values;
  thread_local std::vector<std::uint32_t> indices;
  thread_local std::vector<std::uint64_t> offsets;
  const std::size_t most = rows.count * rows.dimension + 1;  // pointers to no values must not be null
  if (values.size() < most) values.resize(most);
  if (indices.size() < most) indices.resize(most);
  offsets.assign(1, 0);
  std::size_t count = 0;
  for (std::size_t q = 0; q < rows.count; ++q) {
    const Features x = rows[q];
    for (std::uint32_t f = 0; f < x.count; ++f) {
      values[count] = x.values[f];
      indices[count] = f;
      count += x.values[f] != 0 ? 1 : 0;
    }
    offsets.push_back(count);
  }
  return {.count = rows.count,
          .dimension = rows.dimension,
          .values = values.data(),
          .indices = indices.data(),
          .offsets = offsets.data()};
}

simd::SparseRowView row_view(const Rows& rows, const double* norms) {
  return {rows.values, rows.indices, rows.offsets, norms, rows.count};
}

void measure(const Rows& rows, double* norms) {
  for (std::size_t q = 0; q < rows.count; ++q) norms[q] = simd::sparse_norm(rows[q]);
}

}  // namespace

MixedSupportSet::MixedSupportSet(const Kernel& kernel, std::uint32_t dimension, std::size_t capacity)
    : LaneSupportSet(kernel, dimension, capacity),
      norms_(vectors_.capacity()),
      exact_norms_(vectors_.capacity()),
      scratch_(dimension),
      indices_(dimension) {
  simd::choose_isa();
}

std::size_t MixedSupportSet::bytes(std::uint32_t dimension, std::size_t capacity) {
  return LaneVectors::bytes(dimension, capacity) + round_up(capacity, kLanes) * (sizeof(float) + sizeof(double)) +
         dimension * (2 * sizeof(float) + sizeof(std::uint32_t));
}

void MixedSupportSet::set_norm(std::size_t slot, double norm) {
  exact_norms_[slot] = norm;
  norms_[slot] = static_cast<float>(norm);
}

// --- changes ---------------------------------------------------------------------------------------------------------

void MixedSupportSet::append(const Features& x) {
  if (size_ == vectors_.capacity()) {
    vectors_.reserve(2 * size_ + kLanes);
    norms_.resize(vectors_.capacity());
    exact_norms_.resize(vectors_.capacity());
  }
  replace(size_++, x);
}

void MixedSupportSet::replace(std::size_t slot, const Features& x) {
  expand(x, query_);
  vectors_.set(slot, query_.data());
  set_norm(slot, simd::sparse_norm(x));
}

void MixedSupportSet::remove(std::size_t slot) {
  const std::size_t last = --size_;
  if (slot == last) return;
  vectors_.move(last, slot);
  set_norm(slot, exact_norms_[last]);
}

void MixedSupportSet::after_blend(std::size_t slot) {
  set_norm(slot, simd::squared_length(query_.data(), dimension()));
}

void MixedSupportSet::rescale(std::span<const float> ratios) {
  vectors_.rescale(ratios, size_);
  for (std::size_t j = 0; j < size_; ++j) {
    vectors_.copy_to(j, query_.data());
    set_norm(j, simd::squared_length(query_.data(), dimension()));
  }
  window_ = {};
}

void MixedSupportSet::grow(std::uint32_t dimension) {
  if (dimension <= vectors_.dimension()) return;
  vectors_.grow(dimension, size_);
  query_.resize(dimension);
  scratch_.resize(dimension);
  indices_.resize(dimension);
}

// --- kernel values ---------------------------------------------------------------------------------------------------

void MixedSupportSet::values(const Rows& rows, const double* norms, const Part& part, float* out,
                             std::size_t stride) const {
  if (expands()) return expanded_values(rows, part, out, stride);
  if (!rows.is_sparse()) return values(without_zeros(rows), norms, part, out, stride);
  const double nonzeros =
      static_cast<double>(rows.offsets[rows.count] - rows.offsets[0]) / static_cast<double>(rows.count);
  share_slots(part.first, part.last, rows.count, nonzeros, [&](std::size_t first, std::size_t last) {
    simd::sparse_block(kernel_, view({first, last}), exact_norms_.data() + first, row_view(rows, norms), out + first,
                       stride);
  });
}

void MixedSupportSet::values_of(const Features& x, double norm, const Part& part, float* out) const {
  const std::uint64_t offsets[2] = {0, x.count};
  Rows row{.count = 1, .dimension = x.count, .values = x.values, .stride = x.count};
  if (x.is_sparse()) row = {.count = 1, .values = x.values, .indices = x.indices, .offsets = offsets};
  values(row, &norm, part, out, padded_size());
}

void MixedSupportSet::expanded_values(const Rows& rows, const Part& part, float* out, std::size_t stride) const {
  share_slots(part.first, part.last, rows.count, dimension(), [&](std::size_t first, std::size_t last) {
    thread_local AlignedFloats query;
    query.resize(dimension());
    const float no_norm = 0;
    for (std::size_t q = 0; q < rows.count; ++q) {
      expand(rows[q], query);
      simd::kernel_block(kernel_, view({first, last}), {query.data(), &no_norm, 1, dimension()},
                         out + q * stride + first, stride);
    }
  });
}

void MixedSupportSet::kernel_rows(const Rows& rows, float* out, std::size_t stride) const {
  double norms[kBlock];
  for (std::size_t begin = 0; begin < rows.count; begin += kBlock) {
    const Rows part = rows.slice(begin, std::min(kBlock, rows.count - begin));
    measure(part, norms);
    values(part, norms, {0, size_}, out + begin * stride, stride);
  }
}

void MixedSupportSet::look_ahead(const Rows& rows, float* out, std::size_t stride) {
  KINGLET_ASSERT(rows.count <= kWindow);
  window_ = rows;
  stale_count_ = 0;
  measure(rows, window_norms_.data());
  values(rows, window_norms_.data(), {0, size_}, out, stride);
}

// The whole block of 16 vectors costs no more than a single vector, whose features are in as many cache lines.
void MixedSupportSet::refresh_column(std::size_t slot, std::size_t first, float* out, std::size_t stride) {
  if (first >= window_.count) return;
  const std::size_t start = slot / kLanes * kLanes;
  const auto end = stale_.begin() + static_cast<std::ptrdiff_t>(stale_count_);
  if (std::find(stale_.begin(), end, start) != end) return;
  if (stale_count_ == kMostStale) {
    refresh_rows(first, window_.count - first, out, stride);
    stale_count_ = 0;
  }
  stale_[stale_count_++] = start;
}

void MixedSupportSet::refresh_rows(std::size_t first, std::size_t count, float* out, std::size_t stride) {
  if (stale_count_ == 0 || first >= window_.count) return;
  const Rows rows = window_.slice(first, count);
  if (expands()) {
    for (std::size_t i = 0; i < stale_count_; ++i) {
      values(rows, &window_norms_[first], {stale_[i], stale_[i] + kLanes}, out + first * stride, stride);
    }
    return;
  }
  const Rows sparse = rows.is_sparse() ? rows : without_zeros(rows);
  simd::sparse_blocks(kernel_, view({0, size_}), exact_norms_.data(), {stale_.data(), stale_count_},
                      row_view(sparse, &window_norms_[first]), out + first * stride, stride);
}

void MixedSupportSet::kernel_row(const Features& x, float* out) {
  KINGLET_ASSERT(x.extent() <= dimension());
  values_of(x, simd::sparse_norm(x), {0, size_}, out);
}

void MixedSupportSet::row_of(std::size_t slot, const Part& part, float* out) {
  vectors_.copy_to(slot, query_.data());
  std::uint32_t count = 0;
  for (std::uint32_t f = 0; f < dimension(); ++f) {
    scratch_[count] = query_[f];
    indices_[count] = f;
    count += query_[f] != 0 ? 1 : 0;
  }
  values_of({scratch_.data(), indices_.data(), count}, exact_norms_[slot], part, out);
}

void MixedSupportSet::kernel_row_of(std::size_t slot, float* out) { row_of(slot, {0, size_}, out); }

void MixedSupportSet::kernel_row_part(std::size_t slot, std::size_t first, std::size_t last, float* out) {
  row_of(slot, {first / kLanes * kLanes, last}, out);
}

double MixedSupportSet::self_kernel(std::size_t slot) const {
  if (kernel_.is_radial()) return 1;
  return kernel_.from_dot(exact_norms_[slot], 2 * exact_norms_[slot]);
}

double MixedSupportSet::add_gradient_squares(const Features& x, const float* shares, double weight, FadingMean& mean,
                                             std::span<double> sums) {
  expand(x, query_);
  return kinglet::add_gradient_squares(kernel_, slope(), view({0, size_}), query_.data(), shares, weight, mean,
                                       scratch_.data(), sums);
}

}  // namespace kinglet
