// What learning began with, in 64 bits: a run that goes on with other data can be told.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kinglet/source.hpp"

namespace kinglet {

struct Fingerprint {
  // So many rows tell, and every first batch of a stream that is as long holds them, however the rest is cut.
  static constexpr std::uint32_t kMostRows = 64;

  std::uint32_t rows = 0;  // 0: nothing is known
  std::uint64_t hash = 0;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// Of the first `rows` rows: their labels or targets, and the features that are not 0, so that dense and sparse rows of
// the same data are the same. `texts` are the source's labels by their ids.
Fingerprint fingerprint(const Batch& batch, std::uint32_t rows, std::span<const std::string> texts);

}  // namespace kinglet
