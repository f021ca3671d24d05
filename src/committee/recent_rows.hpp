// The latest rows of a stream with their targets and weights: at least kBlock of them, once there were so many, and at
// most twice as many. They are in two blocks. When the newer one is full, it becomes the older one, and the rows of the
// older one are forgotten. Where rows are lists of nonzero values, a block may be full with fewer rows
// (learn/row_sample.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "learn/row_sample.hpp"

namespace kinglet {

class RecentRows {
 public:
  static constexpr std::size_t kBlock = 128;

  RecentRows(const Shape& shape, TaskKind task)
      : blocks_{RowSample(shape, task, kBlock), RowSample(shape, task, kBlock)} {}

  std::size_t size() const { return blocks_[0].size() + blocks_[1].size(); }
  // `weights` is empty or has one weight per row.
  void add(const Rows& rows, const Targets& targets, std::span<const float> weights);
  // Calls visit(rows, targets, weights) for the latest `count` rows, or all if there are fewer, in their order and in
  // at most two parts.
  template <class Visit>
  void visit(std::size_t count, const Visit& visit) const {
    std::size_t left = std::min(count, size());
    for (const RowSample* block : {&blocks_[0], &blocks_[1]}) {
      const std::size_t later = block == &blocks_[0] ? blocks_[1].size() : 0;
      const std::size_t n = left > later ? left - later : 0;
      if (n == 0) continue;
      const std::size_t from = block->size() - n;
      visit(block->rows().slice(from, n), block->targets().slice(from, n), block->weights().subspan(from, n));
      left -= n;
    }
  }

  void restart();
  void grow(std::uint32_t dimension);
  void rescale_features(std::span<const float> ratios);

  static std::size_t bytes(const Shape& shape) { return 2 * RowSample::bytes(shape, kBlock); }
  std::size_t memory_bytes() const { return blocks_[0].memory_bytes() + blocks_[1].memory_bytes(); }
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  std::array<RowSample, 2> blocks_;  // the older one first
};

}  // namespace kinglet
