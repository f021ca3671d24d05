// Text as features: each word adds ±(1 + ln n) to one bucket, where n is how often the text has it; bucket and sign
// come from a hash of the word. The result has length 1, unless the text has no words. (Feature hashing: Weinberger,
// Dasgupta, Langford, Smola, Attenberg, ICML 2009.)
//
// A word is a run of letters, digits and bytes beyond ASCII; the case of ASCII letters does not matter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinglet {

std::size_t count_words(std::string_view text);

class HashedWords {
 public:
  using Entry = std::pair<std::uint32_t, float>;  // bucket and value

  // The nonzero buckets of a text in increasing order; valid until the next call.
  const std::vector<Entry>& operator()(std::string_view text, std::uint32_t buckets);

 private:
  std::string word_;
  std::vector<std::uint64_t> hashes_;
  std::vector<Entry> entries_;
};

}  // namespace kinglet
