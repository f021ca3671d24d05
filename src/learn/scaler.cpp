#include "learn/scaler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/assert.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr std::uint64_t kNoRefresh = std::numeric_limits<std::uint64_t>::max();

bool any_missing(const float* values, std::size_t count) {
  // In integers, so that the compiler can vectorise it.
  constexpr std::int32_t kInfinity = 0x7F800000;
  std::int32_t missing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    missing |= (std::bit_cast<std::int32_t>(values[i]) & 0x7FFFFFFF) > kInfinity ? 1 : 0;
  }
  return missing != 0;
}

// 1 if the value is NaN or larger than Scaler::kMost, else 0.
std::int32_t is_wild(float value) {
  return (std::bit_cast<std::int32_t>(value) & 0x7FFFFFFF) > std::bit_cast<std::int32_t>(Scaler::kMost) ? 1 : 0;
}

// NaN means that an overflow was multiplied by a factor of 0.
float tame(float value) { return std::isnan(value) ? 0 : std::clamp(value, -Scaler::kMost, Scaler::kMost); }

// Calls body(d) with small dimensions as compile-time constants, so that loops over features are unrolled.
template <class Body>
void with_dimension(std::size_t dimension, Body body) {
  switch (dimension) {
    case 1:
      return body(std::integral_constant<std::size_t, 1>{});
    case 2:
      return body(std::integral_constant<std::size_t, 2>{});
    case 3:
      return body(std::integral_constant<std::size_t, 3>{});
    case 4:
      return body(std::integral_constant<std::size_t, 4>{});
    default:
      return body(dimension);
  }
}

// The rows in dense form with `dimension` features: the rows themselves if possible, else a copy in buffer.raw.
const float* as_dense(const Rows& rows, std::uint32_t dimension, RowBuffer& buffer) {
  if (!rows.is_sparse() && rows.dimension == dimension && rows.stride == dimension) return rows.values;
  float* out = RowBuffer::room(buffer.raw, rows.count * dimension);
  std::fill_n(out, rows.count * dimension, 0.0F);
  for (std::size_t i = 0; i < rows.count; ++i, out += dimension) {
    const Features row = rows[i];
    if (!row.is_sparse()) {
      std::copy_n(row.values, std::min(row.count, dimension), out);
      continue;
    }
    for (std::uint32_t k = 0; k < row.count; ++k) {
      if (row.indices[k] < dimension) out[row.indices[k]] = row.values[k];
    }
  }
  return buffer.raw.data();
}

// The same as a copy in buffer.raw, which may be changed.
float* copy_to_raw(const float* values, std::size_t count, RowBuffer& buffer) {
  float* raw = RowBuffer::room(buffer.raw, count);
  if (raw != values) std::copy_n(values, count, raw);
  return raw;
}

// Calls each(feature, value) for every nonzero value of a row.
template <class Each>
void for_each_value(const Features& row, Each each) {
  for (std::uint32_t k = 0; k < row.count; ++k) {
    if (row.values[k] != 0) each(row.is_sparse() ? row.indices[k] : k, row.values[k]);
  }
}

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

// The loops over all values. Each feature is summed in the order of the rows, so dividing a block changes nothing. `d` is a
// number or a compile-time constant (with_dimension).
template <class Dimension>
void add_squares(const float* __restrict rows, std::size_t count, Dimension d, const double* __restrict origin,
                 double* __restrict sum, double* __restrict square) {
  for (std::size_t i = 0; i < count; ++i, rows += d) {
    for (std::size_t f = 0; f < d; ++f) {
      const double deviation = static_cast<double>(rows[f]) - origin[f];
      sum[f] += deviation;
      square[f] += deviation * deviation;
    }
  }
}

template <class Dimension>
void add(const float* __restrict rows, std::size_t count, Dimension d, const double* __restrict origin,
         double* __restrict sum) {
  for (std::size_t i = 0; i < count; ++i, rows += d) {
    for (std::size_t f = 0; f < d; ++f) sum[f] += static_cast<double>(rows[f]) - origin[f];
  }
}

template <class Dimension>
void widen(const float* __restrict rows, std::size_t count, Dimension d, float* __restrict low,
           float* __restrict high) {
  for (std::size_t i = 0; i < count; ++i, rows += d) {
    for (std::size_t f = 0; f < d; ++f) {
      low[f] = rows[f] < low[f] ? rows[f] : low[f];
      high[f] = rows[f] > high[f] ? rows[f] : high[f];
    }
  }
}

// These two return whether a result is out of range.
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
    : kind_(kind), sparse_(sparse), numbers_(numbers) {
  KINGLET_ASSERT(metric == Metric::none || kind != ScaleKind::unit);
  if (metric == Metric::learned) metric_.emplace(dimension);
  resize(dimension);
}

