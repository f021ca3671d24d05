#include "model/fingerprint.hpp"

#include <xxhash.h>

#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "core/state.hpp"

namespace kinglet {

Fingerprint fingerprint(const Batch& batch, std::uint32_t rows, std::span<const std::string> texts) {
  KINGLET_ASSERT(rows <= batch.rows());
  StateWriter out;
  const Rows features = batch.features();
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::uint32_t label = batch.labels[i];
    out.put_text(label < texts.size() ? texts[label] : std::string());
    if (!batch.targets.empty()) out.put(batch.targets[i]);
    const Features x = features[i];
    for (std::uint32_t k = 0; k < x.count; ++k) {
      if (x.values[k] == 0) continue;
      out.put(x.is_sparse() ? x.indices[k] : k);
      out.put(std::isnan(x.values[k]) ? std::numeric_limits<float>::quiet_NaN() : x.values[k]);
    }
  }
  return {rows, XXH3_64bits(out.bytes().data(), out.bytes().size())};
}

}  // namespace kinglet
