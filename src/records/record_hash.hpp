// The hash that places categories and words in buckets. Model files depend on it, so it must never change.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace kinglet {

inline std::uint64_t record_hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

// One of `buckets`, from the upper half of the hash.
inline std::uint32_t bucket_of(std::uint64_t hash, std::uint32_t buckets) {
  return static_cast<std::uint32_t>(((hash >> 32) * buckets) >> 32);
}

}  // namespace kinglet
