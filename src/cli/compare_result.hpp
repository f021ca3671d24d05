// What `compare` reports: a table for people, JSON and CSV for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/json.hpp"
#include "lab/compare.hpp"

namespace kinglet::cli {

// Who could not take part, and why.
std::string problem_text(const std::vector<Contestant>& contestants, const Standing& standing);
std::string comparison_text(const std::vector<Contestant>& contestants, const Comparison& result);
Json comparison_json(const std::vector<Contestant>& contestants, const ComparePlan& plan, const Comparison& result);
std::string comparison_csv(const std::vector<Contestant>& contestants, const ComparePlan& plan,
                           const Comparison& result);

// Below this p the difference to the best is called real.
inline constexpr double kSignificant = 0.05;

Json summary_json(const Summary& summary);

// "84.12 ± 0.20", or the mean alone where there is no deviation; – where there is nothing.
std::string spread_text(const Summary& summary, double unit, int digits);

}  // namespace kinglet::cli
