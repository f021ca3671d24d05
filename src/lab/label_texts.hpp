// The texts of a source's label ids. The model needs each of them with the first rows that use it. Those are not always
// the rows with which the source gave it, because rows are skipped and batches divided.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

class LabelTexts {
 public:
  void add(std::span<const std::string> texts) { texts_.insert(texts_.end(), texts.begin(), texts.end()); }
  std::span<const std::string> texts() const { return texts_; }  // by id
  // Sets new_labels of a part that is learned next: all texts that were not given yet, or those that the part uses.
  void give(Batch& part, bool all);

 private:
  std::vector<std::string> texts_;
  std::size_t given_ = 0;
};

}  // namespace kinglet
