// Hashed words: which words a text has, and properties of its features.
#include "records/words.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <map>

#include "records/record_hash.hpp"

namespace kinglet {
namespace {

using Entries = std::vector<HashedWords::Entry>;

// The definition, word by word, in double precision.
std::map<std::uint32_t, double> reference(const std::string& text, std::uint32_t buckets) {
  std::map<std::string, int> counts;
  std::string word;
  for (const char c : text + " ") {
    const bool is_letter = static_cast<unsigned char>(c) >= 0x80 || std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_letter) {
      word += static_cast<char>(static_cast<unsigned char>(c) < 0x80 ? std::tolower(c) : c);
    } else if (!word.empty()) {
      ++counts[word];
      word.clear();
    }
  }
  std::map<std::uint32_t, double> sums;
  for (const auto& [known, n] : counts) {
    const std::uint64_t hash = record_hash(known);
    sums[bucket_of(hash, buckets)] += (hash % 2 == 1 ? 1 : -1) * (1 + std::log(n));
  }
  double square = 0;
  for (const auto& [bucket, sum] : sums) square += sum * sum;
  for (auto& [bucket, sum] : sums) sum /= std::sqrt(square);
  return sums;
}

TEST(HashedWords, AreThoseOfTheDefinition) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::element('a', 'B', 'b', '1', ' ', ' ', '-', ',', '\xC3', '\xA9', '\n', '\t'));
    const auto buckets = *rc::gen::element<std::uint32_t>(1, 2, 7, 256);
    HashedWords words;
    words("other words before", buckets);
    const Entries& found = words(text, buckets);
    auto expected = reference(text, buckets);
    for (std::size_t i = 0; i < found.size(); ++i) {
      RC_ASSERT(found[i].first < buckets);
      if (i > 0) RC_ASSERT(found[i - 1].first < found[i].first);  // RC_ASSERT evaluates both sides of ||
      RC_ASSERT(std::abs(static_cast<double>(found[i].second) - expected[found[i].first]) < 1e-5);
      expected.erase(found[i].first);
    }
    for (const auto& [bucket, value] : expected) RC_ASSERT(!(std::abs(value) > 1e-6));  // words that cancel
  }));
}

TEST(HashedWords, IgnoreOrderCaseAndPunctuation) {
  HashedWords words;
  const Entries one = words("The quick, brown fox!", 64);
  EXPECT_EQ(words("fox BROWN quick the", 64), one);
  EXPECT_NE(words("fox brown quick a", 64), one);
  EXPECT_TRUE(words("", 64).empty());
  EXPECT_TRUE(words(" .,;!?-- ", 64).empty());
  EXPECT_EQ(count_words("The quick, brown fox!"), 4U);
  EXPECT_EQ(count_words("été 2024"), 2U);
}

}  // namespace
}  // namespace kinglet
