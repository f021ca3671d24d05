// Dates and times: what is one, which second it is, and where it is in the day, the week and the year.
#include "records/time_fields.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <ctime>
#include <numbers>

namespace kinglet {
namespace {

double seconds_of(std::string_view text) { return parse_time(text).value().seconds; }

TEST(TimeFields, ReadsDatesAndTimes) {
  EXPECT_EQ(seconds_of("1970-01-01"), 0);
  EXPECT_EQ(seconds_of("1970-01-02T00:00:01Z"), 86401);
  EXPECT_EQ(seconds_of("1969-12-31 23:59"), -60);
  EXPECT_EQ(seconds_of("2024-02-29"), 1709164800);
  EXPECT_EQ(seconds_of("2001-09-09T01:46:40z"), 1e9);
  EXPECT_DOUBLE_EQ(seconds_of("1970-01-01T00:00:00.25"), 0.25);
  EXPECT_DOUBLE_EQ(seconds_of("1970-01-01T00:00:00,5"), 0.5);
  EXPECT_EQ(seconds_of("1970-01-01T24:00"), 86400);
  EXPECT_EQ(seconds_of("1972-06-30T23:59:60Z"), seconds_of("1972-07-01"));
  EXPECT_EQ(seconds_of("0001-01-01"), -62135596800);
}

TEST(TimeFields, AZoneShiftsTheTimeButNotTheClock) {
  for (const char* text : {"2024-05-31T08:15:30+02:00", "2024-05-31T08:15:30+0200", "2024-05-31 08:15:30 +02"}) {
    const auto time = parse_time(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(time->seconds, seconds_of("2024-05-31T06:15:30Z"));
    EXPECT_EQ(time->clock, seconds_of("2024-05-31T08:15:30Z"));
  }
  EXPECT_EQ(seconds_of("2024-05-31T08:15-05:30"), seconds_of("2024-05-31T13:45"));
}

TEST(TimeFields, RefusesWhatIsNoTime) {
  for (const char* text : {"",
                           "2024",
                           "2024-05",
                           "20240531",
                           "2024-5-31",
                           "2024-13-01",
                           "2023-02-29",
                           "1900-02-29",
                           "0000-01-01",
                           "2024-05-31T",
                           "2024-05-31T8:15",
                           "2024-05-31T25:00",
                           "2024-05-31T24:01",
                           "2024-05-31T08:60",
                           "2024-05-31T08:15:61",
                           "2024-05-31T08:15:30.",
                           "2024-05-31T08:15+",
                           "2024-05-31T08:15+2",
                           "2024-05-31T08:15+02:60",
                           "2024-05-31x",
                           "2024-05-31T08:15Zx",
                           "-2024-05-31",
                           "2024-05-31T08:15:30+02:00:00",
                           "31.05.2024",
                           "2024/05/31"}) {
    EXPECT_FALSE(parse_time(text)) << text;
  }
}

TEST(TimeFields, AgreesWithTheCalendarOfTheSystem) {
  EXPECT_TRUE(rc::check([] {
    const auto second = *rc::gen::inRange<std::int64_t>(-62135596800, 253402300799);
    const auto time = static_cast<std::time_t>(second);
    std::tm parts{};
    RC_ASSERT(gmtime_r(&time, &parts) != nullptr);
    const auto text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                                  parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
    const auto read = parse_time(text);
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->seconds == static_cast<double>(second));
    RC_ASSERT(is_in_calendar(read->seconds));
    // The cycles from the parts of the date.
    const double day = (parts.tm_hour + (parts.tm_min + parts.tm_sec / 60.0) / 60) / 24;
    const int year = parts.tm_year + 1900;
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    const double parts_of[] = {day, ((parts.tm_wday + 6) % 7 + day) / 7, (parts.tm_yday + day) / (leap ? 366 : 365)};
    const auto cycles = cycles_of(read->clock);
    for (std::size_t i = 0; i < 3; ++i) {
      RC_ASSERT(std::abs(cycles[2 * i] - std::sin(2 * std::numbers::pi * parts_of[i])) < 1e-5);
      RC_ASSERT(std::abs(cycles[2 * i + 1] - std::cos(2 * std::numbers::pi * parts_of[i])) < 1e-5);
    }
  }));
}

TEST(TimeFields, NeverReadsMoreThanTheText) {
  EXPECT_TRUE(rc::check([] {
    std::string text = "2024-05-31T08:15:30.25+02:00";
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    text[at] = *rc::gen::element('0', '9', '-', ':', 'T', 'Z', '.', ' ', 'x', '\0');
    text.resize(*rc::gen::inRange<std::size_t>(0, text.size() + 1));
    const auto time = parse_time(std::string(text));
    if (time) RC_ASSERT(std::isfinite(time->seconds) && std::isfinite(cycles_of(time->clock)[5]));
  }));
}

}  // namespace
}  // namespace kinglet
