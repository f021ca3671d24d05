// Our settings where a paper used cross-validation but does not print the result. Most were found by
// `kinglet paper NAME --tune` on the training rows.
#pragma once

#include <string_view>

#include "kinglet/options.hpp"

namespace kinglet {

// The settings for a row of a paper's experiments on this data set, at this budget (empty: no budget).
Options paper_settings(std::string_view paper, std::string_view row, std::string_view set, std::string_view budget);

}  // namespace kinglet
