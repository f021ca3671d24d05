#include "records/learned_times.hpp"

#include <algorithm>
#include <cmath>

namespace kinglet {
namespace {

constexpr double kDayLength = 86400;
constexpr double kWeekLength = 7 * kDayLength;

// The seconds moved by the fewest whole periods that bring them to the near end of the range, perhaps beyond the other
// end.
double moved_by(double period, const LearnedTimes& times, double seconds) {
  if (seconds > times.last) return seconds - std::ceil((seconds - times.last) / period) * period;
  return seconds + std::ceil((times.first - seconds) / period) * period;
}

}  // namespace

LearnedTimes with_time(const LearnedTimes& times, double seconds) {
  if (!times.any()) return {.first = seconds, .last = seconds};
  return {.first = std::min(times.first, seconds), .last = std::max(times.last, seconds)};
}

TimePoint moved_into(const LearnedTimes& times, const TimePoint& time) {
  if (!times.any() || times.contains(time.seconds)) return time;
  double seconds = moved_by(kWeekLength, times, time.seconds);
  if (!times.contains(seconds)) seconds = moved_by(kDayLength, times, time.seconds);
  if (!times.contains(seconds)) seconds = time.seconds > times.last ? times.last : times.first;
  return {.seconds = seconds, .clock = seconds + (time.clock - time.seconds)};
}

bool cover_a_year(const LearnedTimes& times) { return times.last - times.first >= 51 * kWeekLength; }

}  // namespace kinglet
