// Parsing numbers: the result is that of strtof, bit for bit, and text that is not a finite number is rejected.
#include "core/number.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>

namespace kinglet {
namespace {

struct Parsed {
  float value;
  std::ptrdiff_t length;  // -1: rejected
};

Parsed parse(const std::string& text) {
  const std::string padded = text + '\n' + std::string(kNumberSlack, '9');
  float value = -12345;
  const char* const end = parse_float(padded.data(), padded.data() + text.size() + 1, value);
  return {value, end == nullptr ? -1 : end - padded.data()};
}

void expect_like_strtof(const std::string& text) {
  const float expected = std::strtof(text.c_str(), nullptr);
  const Parsed parsed = parse(text);
  if (std::isinf(expected)) {
    RC_ASSERT(parsed.length == -1);
    return;
  }
  RC_ASSERT(parsed.length == static_cast<std::ptrdiff_t>(text.size()));
  RC_ASSERT(std::bit_cast<std::uint32_t>(parsed.value) == std::bit_cast<std::uint32_t>(expected));
}

std::string digits(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += static_cast<char>('0' + *rc::gen::inRange(0, 10));
  return text;
}

std::string sign() { return *rc::gen::element<std::string>("", "-", "+"); }

TEST(Number, DecimalsAreReadLikeStrtof) {
  EXPECT_TRUE(rc::check([] {
    const std::string whole = digits(*rc::gen::inRange(0, 12));
    const std::string fraction = digits(*rc::gen::inRange(whole.empty() ? 1 : 0, 24));
    expect_like_strtof(sign() + whole + (fraction.empty() && *rc::gen::arbitrary<bool>() ? "" : "." + fraction));
  }));
}

TEST(Number, NumbersWithExponentsAreReadLikeStrtof) {
  EXPECT_TRUE(rc::check([] {
    const std::string mantissa = digits(*rc::gen::inRange(1, 20)) + "." + digits(*rc::gen::inRange(0, 20));
    const std::string exponent = std::to_string(*rc::gen::inRange(-60, 50));
    expect_like_strtof(sign() + mantissa + *rc::gen::element<std::string>("e", "E") + exponent);
  }));
}

TEST(Number, IntegersOfAnyLengthAreReadLikeStrtof) {
  EXPECT_TRUE(rc::check([] { expect_like_strtof(sign() + digits(*rc::gen::inRange(1, 45))); }));
}

TEST(Number, EveryFloatSurvivesBeingWrittenAndRead) {
  EXPECT_TRUE(rc::check([](std::uint32_t bits) {
    const float value = std::bit_cast<float>(bits);
    RC_PRE(std::isfinite(value));
    for (const std::string& text : {fmt::format("{}", value), fmt::format("{:.9g}", value),
                                    fmt::format("{:.17g}", value), fmt::format("{:.12f}", value)}) {
      expect_like_strtof(text);
    }
    RC_ASSERT(std::bit_cast<std::uint32_t>(parse(fmt::format("{}", value)).value) == bits);
  }));
}

// Decimal numbers at or near the midpoint of two floats. Rounding first to double and then to float would get some of
// them wrong.
TEST(Number, TheMiddleBetweenTwoFloatsIsRoundedOnce) {
  EXPECT_TRUE(rc::check([] {
    const auto exponent = *rc::gen::inRange<std::uint32_t>(100, 150);
    const auto bits = exponent << 23 | *rc::gen::inRange<std::uint32_t>(0, 1u << 23);
    const double low = std::bit_cast<float>(bits), high = std::bit_cast<float>(bits + 1);
    const std::string middle = fmt::format("{:.40f}", (low + high) / 2);
    expect_like_strtof(middle.substr(0, middle.find_last_not_of('0') + 1));
    for (const int places : {8, 10, 12, 14, 16, 17, 18})
      expect_like_strtof(fmt::format("{:.{}f}", (low + high) / 2, places));
  }));
}

// Numbers with more digits than a double holds, slightly below or above the midpoint of two floats.
TEST(Number, SeventeenAndEighteenDigitsAreExactNextToTheMiddleBetweenTwoFloats) {
  std::uint64_t seed = 1;
  for (int i = 0; i < 200000; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const float low = 1.0f + static_cast<float>(seed >> 41) * 0x1p-23f * 7;
    const double middle = (static_cast<double>(low) + std::nextafter(low, 16.0f)) / 2;
    const int places = 15 + static_cast<int>(seed >> 20 & 1) + (low < 10 ? 1 : 0);
    const double scale = std::pow(10.0, places);
    const auto w = static_cast<std::uint64_t>(static_cast<long double>(middle) * static_cast<long double>(scale)) +
                   (seed >> 30 & 3) - 1;
    std::string text = std::to_string(w);
    text.insert(text.size() - static_cast<std::size_t>(places), ".");
    ASSERT_EQ(parse(text).value, std::strtof(text.c_str(), nullptr)) << text;
  }
}

TEST(Number, HardCasesAreExact) {
  for (const char* text : {"0",
                           "-0",
                           "0.",
                           ".5",
                           "1e0",
                           "1E-45",
                           "1.4e-45",
                           "7e-46",
                           "1e-400",
                           "3.4028234e38",
                           "3.4028235e38",
                           "16777217",
                           "16777219",
                           "33554435",
                           "9007199254740993",
                           "0.1",
                           "1.17549435e-38",
                           "8388608.5",
                           "8388609.5",
                           "0.000000000000000000000000000000000000000000001"}) {
    SCOPED_TRACE(text);
    const Parsed parsed = parse(text);
    EXPECT_EQ(parsed.length, static_cast<std::ptrdiff_t>(std::string(text).size()));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(parsed.value), std::bit_cast<std::uint32_t>(std::strtof(text, nullptr)));
  }
}

TEST(Number, WhatIsNoFiniteNumberIsRefused) {
  for (const char* text :
       {"",    "-",    "+",         ".",    "-.",     "e5",     ".e5",
        "+-1", "-+1",  "--1",       "++1",  "nan",    "NaN",    "-nan",
        "inf", "-inf", "+Infinity", "1e39", "-1e400", "3.5e38", "99999999999999999999999999999999999999999",
        "abc", " 1",   ":1"}) {
    EXPECT_EQ(parse(text).length, -1) << text;
  }
}

TEST(Number, ReadingStopsWhereTheNumberDoes) {
  EXPECT_EQ(parse("1.5x").length, 3);
  EXPECT_EQ(parse("0x10").length, 1);
  EXPECT_EQ(parse("1,5").length, 1);
  EXPECT_EQ(parse("12:3").length, 2);
  EXPECT_EQ(parse("1.2.3").length, 3);
}

TEST(Number, TheFaultIsNamed) {
  EXPECT_EQ(number_fault("abc"), "is not a number");
  EXPECT_EQ(number_fault(""), "is not a number");
  EXPECT_EQ(number_fault("+-1"), "is not a number");
  EXPECT_EQ(number_fault("1.5x"), "is not a number");
  EXPECT_EQ(number_fault("1,5"), "is not a number");
  EXPECT_EQ(number_fault("nan"), "is not finite");
  EXPECT_EQ(number_fault("-Infinity"), "is not finite");
  EXPECT_EQ(number_fault("1e400"), "is out of range of a 32-bit float");
  EXPECT_EQ(number_fault("-1e39"), "is out of range of a 32-bit float");
}

TEST(Number, LeadingDigitsAreCountedAndRead) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = digits(*rc::gen::inRange(0, 8));
    std::string other(1, *rc::gen::suchThat(rc::gen::arbitrary<char>(), [](char c) { return c < '0' || c > '9'; }));
    const std::string padded = text + other + *rc::gen::container<std::string>(8, rc::gen::arbitrary<char>());
    const Digits found = leading_digits(padded.data());
    RC_ASSERT(found.count == text.size());
    RC_ASSERT(found.value == (text.empty() ? 0u : std::stoull(text)));
  }));
}

}  // namespace
}  // namespace kinglet
