// What the first rows say about a column.
#include "records/detect.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinglet {
namespace {

using testing::ElementsAre;

ColumnProfile profile_of(const std::vector<std::string>& values) {
  ColumnProfile profile;
  for (const std::string& value : values) profile.add(value);
  return profile;
}

ColumnProfile repeated(std::size_t times, const std::vector<std::string>& values) {
  ColumnProfile profile;
  for (std::size_t i = 0; i < times; ++i) {
    for (const std::string& value : values) profile.add(value);
  }
  return profile;
}

TEST(Detect, FindsTheKindOfAColumn) {
  EXPECT_EQ(profile_of({"1", "2.5", "-3e4"}).kind(), ColumnKind::number);
  EXPECT_EQ(profile_of({"1", "2", "2", "1"}).kind(), ColumnKind::number);  // codes are numbers
  EXPECT_EQ(profile_of({"2024-01-01", "2024-01-02T10:00Z"}).kind(), ColumnKind::time);
  EXPECT_EQ(profile_of({"red", "green", "red"}).kind(), ColumnKind::category);
  EXPECT_EQ(profile_of({"true", "false"}).kind(), ColumnKind::category);
  EXPECT_EQ(profile_of({"the cat sat down", "a dog barked at it", "nobody saw them"}).kind(), ColumnKind::text);
  EXPECT_EQ(repeated(9, {"New York City", "Los Angeles"}).kind(), ColumnKind::category);
  EXPECT_EQ(ColumnProfile().kind(), ColumnKind::ignore);
}

TEST(Detect, LeavesOutWhatIdentifiesRows) {
  ColumnProfile ids;
  for (int i = 0; i < 100; ++i) ids.add(fmt::format("user-{}", i));
  EXPECT_EQ(ids.kind(), ColumnKind::ignore);
  EXPECT_FALSE(ids.is_empty());
  ColumnProfile few;  // too few to tell
  for (int i = 0; i < 10; ++i) few.add(fmt::format("user-{}", i));
  EXPECT_EQ(few.kind(), ColumnKind::category);
  ColumnProfile numbers;  // numbers may all differ
  for (int i = 0; i < 100; ++i) numbers.add(std::to_string(i));
  EXPECT_EQ(numbers.kind(), ColumnKind::number);
}

TEST(Detect, ATypingErrorDoesNotChangeTheKind) {
  ColumnProfile numbers;
  for (int i = 0; i < 19; ++i) numbers.add(std::to_string(i));
  numbers.add("1O");
  EXPECT_EQ(numbers.kind(), ColumnKind::number);
  for (int i = 0; i < 5; ++i) numbers.add("many");
  EXPECT_EQ(numbers.kind(), ColumnKind::category);
}

TEST(Detect, ACategoryHasRoomForMoreValues) {
  const ColumnPlan plan = repeated(2, {"b", "a", "c"}).plan(ColumnKind::category, {}, true);
  EXPECT_THAT(plan.values, ElementsAre("b", "a", "c"));
  EXPECT_EQ(plan.slots, 7U);
  EXPECT_EQ(plan.buckets, 4U);
  EXPECT_TRUE(plan.indicator);
}

TEST(Detect, TheMostFrequentValuesGetTheSlots) {
  ColumnProfile profile = repeated(1, {"a", "b", "c", "d", "e"});
  for (const char* value : {"d", "b", "b", "d"}) profile.add(value);
  const ColumnPlan plan = profile.plan(ColumnKind::category, {.category_values = 3}, false);
  EXPECT_THAT(plan.values, ElementsAre("a", "b", "d"));
  EXPECT_EQ(plan.slots, 3U);
  EXPECT_FALSE(plan.indicator);
}

TEST(Detect, LongValuesGetNoSlot) {
  const ColumnPlan plan = profile_of({"short", std::string(1000, 'x')}).plan(ColumnKind::category, {}, true);
  EXPECT_THAT(plan.values, ElementsAre("short"));
}

TEST(Detect, NumbersHaveAnIndicatorOnlyIfOneIsMissing) {
  ColumnProfile numbers = profile_of({"1", "2"});
  EXPECT_FALSE(numbers.plan(ColumnKind::number, {}, true).indicator);
  numbers.add_missing();
  EXPECT_TRUE(numbers.plan(ColumnKind::number, {}, true).indicator);
  EXPECT_FALSE(numbers.plan(ColumnKind::number, {}, false).indicator);
}

TEST(Detect, NoticesNumbersThatCountTheRows) {
  const auto counts = [](int rows, const auto& value) {
    ColumnProfile profile;
    for (int i = 0; i < rows; ++i) profile.add(fmt::format("{}", value(i)));
    return profile.counts_rows();
  };
  EXPECT_TRUE(counts(20, [](int i) { return 70'000'000 + i; }));
  EXPECT_FALSE(counts(19, [](int i) { return i; }));
  EXPECT_FALSE(counts(30, [](int i) { return 2 * i; }));
  EXPECT_FALSE(counts(30, [](int i) { return i + 0.5; }));
  EXPECT_FALSE(counts(30, [](int i) { return i % 15; }));
}

TEST(Detect, NoticesNumbersInOtherNotations) {
  EXPECT_EQ(profile_of({"1,5", "2,25", "3"}).odd_number(), "1,5");
  for (const char* text : {"1,234.50", "$20", "20 €", "7 %", "1'000", "0x1F", "-3,5"}) {
    EXPECT_TRUE(profile_of({text}).odd_number()) << text;
  }
  for (const char* text : {"1.5", "10.0.0.1", "31.12.2024", "555-1234", "08:15", "A1", "a,b", "x", "2024-01-01"}) {
    EXPECT_FALSE(profile_of({text}).odd_number()) << text;
  }
}

TEST(Detect, RecognisesTheFormOfTimes) {
  EXPECT_EQ(profile_of({"1700000000", "1700086400"}).plan(ColumnKind::time, {}, true).form, TimeForm::seconds);
  const ColumnPlan plan = profile_of({"1700000000000"}).plan(ColumnKind::time, {}, true);
  EXPECT_EQ(plan.form, TimeForm::milliseconds);
  EXPECT_NEAR(plan.origin, 1.7e9, 2 * 86400);
  EXPECT_EQ(profile_of({"1700000000000000"}).plan(ColumnKind::time, {}, true).form, TimeForm::microseconds);
  const ColumnPlan finest = profile_of({"1700000000000000000"}).plan(ColumnKind::time, {}, true);
  EXPECT_EQ(finest.form, TimeForm::nanoseconds);
  EXPECT_EQ(finest.origin, plan.origin);
  const ColumnPlan dates = profile_of({"2024-01-02T10:00", "2024-01-01"}).plan(ColumnKind::time, {}, true);
  EXPECT_EQ(dates.form, TimeForm::iso);
  EXPECT_EQ(dates.origin, 1704067200);
}

}  // namespace
}  // namespace kinglet
