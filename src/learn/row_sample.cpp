#include "learn/row_sample.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"
#include "core/random.hpp"

namespace kinglet {
namespace {

// The half of a group of 2^level rows from which its row is kept.
std::uint64_t coin(std::uint32_t level, std::uint64_t group) {
  std::uint64_t word = group ^ (std::uint64_t{level} << 56);
  return splitmix64(word) >> 63;
}

}  // namespace

RowSample::RowSample(const Shape& shape, TaskKind task, std::size_t capacity)
    : lists_(shape.has_sparse_rows()),
      is_bounded_(!shape.has_sparse_vectors()),
      task_(task),
      class_count_(shape.classes),
      dimension_(shape.dimension),
      capacity_(capacity),
      dense_(lists_ ? 0 : capacity * dimension_) {
  if (lists_) {
    offsets_.assign(1, 0);
    if (is_bounded_) offsets_.reserve(capacity + 1);
    values_.reserve(1);  // not null, which would mean dense rows
    indices_.reserve(1);
  }
  (task_ == TaskKind::regress ? numbers_.reserve(capacity) : classes_.reserve(capacity));
  weights_.reserve(capacity);
}

std::size_t RowSample::bytes(const Shape& shape, std::size_t capacity) {
  const std::size_t values = shape.has_sparse_vectors() ? 0 : shape.dimension;
  return capacity * (values + 2) * sizeof(float);  // a target and a weight
}

// With lists in a known amount of memory, they and the offsets take no more than dense rows would. A single row always
// fits.
std::size_t RowSample::most_values() const {
  constexpr std::size_t kValue = sizeof(float) + sizeof(std::uint32_t);
  const std::size_t dense = capacity_ * dimension_ * sizeof(float);
  const std::size_t offsets = (capacity_ + 1) * sizeof(std::uint64_t);
  return std::max<std::size_t>(dimension_, dense > offsets ? (dense - offsets) / kValue : 0);
}

bool RowSample::is_over(std::size_t rows, std::size_t values) const {
  return rows > capacity_ || (lists_ && is_bounded_ && values > most_values());
}

std::size_t RowSample::fitting(const Rows& rows) const {
  std::size_t values = values_.size();
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Features x = rows[i];
    if (is_over(size() + i + 1, values + x.count)) return i;
    if (lists_)
      values +=
          static_cast<std::size_t>(std::count_if(x.values, x.values + x.count, [](float value) { return value != 0; }));
  }
  return rows.count;
}

std::size_t RowSample::memory_bytes() const {
  const Storage storage = lists_ ? Storage::sparse : Storage::dense;
  return bytes({.dimension = dimension_, .classes = 0, .storage = storage}, capacity_) +
         (values_.capacity() + indices_.capacity()) * sizeof(float) + offsets_.capacity() * sizeof(std::uint64_t);
}

void RowSample::add_row(const Features& x) {
  KINGLET_ASSERT(x.extent() <= dimension_);
  float* dense = lists_ ? nullptr : &dense_[size() * dimension_];
  if (lists_ && is_bounded_) reserve_values(values_.size() + x.count);
  for (std::uint32_t i = 0; i < x.count; ++i) {
    const std::uint32_t feature = x.is_sparse() ? x.indices[i] : i;
    if (!lists_) {
      dense[feature] = x.values[i];
    } else if (x.values[i] != 0) {
      values_.push_back(x.values[i]);
      indices_.push_back(feature);
    }
  }
  if (lists_) offsets_.push_back(values_.size());
}

// Doubles the space, but not beyond the bound.
void RowSample::reserve_values(std::size_t count) {
  if (count <= values_.capacity()) return;
  const std::size_t more = std::max(count, std::min(2 * values_.capacity(), most_values()));
  values_.reserve(more);
  indices_.reserve(more);
}

bool RowSample::is_kept(std::uint64_t row) const {
  for (std::uint32_t level = 1; level <= stride_log_; ++level) {
    if (((row >> (level - 1)) & 1) != coin(level, row >> level)) return false;
  }
  return true;
}

void RowSample::add(const Rows& rows, const Targets& targets, std::span<const float> weights) {
  if (capacity_ == 0) return;
  for (std::size_t i = 0; i < rows.count; ++i, ++offered_) {
    bool keeps = is_kept(offered_);
    while (keeps && is_over(size() + 1, values_.size() + rows[i].count)) {
      thin();
      keeps = is_kept(offered_);
    }
    if (!keeps) continue;
    add_row(rows[i]);
    if (task_ == TaskKind::regress) {
      numbers_.push_back(targets.numbers[i]);
    } else {
      classes_.push_back(targets.classes[i]);
    }
    weights_.push_back(weights.empty() ? 1.0F : weights[i]);
  }
}

// Of each two neighbours one leaves. The row at place i is that of group i.
void RowSample::thin() {
  ++stride_log_;
  std::size_t left = 0;
  std::uint64_t end = 0;  // of the sparse values that stay
  for (std::size_t i = 0; i < size(); ++i) {
    if ((i & 1) != coin(stride_log_, i >> 1)) continue;
    if (lists_) {
      const std::uint64_t begin = offsets_[i];
      const std::uint64_t length = offsets_[i + 1] - begin;
      for (std::uint64_t k = 0; k < length; ++k) {
        values_[end + k] = values_[begin + k];
        indices_[end + k] = indices_[begin + k];
      }
      end += length;
      offsets_[left + 1] = end;
    } else if (left != i) {
      std::copy_n(&dense_[i * dimension_], dimension_, &dense_[left * dimension_]);
    }
    (task_ == TaskKind::regress ? void(numbers_[left] = numbers_[i]) : void(classes_[left] = classes_[i]));
    weights_[left++] = weights_[i];
  }
  shrink(left);
}

