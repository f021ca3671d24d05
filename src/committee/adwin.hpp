// ADWIN: a window over the latest values that ends where their mean changed. Values are in [0, 1]. Whenever the window
// can be cut into an older part of n₀ values and a newer one of n₁ whose means differ by more than chance explains,
//
//   |μ₀ − μ₁| > √(2/m · σ² · ln(2/δ′)) + 2/(3m) · ln(2/δ′)       1/m = 1/n₀ + 1/n₁,  δ′ = δ / ln n,  n = n₀ + n₁
//
// where σ² is the variance in the window, the oldest values are dropped until no such cut is left.
// Bifet, Gavaldà: Learning from Time-Changing Data with Adaptive Windowing, SDM (2007).
//
// The window is an exponential histogram: at most kMostBuckets buckets of 2^level values at each level, each with sums
// only; one more, and the two oldest of the level become one of the next. Cuts are tried between buckets. So a window
// of n values takes O(log n) memory, and the values themselves are not kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/state.hpp"

namespace kinglet {

class Adwin {
 public:
  static constexpr double kDelta = 0.002;
  static constexpr std::size_t kMostBuckets = 5;  // of each level
  static constexpr std::size_t kMostLevels = 20;  // beyond it, the oldest bucket leaves
  static constexpr std::uint64_t kFewest = 32;    // values on either side of a cut

  void add(double value);
  // Drops the values before a change, if there was one. Returns whether it dropped any.
  bool shrink();

  std::uint64_t width() const { return width_; }  // values in the window
  double mean() const { return width_ > 0 ? all_.sum / static_cast<double>(width_) : 0; }

  static constexpr std::size_t bytes();
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  struct Bucket {
    double sum = 0;
    double squares = 0;
    void add(const Bucket& other) {
      sum += other.sum;
      squares += other.squares;
    }
    void remove(const Bucket& other) {
      sum -= other.sum;
      squares -= other.squares;
    }
  };
  struct Level {
    std::array<Bucket, kMostBuckets + 1> buckets{};  // the oldest first
    std::size_t count = 0;
  };

  bool has_change() const;
  void drop_oldest();
  static Bucket take_first(Level& level);

  std::vector<Level> levels_;  // small buckets, which are the latest, first
  std::uint64_t width_ = 0;
  Bucket all_;  // their sum
};

constexpr std::size_t Adwin::bytes() { return (kMostLevels + 1) * sizeof(Level); }

}  // namespace kinglet
