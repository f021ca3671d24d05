// Batch: the block of rows that a source fills and a learner reads.
#include "kinglet/source.hpp"

namespace kinglet {

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
  new_labels.clear();
}

}  // namespace kinglet
