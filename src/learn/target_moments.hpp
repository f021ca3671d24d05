// Mean and variance of a stream of numbers in one pass (Welford: Technometrics 4, 1962).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "core/state.hpp"

namespace kinglet {

class TargetMoments {
 public:
  void add(float number) {
    const double delta = static_cast<double>(number) - mean_;
    mean_ += delta / static_cast<double>(++count_);
    squares_ += delta * (static_cast<double>(number) - mean_);
  }
  void add(std::span<const float> numbers) {
    for (const float number : numbers) add(number);
  }
  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  double squares() const { return squares_; }  // sum of squared distances from the mean
  // The RMSE of always predicting the mean.
  double deviation() const { return count_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(count_)); }

  void save(StateWriter& out) const {
    out.put(count_);
    out.put(mean_);
    out.put(squares_);
  }
  void load(StateReader& in) {
    count_ = in.get<std::uint64_t>();
    mean_ = in.get<double>();
    squares_ = in.get<double>();
    StateReader::require(count_ <= std::uint64_t{1} << 53, "the count of targets");
    StateReader::require(std::isfinite(mean_) && std::isfinite(squares_) && squares_ >= 0, "the moments of targets");
  }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace kinglet
