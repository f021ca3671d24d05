// Batch: the block of rows that a source fills and a learner reads.
#include <numeric>

#include "kinglet/source.hpp"

namespace kinglet {

std::uint64_t DataGaps::missing_values() const {
  return std::accumulate(missing.begin(), missing.end(), std::uint64_t{0});
}

Rows Batch::features() const {
  if (borrows()) return borrowed;
  Rows rows{.count = this->rows(), .dimension = dimension, .values = values.data(), .stride = dimension};
  if (sparse) {
    rows.stride = 0;
    rows.indices = indices.data();
    rows.offsets = offsets.data();
  }
  return rows;
}

void Batch::clear() {
  highest = {};
  values.clear();
  indices.clear();
  offsets.clear();
  borrowed = {};
  columns.reset();
  labels.clear();
  targets.clear();
  weights.clear();
  ids.clear();
  new_labels.clear();
  bad_rows.clear();
}

}  // namespace kinglet
