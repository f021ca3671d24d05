// Gives texts in the order of their ids.
#include "lab/label_texts.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace kinglet {

void LabelTexts::give(Batch& part, bool all) {
  std::size_t used = all ? texts_.size() : given_;
  for (const std::uint32_t label : part.labels) {
    if (label != kNoLabel) used = std::max<std::size_t>(used, label + 1);
  }
  KINGLET_ASSERT(used <= texts_.size());
  const auto begin = texts_.begin();
  part.new_labels.assign(begin + static_cast<std::ptrdiff_t>(given_), begin + static_cast<std::ptrdiff_t>(used));
  given_ = used;
}

}  // namespace kinglet
