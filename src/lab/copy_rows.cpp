// Copies rows with all that belongs to them: values (dense or sparse), labels, targets, weights and ids.
#include "lab/copy_rows.hpp"

#include "core/assert.hpp"

namespace kinglet {

void copy_rows(const Batch& batch, std::size_t begin, std::size_t n, Batch& out) {
  KINGLET_ASSERT(begin + n <= batch.rows());
  out.clear();
  out.sparse = batch.sparse;
  out.dimension = batch.dimension;
  out.highest = batch.highest;
  out.columns = batch.columns;
  const auto from = static_cast<std::ptrdiff_t>(begin);
  const auto to = static_cast<std::ptrdiff_t>(begin + n);
  std::ptrdiff_t first = from * batch.dimension;
  std::ptrdiff_t last = to * batch.dimension;
  if (batch.sparse) {
    first = static_cast<std::ptrdiff_t>(batch.offsets[begin]);
    last = static_cast<std::ptrdiff_t>(batch.offsets[begin + n]);
    out.indices.assign(batch.indices.begin() + first, batch.indices.begin() + last);
    for (std::size_t i = begin; i <= begin + n; ++i) out.offsets.push_back(batch.offsets[i] - batch.offsets[begin]);
  }
  out.values.assign(batch.values.begin() + first, batch.values.begin() + last);
  out.labels.assign(batch.labels.begin() + from, batch.labels.begin() + to);
  if (!batch.targets.empty()) out.targets.assign(batch.targets.begin() + from, batch.targets.begin() + to);
  if (!batch.weights.empty()) out.weights.assign(batch.weights.begin() + from, batch.weights.begin() + to);
  if (!batch.ids.empty()) out.ids.assign(batch.ids.begin() + from, batch.ids.begin() + to);
}

}  // namespace kinglet
