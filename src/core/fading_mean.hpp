// A mean over all numbers so far while they are few, then over about the last kHorizon of them.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/state.hpp"

namespace kinglet {

class FadingMean {
 public:
  static constexpr double kHorizon = 50;

  double value() const { return value_; }
  void add(double number) {
    count_ = std::min(count_ + 1, kHorizon);
    value_ += (number - value_) / count_;
  }
  void save(StateWriter& out) const {
    out.put(value_);
    out.put(count_);
  }
  void load(StateReader& in) {
    value_ = in.get<double>();
    count_ = in.get<double>();
    StateReader::require(std::isfinite(value_) && count_ >= 0 && count_ <= kHorizon, "a mean that is not a number");
  }

 private:
  double value_ = 0;
  double count_ = 0;
};

}  // namespace kinglet
