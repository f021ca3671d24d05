// Data as C gives them, made into batches: views are checked and copied block by block.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "kinglet/kinglet.h"
#include "kinglet/source.hpp"

namespace kinglet::c_api {

// A mistake of the caller, as opposed to kinglet::Error.
struct BadArgument {
  const char* what;
};

// Throws BadArgument unless the data can be read.
void check(const kinglet_data* data);

// Texts of labels that a model has seen through this interface, by the ids that its batches use.
class LabelIds {
 public:
  // The id of a text; a new one is noted in the batch.
  std::uint32_t of(const std::string& text, Batch& batch);
  void clear() { ids_.clear(); }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
};

// Rows begin … begin + n − 1 as a batch. `ids` is null where labels are not wanted.
void fill(Batch& batch, const kinglet_data& data, std::size_t begin, std::size_t n, LabelIds* ids);

}  // namespace kinglet::c_api
