// Parses numbers that are not on the fast path, and describes tokens that are not numbers.
#include "core/number.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace kinglet {

const char* parse_float_slowly(const char* p, const char* end, bool negative, float& value) {
  if (p == end || !(number_detail::is_digit(*p) || *p == '.')) return nullptr;  // a second sign, a word or nothing
  float magnitude = 0;
  const auto result = fast_float::from_chars(p, end, magnitude);
  // A number too small for a float is read as 0; some releases of fast_float report it as an error.
  if (result.ptr == p || result.ec == std::errc::invalid_argument || !std::isfinite(magnitude)) return nullptr;
  value = negative ? -magnitude : magnitude;
  return result.ptr;
}

bool read_number(std::string_view text, float& value) {
  constexpr std::size_t kShort = 48;
  char buffer[kShort + 1 + kNumberSlack] = {};
  std::string copy;
  char* p = buffer;
  if (text.size() > kShort) {
    copy.resize(text.size() + 1 + kNumberSlack);
    p = copy.data();
  }
  std::copy(text.begin(), text.end(), p);
  return parse_float(p, p + text.size() + 1, value) == p + text.size() && !text.empty();
}

bool read_number(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || !(number_detail::is_digit(digits.front()) || digits.front() == '.')) return false;
  const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec != std::errc::invalid_argument && result.ptr == text.data() + text.size() && std::isfinite(value);
}

std::string_view number_fault(std::string_view token) {
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) token.remove_prefix(1);
  const bool second_sign = !token.empty() && token.front() == '-';
  double value = 0;
  const auto result = fast_float::from_chars(token.data(), token.data() + token.size(), value);
  if (second_sign || result.ptr != token.data() + token.size() || result.ptr == token.data()) return "is not a number";
  const bool has_digit = token.find_first_of("0123456789") != std::string_view::npos;
  if (has_digit) return "is out of range of a 32-bit float";
  return "is not finite";
}

}  // namespace kinglet
