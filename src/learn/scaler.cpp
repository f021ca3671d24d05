#include "learn/scaler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "learn/row_loops.hpp"

namespace kinglet {
namespace {

constexpr std::uint64_t kNoRefresh = std::numeric_limits<std::uint64_t>::max();

// 1 if the value is NaN or larger than Scaler::kMost, else 0.
std::int32_t is_wild(float value) {
  return (std::bit_cast<std::int32_t>(value) & 0x7FFFFFFF) > std::bit_cast<std::int32_t>(Scaler::kMost) ? 1 : 0;
}

// NaN means that an overflow was multiplied by a factor of 0.
float tame(float value) { return std::isnan(value) ? 0 : std::clamp(value, -Scaler::kMost, Scaler::kMost); }

// A sum in a fixed order, with several accumulators to hide the latency of additions.
double squared_length(const float* x, std::size_t count) {
  double part[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) part[k] += static_cast<double>(x[i + k]) * static_cast<double>(x[i + k]);
  }
  for (; i < count; ++i) part[0] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return (part[0] + part[1]) + (part[2] + part[3]);
}

float reciprocal_length(double squared_length) {
  return squared_length > 0 ? static_cast<float>(std::min(1 / std::sqrt(squared_length), 1e38)) : 0;
}

// These two return whether a result is out of range. `d` is a number or a compile-time constant (with_dimension).
template <class Dimension>
bool shift_and_scale(const float* __restrict in, float* __restrict out, std::size_t count, Dimension d,
                     const float* __restrict shift, const float* __restrict factor) {
  std::int32_t wild = 0;
  for (std::size_t i = 0; i < count; ++i, in += d, out += d) {
    for (std::size_t f = 0; f < d; ++f) {
      out[f] = (in[f] - shift[f]) * factor[f];
      wild |= is_wild(out[f]);
    }
  }
  return wild != 0;
}

bool multiply(const float* __restrict in, float* __restrict out, std::size_t count, float factor) {
  std::int32_t wild = 0;
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = in[i] * factor;
    wild |= is_wild(out[i]);
  }
  return wild != 0;
}

}  // namespace

ScaleKind scale_kind(std::string_view name) {
  if (name == "standard") return ScaleKind::standard;
  if (name == "minmax") return ScaleKind::minmax;
  if (name == "unit") return ScaleKind::unit;
  KINGLET_ASSERT(name == "none");
  return ScaleKind::none;
}

Scaler::Scaler(ScaleKind kind, bool sparse, std::uint32_t dimension, Metric metric,
               std::optional<std::uint32_t> numbers)
    : kind_(kind), sparse_(sparse), numbers_(numbers), moments_(kind, sparse) {
  KINGLET_ASSERT(metric == Metric::none || kind != ScaleKind::unit);
  if (metric == Metric::learned) metric_.emplace(dimension);
  resize(dimension);
}

// --- size and beginning ----------------------------------------------------------------------------------------------

void Scaler::resize(std::uint32_t dimension) {
  moments_.resize(dimension);
  if (metric_) metric_->resize(dimension);
  if (!has_factors()) return;
  shift_.resize(dimension);
  factor_.resize(dimension, is_refreshed() ? 0.0F : 1.0F);
}

void Scaler::grow(std::uint32_t dimension) {
  const std::uint32_t before = moments_.dimension();
  if (dimension <= before) return;
  try {
    resize(dimension);
  } catch (...) {
    resize(before);  // takes no memory
    throw;
  }
}

void Scaler::shrink(std::uint32_t dimension) { resize(dimension); }

Scaler Scaler::fixed(ScaleKind kind, bool sparse, std::uint32_t dimension, std::span<const float> shift,
                     std::span<const float> factor, std::span<const float> fillers,
                     std::optional<std::uint32_t> numbers) {
  Scaler scaler(kind, sparse, dimension, Metric::none, numbers);
  KINGLET_ASSERT(shift.size() == scaler.shift_.size() && factor.size() == scaler.factor_.size());
  KINGLET_ASSERT(fillers.empty() || fillers.size() == dimension);
  scaler.shift_.assign(shift.begin(), shift.end());
  scaler.factor_.assign(factor.begin(), factor.end());
  scaler.moments_.begin_at(fillers);
  scaler.held_ = true;
  scaler.next_refresh_ = kNoRefresh;
  return scaler;
}

