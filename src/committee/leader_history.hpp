// Who led when, along a stream of any length in fixed memory: the stream is cut into windows of equal length, each with
// the leader at its end. When there are too many windows, they are joined in pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/state.hpp"
#include "kinglet/standings.hpp"

namespace kinglet {

class LeaderHistory {
 public:
  static constexpr std::size_t kMostWindows = 128;

  LeaderHistory() { windows_.reserve(kMostWindows + 1); }

  // Called along the stream, at increasing ends.
  void add(const Leadership& now) {
    if (windows_.empty() || now.end > full_) {
      windows_.push_back(now);
      full_ = (now.end - 1) / width_ * width_ + width_;
    } else {
      windows_.back() = now;
    }
    if (windows_.size() > kMostWindows) halve();
  }
  std::span<const Leadership> windows() const { return windows_; }

  void save(StateWriter& out) const;
  void load(StateReader& in, std::size_t members);

 private:
  // Windows begin at multiples of the width, so two that are joined are an even one and the odd one after it.
  void halve() {
    width_ *= 2;
    std::vector<Leadership> all;
    all.swap(windows_);
    windows_.reserve(kMostWindows + 1);
    full_ = 0;
    for (const Leadership& window : all) add(window);
  }

  std::uint64_t width_ = 64;
  std::uint64_t full_ = 0;  // where the last window is complete
  std::vector<Leadership> windows_;
};

}  // namespace kinglet
