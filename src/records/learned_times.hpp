// Which times of a column were learned, and what any other time counts as.
//
// Learning takes every time as it is, so the range of learned times grows along the stream. In prediction the trend
// says nothing beyond this range, and neither do cycles of which only a part was learned. Therefore
//
//   a later time counts as the last learned time at the same hour of the same weekday: it is moved back by whole weeks,
//   or by whole days if less than a week was learned, or to the last learned time if that hour was never learned;
//   an earlier time counts as the first one in the same way;
//   the season goes on by the calendar if the learned times cover a year (but for a week), and otherwise moves along.
//
// So a row to predict always has a trend, an hour and a weekday that were learned together.
#pragma once

#include "kinglet/schema.hpp"
#include "records/time_fields.hpp"

namespace kinglet {

// `times` with one more.
LearnedTimes with_time(const LearnedTimes& times, double seconds);

// What the time counts as in prediction; itself if it lies in the range, or if no time was learned.
TimePoint moved_into(const LearnedTimes& times, const TimePoint& time);

bool cover_a_year(const LearnedTimes& times);

}  // namespace kinglet
