#include "committee/adwin.hpp"

#include <algorithm>
#include <cmath>

namespace kinglet {

Adwin::Bucket Adwin::take_first(Level& level) {
  const Bucket first = level.buckets[0];
  std::shift_left(level.buckets.begin(), level.buckets.begin() + static_cast<std::ptrdiff_t>(level.count), 1);
  --level.count;
  return first;
}

void Adwin::add(double value) {
  Bucket carried{.sum = value, .squares = value * value};
  all_.add(carried);
  ++width_;
  for (std::size_t at = 0;; ++at) {
    if (at == levels_.size()) levels_.emplace_back();
    Level& level = levels_[at];
    level.buckets[level.count++] = carried;
    if (level.count <= kMostBuckets) break;
    carried = take_first(level);
    carried.add(take_first(level));
  }
  if (levels_.size() > kMostLevels) drop_oldest();
}

bool Adwin::shrink() {
  const std::uint64_t before = width_;
  while (has_change()) drop_oldest();
  return width_ < before;
}

void Adwin::drop_oldest() {
  all_.remove(take_first(levels_.back()));
  width_ -= std::uint64_t{1} << (levels_.size() - 1);
  while (!levels_.empty() && levels_.back().count == 0) levels_.pop_back();
}

// From the oldest bucket on: the sums of the older part grow.
bool Adwin::has_change() const {
  if (width_ < 2 * kFewest) return false;
  const auto n = static_cast<double>(width_);
  const double variance = std::max(0.0, all_.squares / n - mean() * mean());
  const double log_term = std::log(2 * std::log(n) / kDelta);
  double older = 0;
  std::uint64_t count = 0;
  for (std::size_t at = levels_.size(); at-- > 0;) {
    for (std::size_t b = 0; b < levels_[at].count; ++b) {
      older += levels_[at].buckets[b].sum;
      count += std::uint64_t{1} << at;
      if (count < kFewest) continue;
      if (width_ - count < kFewest) return false;
      const auto n0 = static_cast<double>(count);
      const double n1 = n - n0;
      const double inverse_m = 1 / n0 + 1 / n1;
      const double bound = std::sqrt(2 * inverse_m * variance * log_term) + 2.0 / 3 * inverse_m * log_term;
      if (std::abs(older / n0 - (all_.sum - older) / n1) > bound) return true;
    }
  }
  return false;
}

void Adwin::save(StateWriter& out) const {
  out.put<std::uint64_t>(levels_.size());
  for (const Level& level : levels_) {
    out.put<std::uint64_t>(level.count);
    for (std::size_t b = 0; b < level.count; ++b) {
      out.put(level.buckets[b].sum);
      out.put(level.buckets[b].squares);
    }
  }
  out.put(all_.sum);  // not always what adding the buckets up would give
  out.put(all_.squares);
}

void Adwin::load(StateReader& in) {
  const auto require = [](bool holds) { StateReader::require(holds, "the window of its errors"); };
  levels_.assign(in.get_count(sizeof(std::uint64_t)), {});
  require(levels_.size() <= kMostLevels);
  width_ = 0;
  for (std::size_t at = 0; at < levels_.size(); ++at) {
    Level& level = levels_[at];
    level.count = static_cast<std::size_t>(in.get<std::uint64_t>());
    require(level.count <= kMostBuckets && (level.count > 0 || at + 1 < levels_.size()));
    for (std::size_t b = 0; b < level.count; ++b) {
      level.buckets[b] = {.sum = in.get<double>(), .squares = in.get<double>()};
      require(std::isfinite(level.buckets[b].sum) && std::isfinite(level.buckets[b].squares));
    }
    width_ += static_cast<std::uint64_t>(level.count) << at;
  }
  all_.sum = in.get<double>();
  all_.squares = in.get<double>();
  require(std::isfinite(all_.sum) && std::isfinite(all_.squares));
}

}  // namespace kinglet
