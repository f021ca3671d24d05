// A 64-bit hash of the first rows, to detect when a run is resumed with other data.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kinglet/source.hpp"

namespace kinglet {

struct Fingerprint {
  // Number of rows to hash; the first batch always contains them if the stream is long enough.
  static constexpr std::uint32_t kMostRows = 64;

  std::uint32_t rows = 0;  // 0: unknown
  std::uint64_t hash = 0;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// Hashes the labels or targets and the nonzero features of the first `rows` rows, so that dense and sparse rows of the same
// data give the same hash. `texts` are the labels of the source by id.
Fingerprint fingerprint(const Batch& batch, std::uint32_t rows, std::span<const std::string> texts);

}  // namespace kinglet
