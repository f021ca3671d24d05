// Watches the progressive errors of whoever predicts, and tells when they became more: an alarm. An error is 1 for a
// mistake. In regression it is e²/(e² + s²), where e is the error of the prediction and s² what squared errors usually
// are, so the scale of the targets does not matter and single large errors count little. ADWIN finds the change
// (adwin.hpp); fewer errors than before end its window, too, but are no alarm. Nor is it one unless the recent error is
// above the usual one: s² follows a learner that becomes better with a delay. Nor is a change that began before the
// last alarm: the window often closes in on the place of a change by several steps.
//
// The latest kMostKept alarms are kept, and how many there were.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "committee/adwin.hpp"
#include "core/state.hpp"
#include "kinglet/standings.hpp"

namespace kinglet {

class DriftWatch {
 public:
  static constexpr std::size_t kMostKept = 64;

  DriftWatch() { alarms_.reserve(kMostKept + 1); }

  void add(double error) { window_.add(error); }
  // After `examples` examples of the stream: whether there is an alarm now. It is kept with the recent error of whoever
  // predicts and its steady one (standing.hpp).
  bool step(std::uint64_t examples, double recent_error, double steady_error);

  double error() const { return window_.mean(); }  // mean in the window: after an alarm, since the change
  std::uint64_t count() const { return count_; }
  std::span<const DriftAlarm> alarms() const { return alarms_; }

  static constexpr std::size_t bytes() { return Adwin::bytes() + (kMostKept + 1) * sizeof(DriftAlarm); }
  void save(StateWriter& out) const;
  void load(StateReader& in, std::uint64_t examples);

 private:
  Adwin window_;
  std::uint64_t count_ = 0;
  std::vector<DriftAlarm> alarms_;
};

}  // namespace kinglet
