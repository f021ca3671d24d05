// The noise of the targets of regression along a stream: the mean of e²/(1 + v/r) over the progressive errors e, where
// v/r is the part of an error that the uncertainty of the coefficients explains. Steps of max(1/t, 1/1000), so early
// errors fade. Only the first pass counts: later ones see examples that have been learned.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/state.hpp"

namespace kinglet {

class ResidualVariance {
 public:
  void take_in(double error, double relative_variance, double weight) {
    if (held_) return;
    total_ += weight;
    mean_ +=
        std::min(1.0, weight * std::max(1 / total_, 1 / kMemory)) * (error * error / (1 + relative_variance) - mean_);
  }
  // What another learner has estimated from other examples.
  void add(const ResidualVariance& other) {
    const double sum = total_ + other.total_;
    if (sum > 0) mean_ += other.total_ / sum * (other.mean_ - mean_);
    total_ = sum;
    held_ = held_ || other.held_;
  }
  void hold() { held_ = true; }  // the end of the first pass
  double value() const { return mean_; }
  bool is_known() const { return total_ > 0; }

  void save(StateWriter& out) const {
    out.put(mean_);
    out.put(total_);
    out.put<std::uint8_t>(held_ ? 1 : 0);
  }
  void load(StateReader& in) {
    mean_ = in.get<double>();
    total_ = in.get<double>();
    StateReader::require(std::isfinite(mean_) && mean_ >= 0 && std::isfinite(total_) && total_ >= 0,
                         "a variance that is not a number");
    held_ = in.get<std::uint8_t>() != 0;
  }

 private:
  static constexpr double kMemory = 1000;
  double mean_ = 0;
  double total_ = 0;
  bool held_ = false;
};

}  // namespace kinglet