void Scaler::begin(const Rows& head) {
  moments_.begin(head);
  refresh();
}

// --- the transform ---------------------------------------------------------------------------------------------------

void Scaler::refresh() {
  next_refresh_ = is_refreshed() ? count() + std::max<std::uint64_t>(1, count() / 100) : kNoRefresh;
  const std::uint32_t scaled = scaled_features();
  if (kind_ == ScaleKind::standard) {
    for (std::size_t f = 0; f < scaled; ++f) refresh_standard(f);
  } else if (kind_ == ScaleKind::minmax) {
    for (std::size_t f = 0; f < scaled; ++f) refresh_minmax(f);
  }
  if (is_refreshed()) std::fill(factor_.begin() + scaled, factor_.end(), 1.0F);
  if (metric_ && is_refreshed()) weight_factors(metric_->weights());
}

void Scaler::weight_factors(std::span<const float> weights) {
  for (std::size_t f = 0; f < dimension(); ++f) factor_[f] *= weights[f];
}

std::span<const float> Scaler::learn_metric(std::span<const double> gradient_squares, double count) {
  const std::span<const float> ratios = metric_->learn(gradient_squares, count);
  weight_factors(ratios);
  return ratios;
}

void Scaler::refresh_standard(std::size_t f) {
  if (moments_.present(f) == 0) return;
  const double variance = moments_.variance(f);
  factor_[f] = variance == 0 ? 0 : static_cast<float>(1 / std::sqrt(variance));
  shift_[f] = sparse_ && f >= centred_features() ? 0 : static_cast<float>(moments_.mean(f));
}

void Scaler::refresh_minmax(std::size_t f) {
  const double low = moments_.low(f);
  const double half = (moments_.high(f) - low) / 2;
  factor_[f] = half > 1e-30 ? static_cast<float>(1 / half) : 0;
  shift_[f] = half >= 0 ? static_cast<float>(low + half) : 0;  // half < 0: no value yet
}

// `in` has no missing values and is not `out`.
void Scaler::transform_dense(const float* in, float* out, std::size_t count) const {
  bool wild = false;
  const std::size_t total = count * dimension();
  if (has_factors()) {
    with_dimension(dimension(),
                   [&](auto d) { wild = shift_and_scale(in, out, count, d, shift_.data(), factor_.data()); });
  } else if (kind_ == ScaleKind::none) {
    wild = multiply(in, out, total, 1);
  } else {
    for (std::size_t at = 0; at < total; at += dimension()) {
      wild |= multiply(in + at, out + at, dimension(), reciprocal_length(squared_length(in + at, dimension())));
    }
  }
  if (wild) std::transform(out, out + total, out, tame);
}

// The row is written behind those that are in the buffer, which has room for it.
void Scaler::transform_sparse(const Features& row, RowBuffer& buffer) const {
  const std::size_t first = buffer.offsets.back();
  float* const values = buffer.values.data() + first;
  std::uint32_t* const indices = buffer.indices.data() + first;
  std::size_t count = 0;
  const bool scales = has_factors();
  const auto write = [&](std::size_t f, float value) {
    values[count] = value;
    indices[count] = static_cast<std::uint32_t>(f);
    count += value != 0 ? 1 : 0;
  };
  const std::uint32_t centred = centred_features();
  std::uint32_t next = 0;  // of the row's values
  for (std::uint32_t f = 0; f < centred; ++f) {
    const bool has_value = next < row.count && (!row.is_sparse() || row.indices[next] == f);
    const float value = has_value ? row.values[next++] : 0;
    write(f, tame(((std::isnan(value) ? moments_.filler(f) : value) - shift_[f]) * factor_[f]));
  }
  for_each_value(row, [&](std::size_t f, float value) {
    if (f < centred || f >= dimension()) return;
    if (std::isnan(value)) value = moments_.filler(f);
    write(f, scales ? tame(value * factor_[f]) : value);
  });
  if (!scales) {
    const float length = kind_ == ScaleKind::unit ? reciprocal_length(squared_length(values, count)) : 1;
    for (std::size_t k = 0; k < count; ++k) values[k] = tame(values[k] * length);
  }
  buffer.offsets.push_back(first + count);
}

// --- rows ------------------------------------------------------------------------------------------------------------