// --- statistics ------------------------------------------------------------------------------------------------------

void Scaler::resize(std::uint32_t dimension) {
  dimension_ = dimension;
  origin_.resize(dimension);
  sum_.resize(dimension);
  missing_.resize(dimension);
  if (kind_ == ScaleKind::standard) square_.resize(dimension);
  // Before the first row there is no minimum or maximum; later, the rows so far had zeros here.
  const float none = count_ == 0 && !sparse_ ? std::numeric_limits<float>::infinity() : 0;
  if (kind_ == ScaleKind::minmax) {
    low_.resize(dimension, none);
    high_.resize(dimension, -none);
  }
  if (metric_) metric_->resize(dimension);
  if (!has_factors()) return;
  shift_.resize(dimension);
  factor_.resize(dimension, is_refreshed() ? 0.0F : 1.0F);
}

void Scaler::grow(std::uint32_t dimension) {
  if (dimension <= dimension_) return;
  const std::uint32_t before = dimension_;
  try {
    resize(dimension);
  } catch (...) {
    resize(before);  // takes no memory
    throw;
  }
}

void Scaler::shrink(std::uint32_t dimension) { resize(dimension); }

double Scaler::mean(std::size_t feature) const {
  const std::uint64_t present = count_ - missing_[feature];
  return present == 0 ? 0 : origin_[feature] + sum_[feature] / static_cast<double>(present);
}

float Scaler::filler(std::size_t feature) const {
  constexpr auto kLargest = static_cast<double>(std::numeric_limits<float>::max());
  return static_cast<float>(std::clamp(mean(feature), -kLargest, kLargest));
}

std::vector<float> Scaler::fillers() const {
  std::vector<float> values(dimension_);
  for (std::size_t f = 0; f < dimension_; ++f) values[f] = filler(f);
  return values;
}

bool Scaler::has_missing() const {
  return std::any_of(missing_.begin(), missing_.end(), [](std::uint64_t n) { return n > 0; });
}

Scaler Scaler::fixed(ScaleKind kind, bool sparse, std::uint32_t dimension, std::span<const float> shift,
                     std::span<const float> factor, std::span<const float> fillers,
                     std::optional<std::uint32_t> numbers) {
  Scaler scaler(kind, sparse, dimension, Metric::none, numbers);
  KINGLET_ASSERT(shift.size() == scaler.shift_.size() && factor.size() == scaler.factor_.size());
  KINGLET_ASSERT(fillers.empty() || fillers.size() == dimension);
  scaler.shift_.assign(shift.begin(), shift.end());
  scaler.factor_.assign(factor.begin(), factor.end());
  if (!fillers.empty()) scaler.origin_.assign(fillers.begin(), fillers.end());
  scaler.held_ = true;
  scaler.count_ = 1;
  scaler.next_refresh_ = kNoRefresh;
  return scaler;
}

void Scaler::begin(const Rows& head) {
  KINGLET_ASSERT(count_ == 0);
  RowBuffer buffer;
  if (sparse_) {
    for (std::size_t i = 0; i < head.count; ++i) count_sparse(head[i]);
  } else {
    find_origins(head, buffer);
    const std::size_t step = rows_at_a_time(dimension_);
    for (std::size_t i = 0; i < head.count; i += step) {
      const Rows part = head.slice(i, std::min(step, head.count - i));
      const float* in = as_dense(part, dimension_, buffer);
      if (any_missing(in, part.count * dimension_)) {
        count_and_fill(copy_to_raw(in, part.count * dimension_, buffer), part.count);
      } else {
        count_dense(in, part.count);
      }
    }
  }
  refresh();
}

// The mean as a float, so that the deviation of a constant feature is exactly 0.
void Scaler::find_origins(const Rows& head, RowBuffer& buffer) {
  std::vector<double> total(dimension_);
  std::vector<std::uint64_t> present(dimension_);
  for (std::size_t i = 0; i < head.count; ++i) {
    const float* row = as_dense(head.slice(i, 1), dimension_, buffer);
    for (std::size_t f = 0; f < dimension_; ++f) {
      if (std::isnan(row[f])) continue;
      total[f] += static_cast<double>(row[f]);
      ++present[f];
    }
  }
  for (std::size_t f = 0; f < dimension_; ++f) {
    if (present[f] > 0)
      origin_[f] = static_cast<double>(static_cast<float>(total[f] / static_cast<double>(present[f])));
  }
}

