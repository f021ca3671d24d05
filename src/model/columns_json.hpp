// Texts, counts and columns in the header of a model file (docs/model-format.md).
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

using Json = nlohmann::json;  // sorts keys, so that equal models give equal bytes

// JSON strings must be UTF-8, labels need not be. A text that is not valid UTF-8 is stored as a list of bytes.
Json text_to_json(const std::string& text);
std::string text_from_json(const Json& json);
Json texts_to_json(std::span<const std::string> texts);
std::vector<std::string> texts_from_json(const Json& json);

// A count, checked strictly: nlohmann would also convert -1, 1.5 and true.
std::uint64_t count_from_json(const Json& json, std::uint64_t most = std::uint64_t{1} << 53);

Json columns_to_json(const Columns& columns);
// `dimension` is the number of features. Throws Error if the columns are damaged or do not become so many features.
std::shared_ptr<const Columns> columns_from_json(const Json& json, std::uint32_t dimension);

}  // namespace kinglet
