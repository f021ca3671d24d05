// Exports take numbers only: the encoding of records stays with kinglet.
#pragma once

#include <string_view>

#include "learn/flat_model.hpp"

namespace kinglet {

// Throws Error if the model was trained on records. `format` is what the export cannot hold them in.
void require_plain_columns(const FlatModel& plain, std::string_view format);

}  // namespace kinglet
