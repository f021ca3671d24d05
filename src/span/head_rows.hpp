// The first rows of a stream with their targets and weights, as a learner saw them. A learner that starts with the help of
// another one (scouted_learner.hpp) learns them again. Dense rows take a known amount of memory; sparse ones what they need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/learner.hpp"
#include "core/shape.hpp"
#include "core/state.hpp"
#include "core/zeroed.hpp"
#include "kinglet/example.hpp"

namespace kinglet {

class HeadRows {
 public:
  HeadRows(const Shape& shape, TaskKind task, std::size_t capacity);

  std::size_t size() const { return weights_.size(); }
  bool is_full() const { return size() == capacity_; }

  // Keeps the first of the rows, as many as there is room for. `weights` is empty or has one weight per row.
  void add(const Rows& rows, const Targets& targets, std::span<const float> weights);
  Rows rows() const;
  Targets targets() const;
  std::span<const float> weights() const { return weights_; }

  void grow(std::uint32_t dimension);
  // From now on at most so many rows; the last ones leave.
  void limit(std::size_t capacity);
  // Multiplies every row feature by feature.
  void rescale_features(std::span<const float> ratios);

  static std::size_t bytes(const Shape& shape, std::size_t capacity);
  std::size_t memory_bytes() const;
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  std::size_t value_count() const;
  void add_row(const Features& x);

  bool sparse_;
  TaskKind task_;
  std::uint32_t dimension_;
  std::size_t capacity_;
  ZeroedFloats dense_;         // capacity × dimension
  std::vector<float> values_;  // sparse
  std::vector<std::uint32_t> indices_;
  std::vector<std::uint64_t> offsets_;
  std::vector<ClassId> classes_;  // or, for regression:
  std::vector<float> numbers_;
  std::vector<float> weights_;
};

}  // namespace kinglet
