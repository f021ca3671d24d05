// The error for an option that the selected parts do not have, or that nobody knows: which part lacks it, and who takes
// it.
#pragma once

#include <string>

#include "learn/selected_parts.hpp"

namespace kinglet {

[[noreturn]] void refuse_option(const std::string& name, const SelectedParts& parts, const Options& given);

}  // namespace kinglet
