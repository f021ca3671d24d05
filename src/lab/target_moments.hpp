// Mean and variance of a stream of numbers in one pass (Welford: Technometrics 4, 1962).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace kinglet {

class TargetMoments {
 public:
  void add(std::span<const float> numbers) {
    for (const float number : numbers) {
      const double delta = static_cast<double>(number) - mean_;
      mean_ += delta / static_cast<double>(++count_);
      squares_ += delta * (static_cast<double>(number) - mean_);
    }
  }
  std::uint64_t count() const { return count_; }
  double squares() const { return squares_; }  // sum of squared distances from the mean
  // The RMSE of always predicting the mean.
  double deviation() const { return count_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(count_)); }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace kinglet
