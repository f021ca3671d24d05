#include "records/words.hpp"

#include <algorithm>
#include <cmath>

#include "records/record_hash.hpp"

namespace kinglet {
namespace {

bool is_in_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

// Calls take(word) for each word of the text.
template <class Take>
void for_each_word(std::string_view text, const Take& take) {
  for (auto p = text.begin();;) {
    const auto first = std::find_if(p, text.end(), is_in_word);
    if (first == text.end()) return;
    p = std::find_if_not(first, text.end(), is_in_word);
    take(text.substr(static_cast<std::size_t>(first - text.begin()), static_cast<std::size_t>(p - first)));
  }
}

}  // namespace

std::size_t count_words(std::string_view text) {
  std::size_t count = 0;
  for_each_word(text, [&](std::string_view) { ++count; });
  return count;
}

const std::vector<HashedWords::Entry>& HashedWords::operator()(std::string_view text, std::uint32_t buckets) {
  hashes_.clear();
  for_each_word(text, [&](std::string_view word) {
    word_.assign(word);
    for (char& c : word_) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    hashes_.push_back(record_hash(word_));
  });
  std::ranges::sort(hashes_);  // also by bucket, which is made of the highest bits
  entries_.clear();
  for (auto first = hashes_.begin(); first != hashes_.end();) {
    const auto last = std::find_if(first, hashes_.end(), [&](std::uint64_t hash) { return hash != *first; });
    const std::uint32_t bucket = bucket_of(*first, buckets);
    const auto weight = static_cast<float>(1 + std::log(static_cast<double>(last - first)));
    const float value = (*first & 1) != 0 ? weight : -weight;
    if (!entries_.empty() && entries_.back().first == bucket) {
      entries_.back().second += value;
    } else {
      entries_.emplace_back(bucket, value);
    }
    first = last;
  }
  double square = 0;
  for (const Entry& entry : entries_) square += static_cast<double>(entry.second) * static_cast<double>(entry.second);
  std::erase_if(entries_, [](const Entry& entry) { return entry.second == 0; });  // words that cancel each other
  for (Entry& entry : entries_) entry.second /= static_cast<float>(std::sqrt(square));
  return entries_;
}

}  // namespace kinglet
