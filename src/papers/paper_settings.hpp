// Settings that a paper chose by cross-validation and that it does not print: ours, as `kinglet paper NAME --tune` finds
// them on the training rows.
#pragma once

#include <string_view>

#include "kinglet/options.hpp"

namespace kinglet {

// What was found for this row of a paper's experiments on this set, at this budget (empty: there is none).
Options paper_settings(std::string_view paper, std::string_view row, std::string_view set, std::string_view budget);

}  // namespace kinglet
