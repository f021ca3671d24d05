#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace kinglet::cli {
namespace {

// Three significant digits without an exponent, for 0 ≤ value < 1000 or so.
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::string count_text(std::uint64_t n) {
  std::string digits = fmt::format("{}", n);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string short_text(double value) {
  if (value < 1000 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  constexpr std::array<const char*, 5> kSuffixes = {"", "k", "M", "G", "T"};
  std::size_t step = 0;
  while (value >= 999.5 && step + 1 < kSuffixes.size()) {
    value /= 1000;
    ++step;
  }
  return three_digits(value) + kSuffixes[step];
}

std::string rate_text(double per_second) { return short_text(per_second) + "/s"; }

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t step = 0;
  while (value >= 1023.5 && step + 1 < kUnits.size()) {
    value /= 1024;
    ++step;
  }
  return fmt::format("{} {}", three_digits(value), kUnits[step]);
}

std::string seconds_text(double seconds) {
  if (seconds < 0.9995) return fmt::format("{:.{}f} ms", seconds * 1000, seconds < 0.00995 ? 1 : 0);
  if (seconds < 120) return three_digits(seconds) + " s";
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string fraction_text(double fraction) { return fmt::format("{:.4f}", fraction); }

std::string number_text(double value) { return fmt::format("{:.5g}", value); }

std::string plural(std::uint64_t n, std::string_view one, std::string_view many) {
  const std::string others = many.empty() ? std::string(one) + "s" : std::string(many);
  return fmt::format("{} {}", count_text(n), n == 1 ? std::string(one) : others);
}

std::string capital(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

}  // namespace kinglet::cli
