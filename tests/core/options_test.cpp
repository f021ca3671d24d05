// Options: the values that a spec accepts, its messages for all others, and reading values.
#include "kinglet/options.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <clocale>
#include <cmath>

namespace kinglet {
namespace {

const OptionSpec kPositive{.name = "lambda", .default_value = "1e-4", .low = 0, .low_open = true};
const OptionSpec kDegree{.name = "degree", .kind = OptionKind::integer, .default_value = "3", .low = 1, .high = 64};
const OptionSpec kShape{
    .name = "shape", .kind = OptionKind::choice, .default_value = "round", .choices = {"round", "flat"}};
const OptionSpec kGamma{.name = "gamma", .default_value = "auto", .low = 0, .low_open = true, .may_be_auto = true};
const OptionSpec kRadius{.name = "radius", .default_value = "inf", .low = 0, .low_open = true, .may_be_infinite = true};
const OptionSpec kFlag{.name = "average", .kind = OptionKind::flag, .default_value = "false"};

TEST(OptionSpec, AcceptsValuesInsideItsRange) {
  for (const char* value : {"1", "1e-4", "0.5", "+2", "1e300", "4.9e-324"})
    EXPECT_EQ(kPositive.problem(value), "") << value;
  for (const char* value : {"1", "64", "+7"}) EXPECT_EQ(kDegree.problem(value), "") << value;
  EXPECT_EQ(kShape.problem("flat"), "");
  EXPECT_EQ(kGamma.problem("auto"), "");
  EXPECT_EQ(kRadius.problem("inf"), "");
  EXPECT_EQ(kFlag.problem("true"), "");
}

TEST(OptionSpec, SaysInOneSentenceWhatIsWrong) {
  EXPECT_EQ(kPositive.problem("0").text(), "lambda must be a number > 0, not '0'");
  EXPECT_EQ(kPositive.problem("abc").text(), "lambda must be a number > 0, not 'abc'");
  EXPECT_EQ(kDegree.problem("65").text(), "degree must be a whole number from 1 to 64, not '65'");
  EXPECT_EQ(kDegree.problem("2.5").text(), "degree must be a whole number from 1 to 64, not '2.5'");
  EXPECT_EQ(kShape.problem("square").text(), "shape must be one of round|flat, not 'square'");
  EXPECT_EQ(kGamma.problem("-1").text(), "gamma must be a number > 0, or auto, not '-1'");
  EXPECT_EQ(kFlag.problem("yes").text(), "average must be one of true|false, not 'yes'");
}

TEST(OptionSpec, TakesOnlyWholeTextsForNumbers) {
  for (const char* value : {"", " 1", "1 ", "1x", "1,5", "0x10", "--1", "+-1", "1e", "nan", "1e999", "auto"}) {
    EXPECT_NE(kPositive.problem(value), "") << value;
  }
  for (const char* value : {"", "1e3", " 1", "99999999999999999999"}) EXPECT_NE(kDegree.problem(value), "") << value;
}

TEST(OptionSpec, TakesAnInfinityOnlyWhereItIsOne) {
  EXPECT_NE(kPositive.problem("inf"), "");
  EXPECT_EQ(kRadius.problem("inf"), "");
  EXPECT_NE(kRadius.problem("-inf"), "");
  EXPECT_NE(kRadius.problem("1e999"), "");
}

TEST(OptionSpec, TellsItsRange) {
  EXPECT_EQ(kPositive.range(), "> 0");
  EXPECT_EQ(kDegree.range(), "1 … 64");
  EXPECT_EQ(kShape.range(), "round|flat");
  EXPECT_EQ(kGamma.range(), "> 0 or auto");
  EXPECT_EQ(kRadius.range(), "> 0 or inf");
  EXPECT_EQ((OptionSpec{.name = "x", .low = 0}).range(), "≥ 0");
  EXPECT_EQ((OptionSpec{.name = "x"}).range(), "number");
}

TEST(Options, GiveBackEveryDoubleExactly) {
  EXPECT_TRUE(rc::check([](double value) {
    RC_PRE(std::isfinite(value));
    const Options options{{"x", fmt::format("{}", value)}};
    RC_ASSERT(options.real("x") == value);
  }));
}

TEST(Options, GiveBackEveryIntegerExactly) {
  EXPECT_TRUE(rc::check([](std::int64_t value) {
    const Options options{{"n", std::to_string(value)}};
    RC_ASSERT(options.integer("n") == value);
  }));
}

TEST(Options, AreReadTheSameInEveryLocale) {
  const std::string old = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");  // a decimal comma, where this locale is installed
  const Options options{{"x", "0.5"}};
  EXPECT_EQ(options.real("x"), 0.5);
  EXPECT_EQ(kPositive.problem("0.5"), "");
  EXPECT_NE(kPositive.problem("0,5"), "");
  std::setlocale(LC_NUMERIC, old.c_str());
}

TEST(Options, KnowInfinityAndFlags) {
  const Options options{{"radius", "inf"}, {"average", "true"}, {"gamma", "auto"}};
  EXPECT_TRUE(std::isinf(options.real("radius")));
  EXPECT_TRUE(options.flag("average"));
  EXPECT_TRUE(options.is_auto("gamma"));
  EXPECT_TRUE(options.has("gamma"));
  EXPECT_FALSE(options.has("lambda"));
}

TEST(OptionsDeathTest, ReadingWhatWasNeverDeclaredIsOurBug) {
  const Options options;
  EXPECT_DEATH(static_cast<void>(options.text("lambda")), "internal error");
}

}  // namespace
}  // namespace kinglet
