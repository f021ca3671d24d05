// Our settings where a paper used cross-validation but does not print the result (settings.csv), and the reasons why
// results differ from the published ones (reasons.csv).
#pragma once

#include <string>
#include <string_view>

#include "kinglet/options.hpp"

namespace kinglet {

// Options with their origin:
//   grid    from the paper's own grid, chosen on a shuffle that is not evaluated or on held-out training rows
//   race    by `kinglet paper NAME --tune`, a race on the training rows of the first run
//   other   from a small grid, by cross-validation on the training rows or on shuffles that are not evaluated
struct PaperSettings {
  Options options;
  std::string origin;  // empty: there is nothing to choose
};

// The settings for a row of a paper's experiments on this data set, at this budget (empty: no budget).
PaperSettings paper_settings(std::string_view paper, std::string_view row, std::string_view set,
                             std::string_view budget);

// Why a cell of an experiment is better than published by so much that it is not the same experiment; empty: not known.
std::string paper_reason(std::string_view experiment, std::string_view row, std::string_view set,
                         std::string_view variant);

}  // namespace kinglet
