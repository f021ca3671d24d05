// Parses decimal numbers exactly: the result is always the float nearest to the text.
//
// Short numbers take a fast path. Up to 2^53 the digits w are exact in a double, and so is a power of ten up to 10^22;
// hence w · 10^±k is the nearest double. Rounding it again, to float, is correct unless the double lies exactly in the
// middle between two floats. Such numbers, and all longer ones, are parsed by fast_float.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace kinglet {

// The functions below may read this many bytes past the byte that ends a number.
inline constexpr std::size_t kNumberSlack = 8;

struct Digits {
  std::uint64_t value;
  unsigned count;  // 0 to 8
};

// Reads up to eight decimal digits at `p` without a loop, whose length would be hard to predict.
inline Digits leading_digits(const char* p) {
  static_assert(std::endian::native == std::endian::little, "the first digit must be the lowest byte");
  std::uint64_t v;
  std::memcpy(&v, p, 8);
  v ^= 0x3030303030303030;  // a digit becomes 0..9, other bytes become larger
  const std::uint64_t others = ((v + 0x7676767676767676) | v) & 0x8080808080808080;
  const unsigned count = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (count == 0) return {0, 0};
  v <<= 64 - 8 * count;  // leading zeros
  v = v * 10 + (v >> 8);
  v = ((v & 0x000000FF000000FF) * 0x000F424000000064 + ((v >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >> 32;
  return {v, count};
}

// The general case of parse_float: any length, any exponent. The sign has been read.
const char* parse_float_slowly(const char* p, const char* end, bool negative, float& value);

// The number that is the whole text. False if it is none; number_fault() says why. Unlike parse_float, it reads no byte
// outside of the text.
bool read_number(std::string_view text, float& value);
bool read_number(std::string_view text, double& value);

// What is wrong with a token that parse_float could not read completely, to be appended to the token in a message: "is
// not a number", "is not finite", "is out of range of a 32-bit float".
std::string_view number_fault(std::string_view token);

namespace number_detail {

inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t kPowersOfTenWhole[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

// Whether the double lies in the middle between two floats, so that rounding depends on digits that it has lost.
inline bool is_between_floats(double x) { return (std::bit_cast<std::uint64_t>(x) & 0x1FFFFFFF) == 0x10000000; }

inline float with_sign(float magnitude, bool negative) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) ^ (static_cast<std::uint32_t>(negative) << 31));
}

}  // namespace number_detail

// Reads the number at `p`: [+-]digits[.digits][e[+-]digits], where digits may be missing on one side of the point.
// Returns the byte after it, or nullptr if there is no number or it is not finite or too large for a float. Before
// `end` there must be a byte that cannot belong to a number; kNumberSlack bytes after it may be read.
inline const char* parse_float(const char* p, const char* end, float& value) {
  using namespace number_detail;
  bool negative = false;
  if (*p == '-' || *p == '+') [[unlikely]] {
    negative = *p == '-';
    ++p;
  }
  const char* const first = p;
  if (is_digit(p[0]) && static_cast<unsigned char>(p[1]) < '.') {  // one digit followed by a blank, a comma or the like
    value = with_sign(static_cast<float>(p[0] - '0'), negative);
    return p + 1;
  }
  auto [w, count] = leading_digits(p);
  p += count;
  if (*p != '.' && (*p | 0x20) != 'e' && count - 1 < 7) {  // an integer that is exact in a float
    value = with_sign(static_cast<float>(static_cast<std::int32_t>(w)), negative);
    return p;
  }
  unsigned fraction = 0;
  if (*p == '.') {
    const Digits digits = leading_digits(++p);
    w = w * kPowersOfTenWhole[digits.count] + digits.value;
    fraction = digits.count;
    p += fraction;
    if (fraction == 8) {
      const Digits more = leading_digits(p);
      w = w * kPowersOfTenWhole[more.count] + more.value;
      fraction += more.count;
      p += more.count;
    }
  }
  count += fraction;
  if (count - 1 >= 18 || w > (std::uint64_t{1} << 53) || is_digit(*p) || (*p | 0x20) == 'e') {
    return parse_float_slowly(first, end, negative, value);
  }
  const double magnitude = static_cast<double>(static_cast<std::int64_t>(w)) / kPowersOfTen[fraction];
  if (is_between_floats(magnitude)) return parse_float_slowly(first, end, negative, value);
  value = with_sign(static_cast<float>(magnitude), negative);
  return p;
}

}  // namespace kinglet