void Scaler::count_dense(const float* rows, std::size_t count) {
  count_ += count;
  if (kind_ == ScaleKind::standard) {
    with_dimension(dimension_,
                   [&](auto d) { add_squares(rows, count, d, origin_.data(), sum_.data(), square_.data()); });
  } else {
    with_dimension(dimension_, [&](auto d) { add(rows, count, d, origin_.data(), sum_.data()); });
  }
  if (kind_ == ScaleKind::minmax) {
    with_dimension(dimension_, [&](auto d) { widen(rows, count, d, low_.data(), high_.data()); });
  }
}

// The same for rows with missing values, which it replaces.
void Scaler::count_and_fill(float* rows, std::size_t count) {
  for (const float* end = rows + count * dimension_; rows != end; rows += dimension_) {
    for (std::size_t f = 0; f < dimension_; ++f) {
      if (std::isnan(rows[f])) {
        rows[f] = filler(f);
        // It is counted as a row below; its deviation of 0 does not change the sums.
        missing_[f] += 1;
        continue;
      }
      const double deviation = static_cast<double>(rows[f]) - origin_[f];
      sum_[f] += deviation;
      if (kind_ == ScaleKind::standard) square_[f] += deviation * deviation;
      if (kind_ == ScaleKind::minmax) {
        low_[f] = std::min(low_[f], rows[f]);
        high_[f] = std::max(high_[f], rows[f]);
      }
    }
    ++count_;
  }
}

void Scaler::count_sparse(const Features& row) {
  for_each_value(row, [&](std::size_t f, float value) {
    if (std::isnan(value)) {
      missing_[f] += 1;
      return;
    }
    const auto x = static_cast<double>(value);
    sum_[f] += x;
    if (kind_ == ScaleKind::standard) square_[f] += x * x;
    if (kind_ == ScaleKind::minmax) high_[f] = std::max(high_[f], std::abs(value));
  });
  ++count_;
}

// --- the transform ---------------------------------------------------------------------------------------------------

void Scaler::refresh() {
  next_refresh_ = is_refreshed() ? count_ + std::max<std::uint64_t>(1, count_ / 100) : kNoRefresh;
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
  for (std::size_t f = 0; f < dimension_; ++f) factor_[f] *= weights[f];
}

std::span<const float> Scaler::learn_metric(std::span<const double> gradient_squares, double count) {
  const std::span<const float> ratios = metric_->learn(gradient_squares, count);
  weight_factors(ratios);
  return ratios;
}

void Scaler::refresh_standard(std::size_t f) {
  const std::uint64_t present = count_ - missing_[f];
  if (present == 0) return;
  const double n = static_cast<double>(present);
  const double mean_square = square_[f] / n;
  const double mean_deviation = sum_[f] / n;
  const double variance = mean_square - mean_deviation * mean_deviation;
  // Below this the difference is only rounding error, and below 1e-60 the factor does not fit into a float.
  const bool constant = variance <= 1e-13 * mean_square || variance < 1e-60;
  factor_[f] = constant ? 0 : static_cast<float>(1 / std::sqrt(variance));
  shift_[f] = sparse_ && f >= centred_features() ? 0 : static_cast<float>(origin_[f] + mean_deviation);
}

void Scaler::refresh_minmax(std::size_t f) {
  const double low = sparse_ ? -static_cast<double>(high_[f]) : static_cast<double>(low_[f]);
  const double half = (static_cast<double>(high_[f]) - low) / 2;
  factor_[f] = half > 1e-30 ? static_cast<float>(1 / half) : 0;
  shift_[f] = half >= 0 ? static_cast<float>(low + half) : 0;  // half < 0: no value yet
}

