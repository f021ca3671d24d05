// Scales the targets of regression, with statistics that are computed along the stream, as Scaler does for features:
//
//   z = (y − mean) / deviation        the learner sees z and learns f
//   y ≈ mean + deviation · f(x)       predictions are in the units of the target
//
// The head (the first rows) is counted before learning starts and is scaled with the statistics of all its rows. After
// that, a row is scaled with the statistics of the rows before it and counted afterwards, so its prediction does not
// know its target. The transform is recomputed only when the count has grown by one percent, and at the end of a pass.
// It depends only on the targets, not on how they are divided into batches.
//
// When the transform changes, f stays as it is: predictions move with the mean and the deviation, and learning corrects
// the rest. After the head these changes are small, like those of the scaled features. While all targets have been
// equal, z is 0 and the prediction is their value.
#pragma once

#include <cstdint>
#include <span>

#include "core/state.hpp"
#include "learn/target_moments.hpp"

namespace kinglet {

struct TargetTransform {
  double mean = 0;
  double deviation = 1;  // 0: all targets so far were equal

  float scaled(float target) const;
  float restored(float value) const;
};

class TargetScaler {
 public:
  // Counts the head and computes the first transform. Call once, before anything else.
  void begin(std::span<const float> head);
  // Counts a row, which has been scaled before (nothing is counted if the statistics are frozen).
  void count(float target);
  // Freezes the statistics.
  void hold();

  const TargetTransform& transform() const { return transform_; }

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  void refresh();

  bool held_ = false;
  TargetMoments moments_;
  std::uint64_t next_refresh_ = 0;  // the count at which the transform is recomputed next
  TargetTransform transform_;
};

}  // namespace kinglet
