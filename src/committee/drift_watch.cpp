#include "committee/drift_watch.hpp"

#include <algorithm>

namespace kinglet {

bool DriftWatch::step(std::uint64_t examples, double recent_error, double steady_error) {
  const double before = window_.mean();
  if (!window_.shrink() || window_.mean() <= before) return false;
  if (!(recent_error > steady_error)) return false;
  const std::uint64_t since = examples - std::min(examples, window_.width());
  if (!alarms_.empty() && since < alarms_.back().at) return false;
  ++count_;
  alarms_.push_back({.at = examples, .since = since, .recent_error = recent_error, .usual_error = steady_error});
  if (alarms_.size() > kMostKept) alarms_.erase(alarms_.begin());
  return true;
}

void DriftWatch::save(StateWriter& out) const {
  window_.save(out);
  out.put(count_);
  out.put<std::uint64_t>(alarms_.size());
  for (const DriftAlarm& alarm : alarms_) {
    out.put(alarm.at);
    out.put(alarm.since);
    out.put(alarm.recent_error);
    out.put(alarm.usual_error);
  }
}

void DriftWatch::load(StateReader& in, std::uint64_t examples) {
  window_.load(in);
  count_ = in.get<std::uint64_t>();
  alarms_.resize(in.get_count(4 * sizeof(std::uint64_t)));
  StateReader::require(alarms_.size() <= kMostKept && alarms_.size() <= count_, "its alarms");
  std::uint64_t last = 0;
  for (DriftAlarm& alarm : alarms_) {
    alarm.at = in.get<std::uint64_t>();
    alarm.since = in.get<std::uint64_t>();
    alarm.recent_error = in.get<double>();
    alarm.usual_error = in.get<double>();
    StateReader::require(alarm.at > last && alarm.at <= examples && alarm.since <= alarm.at, "its alarms");
    last = alarm.at;
  }
}

}  // namespace kinglet
