// Suggests a name for one that is misspelled.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kinglet {

// " (did you mean --lambda?)" for the candidate nearest to `name`, with `dashes` before it; nothing when none is near.
std::string suggestion(std::string_view name, std::span<const std::string> candidates, std::string_view dashes = "");

}  // namespace kinglet