Rows Scaler::learn(const Rows& rows, RowBuffer& buffer) {
  if (held_) return transform(rows, buffer);
  return sparse_ ? learn_sparse(rows, buffer) : learn_dense(rows, buffer);
}

Rows Scaler::learn_dense(const Rows& rows, RowBuffer& buffer) {
  const std::size_t total = rows.count * dimension();
  const float* in = as_dense(rows, dimension(), buffer);
  float* raw = nullptr;  // set if there are missing values to fill in
  if (any_missing(in, total)) in = raw = copy_to_raw(in, total, buffer);
  float* out = RowBuffer::room(buffer.values, total);
  for (std::size_t i = 0; i < rows.count;) {
    const std::size_t n = std::min<std::uint64_t>(rows.count - i, next_refresh_ - count());
    const std::size_t at = i * dimension();
    if (raw != nullptr) {
      moments_.count_and_fill(raw + at, n);
    } else {
      moments_.count_dense(in + at, n);
    }
    const bool due = count() == next_refresh_;  // the last of these rows is the first to see the new transform
    transform_dense(in + at, out + at, due ? n - 1 : n);
    if (due) {
      refresh();
      const std::size_t last = (i + n - 1) * dimension();
      transform_dense(in + last, out + last, 1);
    }
    i += n;
  }
  return buffer.dense_view(rows.count, dimension());
}

Rows Scaler::learn_sparse(const Rows& rows, RowBuffer& buffer) {
  buffer.begin_sparse(rows, rows.count * centred_features());
  for (std::size_t i = 0; i < rows.count; ++i) {
    moments_.count_sparse(rows[i]);
    if (count() == next_refresh_) refresh();
    transform_sparse(rows[i], buffer);
  }
  return buffer.sparse_view(dimension());
}

Rows Scaler::transform(const Rows& rows, RowBuffer& buffer) const {
  if (sparse_) {
    buffer.begin_sparse(rows, rows.count * centred_features());
    for (std::size_t i = 0; i < rows.count; ++i) transform_sparse(rows[i], buffer);
    return buffer.sparse_view(dimension());
  }
  const std::size_t total = rows.count * dimension();
  const float* in = as_dense(rows, dimension(), buffer);
  if (any_missing(in, total)) {
    float* raw = copy_to_raw(in, total, buffer);
    for (std::size_t k = 0; k < total; ++k) {
      if (std::isnan(raw[k])) raw[k] = moments_.filler(k % dimension());
    }
    in = raw;
  }
  transform_dense(in, RowBuffer::room(buffer.values, total), rows.count);
  return buffer.dense_view(rows.count, dimension());
}

void Scaler::restore(std::span<float> x) const {
  if (!has_factors()) return;
  for (std::size_t f = 0; f < x.size(); ++f) x[f] = shift_[f] + (factor_[f] == 0 ? 0 : x[f] / factor_[f]);
}

void Scaler::hold() {
  if (held_) return;
  refresh();
  held_ = true;
}

// --- saving ----------------------------------------------------------------------------------------------------------

void Scaler::save(StateWriter& out) const {
  out.put<std::uint8_t>(held_ ? 1 : 0);
  out.put(count());
  out.put(next_refresh_);
  moments_.save_sums(out);
  for (const auto* values : {&shift_, &factor_}) out.put_array(*values);
  moments_.save_missing(out);
  if (metric_) metric_->save(out);
}

void Scaler::load(StateReader& in) {
  held_ = in.get<std::uint8_t>() != 0;
  const auto count = in.get<std::uint64_t>();
  next_refresh_ = in.get<std::uint64_t>();
  StateReader::require(count > 0 && next_refresh_ > count, "the scaler's counts");
  moments_.load_sums(in, count);
  for (auto* values : {&shift_, &factor_}) *values = in.get_array<float>();
  moments_.load_missing(in);
  if (metric_) metric_->load(in);

  const std::size_t factors = has_factors() ? dimension() : 0;
  StateReader::require(
      shift_.size() == factors && factor_.size() == factors && (!metric_ || metric_->weights().size() == dimension()),
      "the scaler's parts differ in length");
  const auto all_finite = [](const std::vector<float>& values) {
    return std::ranges::all_of(values, [](float x) { return std::isfinite(x); });
  };
  StateReader::require(all_finite(shift_) && all_finite(factor_), "the scaler has a number that is not finite");
}

}  // namespace kinglet
