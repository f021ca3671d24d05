// 64-bit hashes of rows, to detect when a run is resumed with other data: of the first rows, and of all rows so far.
// They depend on labels or targets and on nonzero features, not on whether rows are dense or sparse or how they are cut
// into batches.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

struct Fingerprint {
  // Number of rows to hash; the first batch always contains them if the stream is long enough.
  static constexpr std::uint32_t kMostRows = 64;

  std::uint32_t rows = 0;  // 0: unknown
  std::uint64_t hash = 0;

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// Hashes the first `rows` rows. `texts` are the labels of the source by id.
Fingerprint fingerprint(const Batch& batch, std::uint32_t rows, std::span<const std::string> texts);

// A running hash of all rows of a source. Each row is hashed with the hash of the rows before it as the seed:
//   h ← XXH3-64(row; seed h), with h = 0 before the first row.
class RowHash {
 public:
  // Rows [begin, begin + n) of the batch.
  void add(const Batch& batch, std::size_t begin, std::size_t n, std::span<const std::string> texts);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
  std::vector<std::uint64_t> label_hashes_;  // by label id
  std::vector<std::uint32_t> words_;         // the row in hand
};

}  // namespace kinglet
