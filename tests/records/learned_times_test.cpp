// What times outside of the learned ones count as.
#include "records/learned_times.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

namespace kinglet {
namespace {

constexpr double kDay = 86400;
constexpr double kHour = 3600;

double moved(const LearnedTimes& times, double seconds) {
  return moved_into(times, {.seconds = seconds, .clock = seconds}).seconds;
}

TEST(LearnedTimes, GrowByEachTime) {
  LearnedTimes times;
  EXPECT_FALSE(times.any());
  for (const double seconds : {5 * kDay, 2 * kDay, 3 * kDay}) times = with_time(times, seconds);
  EXPECT_EQ(times, (LearnedTimes{.first = 2 * kDay, .last = 5 * kDay}));
}

TEST(LearnedTimes, ALaterTimeCountsAsTheLastOneOfTheWeek) {
  const LearnedTimes times{.first = 0, .last = 30 * kDay};
  EXPECT_EQ(moved(times, 31 * kDay), 24 * kDay);
  EXPECT_EQ(moved(times, 37 * kDay), 30 * kDay);
  EXPECT_EQ(moved(times, 10000 * kDay + kHour), 25 * kDay + kHour);
  EXPECT_EQ(moved(times, -kDay), 6 * kDay);
}

TEST(LearnedTimes, OfLessThanAWeekTheHourCounts) {
  const LearnedTimes times{.first = 10 * kDay, .last = 12 * kDay};
  EXPECT_EQ(moved(times, 18 * kDay), 11 * kDay);                  // a week later
  EXPECT_EQ(moved(times, 14 * kDay + kHour), 11 * kDay + kHour);  // that weekday was not learned
  EXPECT_EQ(moved(times, 8 * kDay + kHour), 10 * kDay + kHour);
  const LearnedTimes hours{.first = 10 * kDay, .last = 10 * kDay + 2 * kHour};
  EXPECT_EQ(moved(hours, 11 * kDay + kHour), 10 * kDay + kHour);
  EXPECT_EQ(moved(hours, 11 * kDay + 5 * kHour), hours.last);  // that hour was not learned
}

TEST(LearnedTimes, AlwaysGiveALearnedTimeWithItsClock) {
  EXPECT_TRUE(rc::check([] {
    const auto first = static_cast<double>(*rc::gen::inRange(-5'000'000, 5'000'000));
    const auto length = static_cast<double>(*rc::gen::inRange(0, 3'000'000));
    const auto seconds = static_cast<double>(*rc::gen::inRange(-50'000'000, 50'000'000));
    const auto ahead = static_cast<double>(*rc::gen::inRange(-14, 15)) * kHour;
    const LearnedTimes times{.first = first, .last = first + length};
    const TimePoint found = moved_into(times, {.seconds = seconds, .clock = seconds + ahead});
    RC_ASSERT(times.contains(found.seconds));
    RC_ASSERT(found.clock == found.seconds + ahead);
    if (times.contains(seconds)) RC_ASSERT(found.seconds == seconds);
    if (length >= 7 * kDay) RC_ASSERT(std::fmod(found.seconds - seconds, 7 * kDay) == 0);
    if (length >= kDay) RC_ASSERT(std::fmod(found.seconds - seconds, kDay) == 0);
  }));
}

TEST(LearnedTimes, NoneLearnedChangesNothing) { EXPECT_EQ(moved({}, 5 * kDay), 5 * kDay); }

TEST(LearnedTimes, CoverAYearButForAWeek) {
  EXPECT_TRUE(cover_a_year({.first = 0, .last = 364 * kDay}));
  EXPECT_TRUE(cover_a_year({.first = 0, .last = 357 * kDay}));
  EXPECT_FALSE(cover_a_year({.first = 0, .last = 350 * kDay}));
}

}  // namespace
}  // namespace kinglet
