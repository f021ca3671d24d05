#include "committee/recent_rows.hpp"

#include <utility>

namespace kinglet {

void RecentRows::add(const Rows& rows, const Targets& targets, std::span<const float> weights) {
  for (std::size_t at = 0; at < rows.count;) {
    const std::size_t n = blocks_[1].fitting(rows.slice(at, rows.count - at));
    if (n == 0) {
      std::swap(blocks_[0], blocks_[1]);
      blocks_[1].restart();
      continue;
    }
    blocks_[1].add(rows.slice(at, n), targets.slice(at, n), weights.empty() ? weights : weights.subspan(at, n));
    at += n;
  }
}

void RecentRows::restart() {
  for (RowSample& block : blocks_) block.restart();
}

void RecentRows::grow(std::uint32_t dimension) {
  for (RowSample& block : blocks_) block.grow(dimension);
}

void RecentRows::rescale_features(std::span<const float> ratios) {
  for (RowSample& block : blocks_) block.rescale_features(ratios);
}

void RecentRows::save(StateWriter& out) const {
  for (const RowSample& block : blocks_) block.save(out);
}

void RecentRows::load(StateReader& in) {
  for (RowSample& block : blocks_) {
    block.load(in);
    StateReader::require(block.is_complete(), "the recent rows");
  }
}

}  // namespace kinglet
