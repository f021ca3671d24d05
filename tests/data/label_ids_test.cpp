// The labels of a source: their canonical texts, and their ids in order of first appearance.
#include "data/label_ids.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

namespace kinglet {
namespace {

TEST(LabelIds, NumbersHaveOneCanonicalText) {
  const std::map<std::string, std::string> expected = {
      {"1", "1"},
      {"+1", "1"},
      {"1.0", "1"},
      {"01", "1"},
      {"1.", "1"},
      {"1e0", "1"},
      {"-1", "-1"},
      {"-1.0", "-1"},
      {"2.50", "2.5"},
      {".5", "0.5"},
      {"-0", "0"},
      {"0.0", "0"},
      {"-0.00", "0"},
      {"+0", "0"},
      {"1e3", "1000"},
      {"cat", "cat"},
      {"+", "+"},
      {"-", "-"},
      {"1a", "1a"},
      {"-x", "-x"},
      {".", "."},
      {"1,2", "1,2"},
      {"007", "7"},
      {"+-1", "+-1"},
      {"1e", "1e"},
      {"é", "é"},
      {"12345678901234567890", "12345678901234567890"},  // more digits than a double represents exactly
      {"12345678901234567891", "12345678901234567891"},
      {"1e999", "1e999"}};
  for (const auto& [token, text] : expected) EXPECT_EQ(canonical_label(token), text) << token;
}

TEST(LabelIds, CanonicalTextsAreCanonical) {
  EXPECT_TRUE(rc::check(
      [](const std::string& token) { RC_ASSERT(canonical_label(canonical_label(token)) == canonical_label(token)); }));
  EXPECT_TRUE(rc::check([](double value) {
    const std::string text = canonical_label(std::to_string(value));
    RC_ASSERT(canonical_label(text) == text);
  }));
}

TEST(LabelIds, IdsComeInOrderOfFirstAppearance) {
  LabelIds ids;
  std::vector<std::string> added;
  EXPECT_EQ(ids.id("+1", added), 0u);
  EXPECT_EQ(ids.id("-1", added), 1u);
  EXPECT_EQ(ids.id("1.0", added), 0u);
  EXPECT_EQ(ids.id("a rather long word", added), 2u);
  EXPECT_EQ(ids.id("-1.000", added), 1u);
  EXPECT_EQ(ids.id("a rather long word", added), 2u);
  EXPECT_EQ(added, (std::vector<std::string>{"1", "-1", "a rather long word"}));
}

TEST(LabelIds, AgreeWithAPlainMap) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& tokens) {
    LabelIds ids;
    std::vector<std::string> added;
    std::map<std::string, std::uint32_t> reference;
    for (const auto& token : tokens) {
      RC_PRE(!token.empty());
      if (has_control_characters(token)) {
        RC_ASSERT(ids.id(token, added) == kNoLabel);
        continue;
      }
      const auto expected = reference.emplace(canonical_label(token), reference.size()).first->second;
      RC_ASSERT(ids.id(token, added) == expected);
    }
    RC_ASSERT(added.size() == reference.size());
  }));
}

TEST(LabelIds, ATokenWithZeroBytesIsNotTheSameWithoutThem) {
  LabelIds ids;
  std::vector<std::string> added;
  using namespace std::string_view_literals;
  EXPECT_EQ(ids.id("a"sv, added), 0u);
  EXPECT_EQ(ids.id("\0a"sv, added), kNoLabel);
  EXPECT_EQ(ids.id("a"sv, added), 0u);
}

TEST(LabelIds, TooManyLabelsAreRefused) {
  LabelIds ids;
  std::vector<std::string> added;
  for (std::size_t i = 0; i < LabelIds::kMaxLabels; ++i) ASSERT_EQ(ids.id(std::to_string(i), added), i);
  EXPECT_EQ(ids.id("one more", added), kNoLabel);
  EXPECT_EQ(ids.id("17", added), 17u);
}

}  // namespace
}  // namespace kinglet
