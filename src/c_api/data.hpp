// Converts kinglet_data of the C interface to batches: data are checked, then copied block by block.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "kinglet/kinglet.h"
#include "kinglet/source.hpp"

namespace kinglet::c_api {

// An error in the calling program (KINGLET_BAD_ARGUMENT), as opposed to kinglet::Error.
struct BadArgument {
  const char* what;
};

// Throws BadArgument if the data are inconsistent.
void check(const kinglet_data* data);

// Assigns ids to the labels that a model has seen through this interface.
class LabelIds {
 public:
  // The id of a label; a new label is added to batch.new_labels.
  std::uint32_t of(const std::string& text, Batch& batch);
  void clear() { ids_.clear(); }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
};

// Fills the batch with rows begin … begin + n − 1. `ids` is null if labels are not needed.
void fill(Batch& batch, const kinglet_data& data, std::size_t begin, std::size_t n, LabelIds* ids);

}  // namespace kinglet::c_api
