#include "committee/recent_rows.hpp"

#include <utility>

namespace kinglet {

void RecentRows::add(const Rows& rows, const Targets& targets, std::span<const float> weights) {
  for (std::size_t at = 0; at < rows.count;) {
    if (blocks_[1].size() == kBlock) {
      std::swap(blocks_[0], blocks_[1]);
      blocks_[1].restart();
    }
    const std::size_t n = std::min(rows.count - at, kBlock - blocks_[1].size());
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
  StateReader::require(blocks_[0].size() == 0 || blocks_[0].size() == kBlock, "the recent rows");
}

}  // namespace kinglet
