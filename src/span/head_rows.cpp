#include "span/head_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"

namespace kinglet {

HeadRows::HeadRows(const Shape& shape, TaskKind task, std::size_t capacity)
    : sparse_(shape.sparse),
      task_(task),
      dimension_(shape.dimension),
      capacity_(capacity),
      dense_(sparse_ ? 0 : capacity * dimension_) {
  if (sparse_) {
    offsets_.assign(1, 0);
    values_.reserve(1);  // not null, which would mean dense rows
    indices_.reserve(1);
  }
  (task_ == TaskKind::regress ? numbers_.reserve(capacity) : classes_.reserve(capacity));
  weights_.reserve(capacity);
}

std::size_t HeadRows::bytes(const Shape& shape, std::size_t capacity) {
  const std::size_t values = shape.sparse ? 0 : shape.dimension;
  return capacity * (values + 2) * sizeof(float);  // a target and a weight
}

std::size_t HeadRows::memory_bytes() const {
  return bytes({.dimension = dimension_, .classes = 0, .sparse = sparse_}, capacity_) +
         (values_.capacity() + indices_.capacity()) * sizeof(float) + offsets_.capacity() * sizeof(std::uint64_t);
}

void HeadRows::add_row(const Features& x) {
  KINGLET_ASSERT(x.extent() <= dimension_);
  float* dense = sparse_ ? nullptr : &dense_[size() * dimension_];
  for (std::uint32_t i = 0; i < x.count; ++i) {
    const std::uint32_t feature = x.is_sparse() ? x.indices[i] : i;
    if (!sparse_) {
      dense[feature] = x.values[i];
    } else if (x.values[i] != 0) {
      values_.push_back(x.values[i]);
      indices_.push_back(feature);
    }
  }
  if (sparse_) offsets_.push_back(values_.size());
}

void HeadRows::add(const Rows& rows, const Targets& targets, std::span<const float> weights) {
  const std::size_t count = std::min(rows.count, capacity_ - size());
  for (std::size_t i = 0; i < count; ++i) {
    add_row(rows[i]);
    if (task_ == TaskKind::regress) {
      numbers_.push_back(targets.numbers[i]);
    } else {
      classes_.push_back(targets.classes[i]);
    }
    weights_.push_back(weights.empty() ? 1.0F : weights[i]);
  }
}

Rows HeadRows::rows() const {
  if (!sparse_) {
    return {.count = size(), .dimension = dimension_, .values = dense_.data(), .stride = dimension_};
  }
  return {.count = size(),
          .dimension = dimension_,
          .values = values_.data(),
          .indices = indices_.data(),
          .offsets = offsets_.data()};
}

Targets HeadRows::targets() const {
  return task_ == TaskKind::regress ? Targets(numbers_.data(), size()) : Targets(classes_.data(), size());
}

void HeadRows::grow(std::uint32_t dimension) {
  if (dimension <= dimension_) return;
  if (!sparse_) {
    ZeroedFloats wider(capacity_ * dimension);
    for (std::size_t i = 0; i < size(); ++i) std::copy_n(&dense_[i * dimension_], dimension_, &wider[i * dimension]);
    dense_ = std::move(wider);
  }
  dimension_ = dimension;
}

void HeadRows::limit(std::size_t capacity) {
  const std::size_t left = std::min(size(), capacity);
  if (sparse_) {
    offsets_.resize(left + 1);
    values_.resize(offsets_.back());
    indices_.resize(offsets_.back());
  } else {
    dense_.resize(capacity * dimension_);
  }
  (task_ == TaskKind::regress ? numbers_.resize(left) : classes_.resize(left));
  weights_.resize(left);
  capacity_ = capacity;
}

void HeadRows::rescale_features(std::span<const float> ratios) {
  if (sparse_) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] *= ratios[indices_[i]];
    return;
  }
  for (std::size_t i = 0; i < size() * dimension_; ++i) dense_[i] *= ratios[i % dimension_];
}

std::size_t HeadRows::value_count() const { return sparse_ ? values_.size() : size() * dimension_; }

void HeadRows::save(StateWriter& out) const {
  out.put_array<float>({sparse_ ? values_.data() : dense_.data(), value_count()});
  if (sparse_) {
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

void HeadRows::load(StateReader& in) {
  const auto values = in.get_array<float>();
  if (sparse_) {
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
  }
  weights_ = in.get_array<float>();
  const auto is_number = [](float value) { return std::isfinite(value); };
  StateReader::require(std::ranges::all_of(values, is_number) && std::ranges::all_of(numbers_, is_number) &&
                           std::ranges::all_of(weights_, [](float w) { return std::isfinite(w) && w >= 0; }),
                       "a row that has no numbers");
  StateReader::require(size() <= capacity_ && targets == size(), "more rows than there is room for");
  if (!sparse_) {
    StateReader::require(values.size() == size() * dimension_, "rows of the wrong length");
    std::ranges::copy(values, dense_.begin());
    return;
  }
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
