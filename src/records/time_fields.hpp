// Points in time: ISO 8601 text, and the features of a time.
//
//   2024-05-31            2024-05-31T08:15           2024-05-31 08:15:30.25Z         2024-05-31T08:15:30+02:00
//
// A time zone shifts the time to UTC. The cycles follow the clock of the place, as it is written: eight in the morning
// is eight in the morning in every zone. Without a zone, both are the same.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "records/schema.hpp"

namespace kinglet {

struct TimePoint {
  double seconds = 0;  // since 1970-01-01 00:00 UTC
  double clock = 0;    // what a clock at the place shows, as seconds since it showed 1970-01-01 00:00
};

// Nullopt if the text is not a date from year 1 on, alone or with a time.
std::optional<TimePoint> parse_time(std::string_view text);

// seconds, milliseconds, ...; iso for ISO 8601.
std::string_view name_of(TimeForm form);

// The seconds in a count of this form, which are themselves if it is ISO 8601.
double seconds_of(TimeForm form, double count);

// Whether the seconds are between the years 1 and 9999, as all times must be.
bool is_in_calendar(double seconds);

// Sine and cosine of the part of the day, of the week from Monday, and of the year that have passed.
std::array<double, kCycleFeatures> cycles_of(double clock);

}  // namespace kinglet