// Only the first `count` rows stay. Room behind them is 0.
void RowSample::shrink(std::size_t count) {
  if (lists_) {
    offsets_.resize(count + 1);
    values_.resize(offsets_.back());
    indices_.resize(offsets_.back());
  } else {
    std::fill_n(&dense_[count * dimension_], (size() - count) * dimension_, 0.0F);
  }
  (task_ == TaskKind::regress ? numbers_.resize(count) : classes_.resize(count));
  weights_.resize(count);
}

Rows RowSample::rows() const {
  if (!lists_) {
    return {.count = size(), .dimension = dimension_, .values = dense_.data(), .stride = dimension_};
  }
  return {.count = size(),
          .dimension = dimension_,
          .values = values_.data(),
          .indices = indices_.data(),
          .offsets = offsets_.data()};
}

Targets RowSample::targets() const {
  return task_ == TaskKind::regress ? Targets(numbers_.data(), size()) : Targets(classes_.data(), size());
}

void RowSample::grow(std::uint32_t dimension) {
  if (dimension <= dimension_) return;
  if (!lists_) {
    ZeroedFloats wider(capacity_ * dimension);
    for (std::size_t i = 0; i < size(); ++i) std::copy_n(&dense_[i * dimension_], dimension_, &wider[i * dimension]);
    dense_ = std::move(wider);
  }
  dimension_ = dimension;
}

void RowSample::limit(std::size_t capacity) {
  if (capacity >= capacity_) return;
  capacity_ = capacity;
  while (is_over(size(), values_.size())) thin();
  if (!lists_) dense_.resize(capacity * dimension_);
}

void RowSample::restart() {
  shrink(0);
  offered_ = 0;
  stride_log_ = 0;
}

void RowSample::rescale_features(std::span<const float> ratios) {
  if (lists_) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] *= ratios[indices_[i]];
    return;
  }
  for (std::size_t i = 0; i < size() * dimension_; ++i) dense_[i] *= ratios[i % dimension_];
}

std::size_t RowSample::value_count() const { return lists_ ? values_.size() : size() * dimension_; }

void RowSample::save(StateWriter& out) const {
  out.put(offered_);
  out.put(stride_log_ + (lists_ && is_bounded_ ? kLists : 0));
  out.put_array<float>({lists_ ? values_.data() : dense_.data(), value_count()});
  if (lists_) {
    out.put_array(indices_);
    out.put_array(offsets_);
  }
  if (task_ == TaskKind::regress) {
    out.put_array(numbers_);
  } else {
    out.put_array(classes_);
  }
  out.put_array(weights_);
}

// Older files have dense rows where there are lists now. Rows with many nonzero values may need more room as lists.
void RowSample::load_dense(std::span<const float> values) {
  if (!lists_) {
    std::ranges::copy(values, dense_.begin());
    return;
  }
  values_.clear();
  indices_.clear();
  offsets_.assign(1, 0);
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::uint32_t k = 0; k < dimension_; ++k) {
      const float value = values[i * dimension_ + k];
      if (value == 0) continue;
      values_.push_back(value);
      indices_.push_back(k);
    }
    offsets_.push_back(values_.size());
  }
  while (is_over(size(), values_.size())) thin();
  values_.shrink_to_fit();
  indices_.shrink_to_fit();
}

void RowSample::load(StateReader& in) {
  offered_ = in.get<std::uint64_t>();
  stride_log_ = in.get<std::uint32_t>();
  const bool has_lists = lists_ && (!is_bounded_ || stride_log_ >= kLists);
  if (has_lists && is_bounded_) stride_log_ -= kLists;
  StateReader::require(stride_log_ < 56, "a sample of too few rows");
  const auto values = in.get_array<float>();
  if (has_lists) {
    values_ = values;
    indices_ = in.get_array<std::uint32_t>();
    offsets_ = in.get_array<std::uint64_t>();
    values_.reserve(1);
    indices_.reserve(1);
  }
  std::size_t targets = 0;
  if (task_ == TaskKind::regress) {
    numbers_ = in.get_array<float>();
    targets = numbers_.size();
  } else {
    classes_ = in.get_array<ClassId>();
    targets = classes_.size();
    StateReader::require(std::ranges::all_of(classes_, [&](ClassId c) { return c < class_count_; }),
                         "an unknown class");
  }
  weights_ = in.get_array<float>();
  const auto is_number = [](float value) { return !std::isinf(value); };  // NaN is a missing value
  StateReader::require(std::ranges::all_of(values, is_number) &&
                           std::ranges::all_of(numbers_, [](float y) { return std::isfinite(y); }) &&
                           std::ranges::all_of(weights_, [](float w) { return std::isfinite(w) && w >= 0; }),
                       "a row that has no numbers");
  StateReader::require(size() <= capacity_ && targets == size(), "more rows than there is room for");
  const std::uint64_t groups = offered_ >> stride_log_;  // a group that is not complete may have its row already
  StateReader::require(size() == groups || size() == groups + 1, "not one row of each group");
  if (!has_lists) {
    StateReader::require(values.size() == size() * dimension_, "rows of the wrong length");
    load_dense(values);
    return;
  }
  StateReader::require(!is_over(size(), values_.size()), "more values than there is room for");
  StateReader::require(offsets_.size() == size() + 1 && offsets_.front() == 0 && std::ranges::is_sorted(offsets_) &&
                           offsets_.back() == values_.size() && indices_.size() == values_.size(),
                       "rows of the wrong length");
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::uint64_t k = offsets_[i]; k < offsets_[i + 1]; ++k) {
      StateReader::require(indices_[k] < dimension_ && (k == offsets_[i] || indices_[k - 1] < indices_[k]),
                           "a row with wrong features");
    }
  }
}

}  // namespace kinglet
