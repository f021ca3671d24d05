// Settings that a paper chose by cross-validation and that it does not print: ours, as `kinglet paper NAME --tune` finds
// them on the training rows.
#pragma once

#include <string_view>

#include "kinglet/options.hpp"

namespace kinglet {

// Adds what was found for this row of an experiment on this set, at this budget (empty: there is none).
void add_paper_settings(std::string_view experiment, std::string_view row, std::string_view set,
                        std::string_view budget, Options& options);

}  // namespace kinglet
