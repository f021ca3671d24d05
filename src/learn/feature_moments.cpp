#include "learn/feature_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "learn/row_loops.hpp"

namespace kinglet {
namespace {

// The loops over all values. Each feature is summed in the order of the rows, so dividing a block changes nothing. `d`
// is a number or a compile-time constant (with_dimension).
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

template <class T>
bool all_finite(const std::vector<T>& values) {
  return std::all_of(values.begin(), values.end(), [](T x) { return std::isfinite(x); });
}

}  // namespace

void FeatureMoments::resize(std::uint32_t dimension) {
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
}

double FeatureMoments::mean(std::size_t feature) const {
  const std::uint64_t n = present(feature);
  return n == 0 ? 0 : origin_[feature] + sum_[feature] / static_cast<double>(n);
}

double FeatureMoments::variance(std::size_t feature) const {
  const double n = static_cast<double>(present(feature));
  const double mean_square = square_[feature] / n;
  const double mean_deviation = sum_[feature] / n;
  const double variance = mean_square - mean_deviation * mean_deviation;
  // Below this the difference is only rounding error, and below 1e-60 the factor does not fit into a float.
  return variance <= 1e-13 * mean_square || variance < 1e-60 ? 0 : variance;
}

float FeatureMoments::filler(std::size_t feature) const {
  constexpr auto kLargest = static_cast<double>(std::numeric_limits<float>::max());
  return static_cast<float>(std::clamp(mean(feature), -kLargest, kLargest));
}

std::vector<float> FeatureMoments::fillers() const {
  std::vector<float> values(dimension());
  for (std::size_t f = 0; f < values.size(); ++f) values[f] = filler(f);
  return values;
}

bool FeatureMoments::has_missing() const {
  return std::any_of(missing_.begin(), missing_.end(), [](std::uint64_t n) { return n > 0; });
}

void FeatureMoments::begin_at(std::span<const float> fillers) {
  if (!fillers.empty()) origin_.assign(fillers.begin(), fillers.end());
  count_ = 1;
}

void FeatureMoments::begin(const Rows& head) {
  KINGLET_ASSERT(count_ == 0);
  if (sparse_) {
    for (std::size_t i = 0; i < head.count; ++i) count_sparse(head[i]);
    return;
  }
  RowBuffer buffer;
  find_origins(head, buffer);
  const std::size_t step = rows_at_a_time(dimension());
  for (std::size_t i = 0; i < head.count; i += step) {
    const Rows part = head.slice(i, std::min(step, head.count - i));
    const float* in = as_dense(part, dimension(), buffer);
    if (any_missing(in, part.count * dimension())) {
      count_and_fill(copy_to_raw(in, part.count * dimension(), buffer), part.count);
    } else {
      count_dense(in, part.count);
    }
  }
}

// The mean of the head, as a float, so that the deviation of a constant feature is exactly 0.
void FeatureMoments::find_origins(const Rows& head, RowBuffer& buffer) {
  std::vector<double> total(dimension());
  std::vector<std::uint64_t> present(dimension());
  for (std::size_t i = 0; i < head.count; ++i) {
    const float* row = as_dense(head.slice(i, 1), dimension(), buffer);
    for (std::size_t f = 0; f < dimension(); ++f) {
      if (std::isnan(row[f])) continue;
      total[f] += static_cast<double>(row[f]);
      ++present[f];
    }
  }
  for (std::size_t f = 0; f < dimension(); ++f) {
    if (present[f] > 0)
      origin_[f] = static_cast<double>(static_cast<float>(total[f] / static_cast<double>(present[f])));
  }
}

void FeatureMoments::count_dense(const float* rows, std::size_t count) {
  count_ += count;
  if (kind_ == ScaleKind::standard) {
    with_dimension(dimension(),
                   [&](auto d) { add_squares(rows, count, d, origin_.data(), sum_.data(), square_.data()); });
  } else {
    with_dimension(dimension(), [&](auto d) { add(rows, count, d, origin_.data(), sum_.data()); });
  }
  if (kind_ == ScaleKind::minmax) {
    with_dimension(dimension(), [&](auto d) { widen(rows, count, d, low_.data(), high_.data()); });
  }
}

// The same for rows with missing values, which it replaces.
void FeatureMoments::count_and_fill(float* rows, std::size_t count) {
  const std::size_t dimension = origin_.size();
  for (const float* end = rows + count * dimension; rows != end; rows += dimension) {
    for (std::size_t f = 0; f < dimension; ++f) {
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

void FeatureMoments::count_sparse(const Features& row) {
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

// --- saving ----------------------------------------------------------------------------------------------------------

void FeatureMoments::save_sums(StateWriter& out) const {
  for (const auto* values : {&origin_, &sum_, &square_}) out.put_array(*values);
  for (const auto* values : {&low_, &high_}) out.put_array(*values);
}

void FeatureMoments::load_sums(StateReader& in, std::uint64_t count) {
  count_ = count;
  for (auto* values : {&origin_, &sum_, &square_}) *values = in.get_array<double>();
  for (auto* values : {&low_, &high_}) *values = in.get_array<float>();
  StateReader::require(origin_.size() <= std::numeric_limits<std::uint32_t>::max(), "the scaler's dimension");
  const std::size_t squares = kind_ == ScaleKind::standard ? dimension() : 0;
  const std::size_t limits = kind_ == ScaleKind::minmax ? dimension() : 0;
  StateReader::require(
      sum_.size() == dimension() && square_.size() == squares && low_.size() == limits && high_.size() == limits,
      "the scaler's parts differ in length");
  // Minimum and maximum are infinite if no row had a value.
  const auto is_nan = [](float x) { return std::isnan(x); };
  StateReader::require(all_finite(origin_) && all_finite(sum_) && all_finite(square_) &&
                           std::none_of(low_.begin(), low_.end(), is_nan) &&
                           std::none_of(high_.begin(), high_.end(), is_nan),
                       "the scaler has a number that is not finite");
}

void FeatureMoments::save_missing(StateWriter& out) const { out.put_array(missing_); }

void FeatureMoments::load_missing(StateReader& in) {
  missing_ = in.get_array<std::uint64_t>();
  StateReader::require(missing_.size() == dimension(), "the scaler's parts differ in length");
  const auto possible = [&](std::uint64_t n) { return n <= count_; };
  StateReader::require(std::all_of(missing_.begin(), missing_.end(), possible), "the scaler's missing values");
}

}  // namespace kinglet
