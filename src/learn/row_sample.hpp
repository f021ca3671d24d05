// A sample of the rows of a stream with their targets and weights, for learners that learn rows again. It keeps every
// row until it is full. From then on it keeps one row of each group of k = 2, 4, 8, … consecutive rows, and doubles k
// each time it is full again:
//
//   row i is kept at k = 2^j  if for each level l = 1 … j:   bit l−1 of i  =  coin(l, i >> l)
//
// The coins are a hash, so each row of a group has the same chance, the sample covers the whole stream evenly, and
// whether a row is kept does not depend on batches. The rows kept at 2k are a part of those kept at k.
//
// Rows are kept in the form in which learners get them. Dense rows take a known amount of memory. Lists of nonzero
// values take no more, usually far less: the sample counts as full when they would. With sparse vectors, whose memory
// is not known either, they take what they need.
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

class RowSample {
 public:
  RowSample(const Shape& shape, TaskKind task, std::size_t capacity);

  std::size_t size() const { return weights_.size(); }

  std::size_t capacity() const { return capacity_; }
  std::uint64_t offered() const { return offered_; }  // rows of the stream so far
  bool is_complete() const { return size() == offered_; }

  std::size_t fitting(const Rows& rows) const;  // how many of the first of these rows fit beside those that it has

  // `weights` is empty or has one weight per row.
  void add(const Rows& rows, const Targets& targets, std::span<const float> weights);
  Rows rows() const;
  Targets targets() const;
  std::span<const float> weights() const { return weights_; }

  void grow(std::uint32_t dimension);
  // Begins again, without rows, at the next row of the stream.
  void restart();
  // From now on at most so many rows.
  void limit(std::size_t capacity);
  // Multiplies every row feature by feature.
  void rescale_features(std::span<const float> ratios);

  static std::size_t bytes(const Shape& shape, std::size_t capacity);
  std::size_t memory_bytes() const;
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  std::size_t value_count() const;
  std::size_t most_values() const;
  bool is_over(std::size_t rows, std::size_t values) const;
  void reserve_values(std::size_t count);
  void load_dense(std::span<const float> values);
  bool is_kept(std::uint64_t row) const;
  void add_row(const Features& x);
  void thin();
  void shrink(std::size_t count);

  static constexpr std::uint32_t kLists = 64;  // added to stride_log_ in files

  bool lists_;       // of nonzero values
  bool is_bounded_;  // they take a known amount of memory
  TaskKind task_;
  std::uint32_t class_count_;  // when it was made: a saved sample has no other classes
  std::uint32_t dimension_;
  std::size_t capacity_;
  std::uint64_t offered_ = 0;
  std::uint32_t stride_log_ = 0;  // one row of 2^stride_log_ is kept
  ZeroedFloats dense_;            // capacity × dimension
  std::vector<float> values_;     // sparse
  std::vector<std::uint32_t> indices_;
  std::vector<std::uint64_t> offsets_;
  std::vector<ClassId> classes_;  // or, for regression:
  std::vector<float> numbers_;
  std::vector<float> weights_;
};

}  // namespace kinglet
