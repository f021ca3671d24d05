// Suggests a name for one that is misspelled.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kinglet {

// The candidate nearest to `name`; empty when none is near.
std::string nearest(std::string_view name, std::span<const std::string> candidates);

// " (did you mean --lambda?)", where the nearest candidate is "lambda" and `prefix` is "--"; empty when none is near.
std::string suggestion(std::string_view name, std::span<const std::string> candidates, std::string_view prefix = "");

}  // namespace kinglet
