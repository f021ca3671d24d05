#include "learn/target_scaler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"

namespace kinglet {
namespace {

// Limits of scaled targets and of predictions, so that both are finite floats.
constexpr double kMostScaled = 1e12;
constexpr double kMostRestored = std::numeric_limits<float>::max();

}  // namespace

float TargetTransform::scaled(float target) const {
  if (deviation == 0) return 0;
  return static_cast<float>(std::clamp((static_cast<double>(target) - mean) / deviation, -kMostScaled, kMostScaled));
}

float TargetTransform::restored(float value) const {
  return static_cast<float>(std::clamp(mean + deviation * static_cast<double>(value), -kMostRestored, kMostRestored));
}

void TargetScaler::begin(std::span<const float> head) {
  KINGLET_ASSERT(moments_.count() == 0 && !head.empty());
  moments_.add(head);
  refresh();
}

void TargetScaler::count(float target) {
  if (held_) return;
  moments_.add(target);
  if (moments_.count() >= next_refresh_) refresh();
}

// While all targets are equal, every row may be the first that differs.
void TargetScaler::refresh() {
  const std::uint64_t count = moments_.count();
  transform_ = {.mean = moments_.mean(), .deviation = moments_.deviation()};
  next_refresh_ = count + (transform_.deviation == 0 ? 1 : std::max<std::uint64_t>(1, count / 100));
}

void TargetScaler::hold() {
  if (held_) return;
  refresh();
  held_ = true;
}

void TargetScaler::save(StateWriter& out) const {
  out.put<std::uint8_t>(held_ ? 1 : 0);
  moments_.save(out);
  out.put(next_refresh_);
  out.put(transform_.mean);
  out.put(transform_.deviation);
}

void TargetScaler::load(StateReader& in) {
  held_ = in.get<std::uint8_t>() != 0;
  moments_.load(in);
  next_refresh_ = in.get<std::uint64_t>();
  transform_ = {.mean = in.get<double>(), .deviation = in.get<double>()};
  StateReader::require(moments_.count() > 0 && next_refresh_ > moments_.count() && next_refresh_ <= UINT64_MAX / 2,
                       "the counts of targets");
  StateReader::require(
      std::isfinite(transform_.mean) && std::isfinite(transform_.deviation) && transform_.deviation >= 0,
      "the scaling of targets");
}

}  // namespace kinglet
