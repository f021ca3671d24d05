#include "records/time_fields.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace kinglet {
namespace {

constexpr double kDay = 86400;
constexpr std::int64_t kFirstDay = -719162;  // 0001-01-01
constexpr std::int64_t kLastDay = 2932896;   // 9999-12-31

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in_month(std::int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Days from 1970-01-01 to the first day of a year: those of all years before it, since year 1.
std::int64_t days_before_year(std::int64_t year) {
  const std::int64_t past = year - 1;
  return kFirstDay + 365 * past + past / 4 - past / 100 + past / 400;
}

std::int64_t year_of_day(std::int64_t day) {
  auto year = static_cast<std::int64_t>(1 + static_cast<double>(day - kFirstDay) / 365.2425);
  while (days_before_year(year) > day) --year;
  while (days_before_year(year + 1) <= day) ++year;
  return year;
}

// Reads a text from its beginning.
class TimeScanner {
 public:
  explicit TimeScanner(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  char next() const { return text_.empty() ? '\0' : text_.front(); }
  bool take(char c) {
    if (next() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Exactly so many digits, as a number from `least` to `most`.
  bool digits(std::size_t count, int least, int most, int& number) {
    if (text_.size() < count) return false;
    number = 0;
    for (const char c : text_.substr(0, count)) {
      if (c < '0' || c > '9') return false;
      number = 10 * number + (c - '0');
    }
    text_.remove_prefix(count);
    return number >= least && number <= most;
  }
  // The digits after a decimal sign; at least one.
  bool fraction(double& value) {
    double unit = 0.1;
    const std::size_t size = text_.size();
    for (; next() >= '0' && next() <= '9'; unit /= 10) {
      value += unit * (next() - '0');
      text_.remove_prefix(1);
    }
    return text_.size() < size;
  }

 private:
  std::string_view text_;
};

bool scan_date(TimeScanner& in, double& seconds) {
  int year = 0, month = 0, day = 0;
  if (!in.digits(4, 1, 9999, year) || !in.take('-') || !in.digits(2, 1, 12, month) || !in.take('-')) return false;
  if (!in.digits(2, 1, days_in_month(year, month), day)) return false;
  std::int64_t days = days_before_year(year) + day - 1;
  for (int m = 1; m < month; ++m) days += days_in_month(year, m);
  seconds = kDay * static_cast<double>(days);
  return true;
}

// 08:15, 08:15:30, 08:15:30.25; 24:00 is the end of the day, and a leap second the beginning of the next minute.
bool scan_clock(TimeScanner& in, double& seconds) {
  int hour = 0, minute = 0, second = 0;
  double part = 0;
  if (!in.digits(2, 0, 24, hour) || !in.take(':') || !in.digits(2, 0, 59, minute)) return false;
  if (in.take(':')) {
    if (!in.digits(2, 0, 60, second)) return false;
    if ((in.take('.') || in.take(',')) && !in.fraction(part)) return false;
  }
  const double time = 3600.0 * hour + 60.0 * minute + second + part;
  if (time > kDay) return false;
  seconds += time;
  return true;
}

// Z, +02:00, +0200 or +02: the seconds that the clock is ahead of UTC.
bool scan_zone(TimeScanner& in, double& ahead) {
  if (in.take('Z') || in.take('z')) return true;
  const bool west = in.next() == '-';
  if (!in.take('+') && !in.take('-')) return false;
  int hours = 0, minutes = 0;
  if (!in.digits(2, 0, 23, hours)) return false;
  if (!in.at_end()) {
    in.take(':');
    if (!in.digits(2, 0, 59, minutes)) return false;
  }
  ahead = (west ? -60.0 : 60.0) * (60.0 * hours + minutes);
  return true;
}

}  // namespace

std::optional<TimePoint> parse_time(std::string_view text) {
  TimeScanner in(text);
  double clock = 0;
  double ahead = 0;
  if (!scan_date(in, clock)) return std::nullopt;
  if (in.take('T') || in.take('t') || in.take(' ')) {
    if (!scan_clock(in, clock)) return std::nullopt;
    in.take(' ');
    if (!in.at_end() && !scan_zone(in, ahead)) return std::nullopt;
  }
  if (!in.at_end()) return std::nullopt;
  return TimePoint{.seconds = clock - ahead, .clock = clock};
}

std::string_view name_of(TimeForm form) {
  constexpr std::string_view kNames[] = {"iso", "seconds", "milliseconds", "microseconds", "nanoseconds"};
  return kNames[static_cast<std::size_t>(form)];
}

double seconds_of(TimeForm form, double count) {
  constexpr double kPerSecond[] = {1, 1, 1e3, 1e6, 1e9};
  return count / kPerSecond[static_cast<std::size_t>(form)];
}

bool is_in_calendar(double seconds) {
  return seconds >= kDay * static_cast<double>(kFirstDay) && seconds < kDay * static_cast<double>(kLastDay + 1);
}

std::array<double, kCycleFeatures> cycles_of(double clock) {
  const double days = clock / kDay;
  const double whole = std::floor(days);
  const auto day = static_cast<std::int64_t>(whole);
  const std::int64_t year = year_of_day(day);
  const double of_day = days - whole;
  const double of_week = std::fmod(std::fmod(days + 3, 7) + 7, 7) / 7;  // 1970 began on a Thursday
  const double of_year = (static_cast<double>(day - days_before_year(year)) + of_day) / (is_leap(year) ? 366 : 365);
  std::array<double, kCycleFeatures> cycles{};
  std::size_t i = 0;
  for (const double part : {of_day, of_week, of_year}) {
    cycles[i++] = std::sin(2 * std::numbers::pi * part);
    cycles[i++] = std::cos(2 * std::numbers::pi * part);
  }
  return cycles;
}

}  // namespace kinglet
