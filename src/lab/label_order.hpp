// Recognises data sorted by class, from which a single pass cannot learn: the labels come in few, long runs.
//
// In random order, n rows of which n_c have label c change their label E = n − Σ_c n_c²/n times on average. The rows
// look sorted if there are far fewer changes than that, and a run is long. A class that is only rare does not look
// sorted: then E is small, too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

class LabelOrder {
 public:
  void add(std::span<const std::uint32_t> labels);  // label ids of a source; rows without a label do not count

  bool looks_sorted() const;
  std::uint64_t rows() const { return rows_; }
  std::uint64_t runs() const { return runs_; }                       // of rows with the same label
  std::span<const std::uint64_t> counts() const { return counts_; }  // by label id

 private:
  std::vector<std::uint64_t> counts_;
  std::uint64_t rows_ = 0;
  std::uint64_t runs_ = 0;
  std::uint32_t last_ = kNoLabel;
};

}  // namespace kinglet