// `in` has no missing values and is not `out`.
void Scaler::transform_dense(const float* in, float* out, std::size_t count) const {
  bool wild = false;
  const std::size_t total = count * dimension_;
  if (has_factors()) {
    with_dimension(dimension_,
                   [&](auto d) { wild = shift_and_scale(in, out, count, d, shift_.data(), factor_.data()); });
  } else if (kind_ == ScaleKind::none) {
    wild = multiply(in, out, total, 1);
  } else {
    for (std::size_t at = 0; at < total; at += dimension_) {
      wild |= multiply(in + at, out + at, dimension_, reciprocal_length(squared_length(in + at, dimension_)));
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
    write(f, tame(((std::isnan(value) ? filler(f) : value) - shift_[f]) * factor_[f]));
  }
  for_each_value(row, [&](std::size_t f, float value) {
    if (f < centred || f >= dimension_) return;
    if (std::isnan(value)) value = filler(f);
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
  const std::size_t total = rows.count * dimension_;
  const float* in = as_dense(rows, dimension_, buffer);
  float* raw = nullptr;  // set if there are missing values to fill in
  if (any_missing(in, total)) in = raw = copy_to_raw(in, total, buffer);
  float* out = RowBuffer::room(buffer.values, total);
  for (std::size_t i = 0; i < rows.count;) {
    const std::size_t n = std::min<std::uint64_t>(rows.count - i, next_refresh_ - count_);
    const std::size_t at = i * dimension_;
    if (raw != nullptr) {
      count_and_fill(raw + at, n);
    } else {
      count_dense(in + at, n);
    }
    const bool due = count_ == next_refresh_;  // by the last of these rows, which is the first to see the new transform
    transform_dense(in + at, out + at, due ? n - 1 : n);
    if (due) {
      refresh();
      const std::size_t last = (i + n - 1) * dimension_;
      transform_dense(in + last, out + last, 1);
    }
    i += n;
  }
  return buffer.dense_view(rows.count, dimension_);
}

Rows Scaler::learn_sparse(const Rows& rows, RowBuffer& buffer) {
  buffer.begin_sparse(rows, rows.count * centred_features());
  for (std::size_t i = 0; i < rows.count; ++i) {
    count_sparse(rows[i]);
    if (count_ == next_refresh_) refresh();
    transform_sparse(rows[i], buffer);
  }
  return buffer.sparse_view(dimension_);
}

Rows Scaler::transform(const Rows& rows, RowBuffer& buffer) const {
  if (sparse_) {
    buffer.begin_sparse(rows, rows.count * centred_features());
    for (std::size_t i = 0; i < rows.count; ++i) transform_sparse(rows[i], buffer);
    return buffer.sparse_view(dimension_);
  }
  const std::size_t total = rows.count * dimension_;
  const float* in = as_dense(rows, dimension_, buffer);
  if (any_missing(in, total)) {
    float* raw = copy_to_raw(in, total, buffer);
    for (std::size_t k = 0; k < total; ++k) {
      if (std::isnan(raw[k])) raw[k] = filler(k % dimension_);
    }
    in = raw;
  }
  transform_dense(in, RowBuffer::room(buffer.values, total), rows.count);
  return buffer.dense_view(rows.count, dimension_);
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
  out.put(count_);
  out.put(next_refresh_);
  for (const auto* values : {&origin_, &sum_, &square_}) out.put_array(*values);
  for (const auto* values : {&low_, &high_, &shift_, &factor_}) out.put_array(*values);
  out.put_array(missing_);
  if (metric_) metric_->save(out);
}

namespace {

template <class T>
bool all_finite(const std::vector<T>& values) {
  return std::all_of(values.begin(), values.end(), [](T x) { return std::isfinite(x); });
}

}  // namespace

void Scaler::load(StateReader& in) {
  held_ = in.get<std::uint8_t>() != 0;
  count_ = in.get<std::uint64_t>();
  next_refresh_ = in.get<std::uint64_t>();
  StateReader::require(count_ > 0 && next_refresh_ > count_, "the scaler's counts");
  for (auto* values : {&origin_, &sum_, &square_}) *values = in.get_array<double>();
  for (auto* values : {&low_, &high_, &shift_, &factor_}) *values = in.get_array<float>();
  missing_ = in.get_array<std::uint64_t>();
  if (metric_) metric_->load(in);

  StateReader::require(origin_.size() <= std::numeric_limits<std::uint32_t>::max(), "the scaler's dimension");
  dimension_ = static_cast<std::uint32_t>(origin_.size());
  const std::size_t squares = kind_ == ScaleKind::standard ? dimension_ : 0;
  const std::size_t limits = kind_ == ScaleKind::minmax ? dimension_ : 0;
  const std::size_t factors = has_factors() ? dimension_ : 0;
  StateReader::require(sum_.size() == dimension_ && missing_.size() == dimension_ && square_.size() == squares &&
                           low_.size() == limits && high_.size() == limits && shift_.size() == factors &&
                           factor_.size() == factors && (!metric_ || metric_->weights().size() == dimension_),
                       "the scaler's parts differ in length");
  // Minimum and maximum are infinite if no row had a value.
  const auto is_nan = [](float x) { return std::isnan(x); };
  StateReader::require(all_finite(origin_) && all_finite(sum_) && all_finite(square_) && all_finite(shift_) &&
                           all_finite(factor_) && std::none_of(low_.begin(), low_.end(), is_nan) &&
                           std::none_of(high_.begin(), high_.end(), is_nan),
                       "the scaler has a number that is not finite");
  const auto possible = [&](std::uint64_t n) { return n <= count_; };
  StateReader::require(std::all_of(missing_.begin(), missing_.end(), possible), "the scaler's missing values");
}

}  // namespace kinglet
