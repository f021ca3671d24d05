// The result of `compare`, as text, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "cli/json.hpp"
#include "lab/compare.hpp"

namespace kinglet::cli {

// "NAME: why it failed", for a learner without results.
std::string problem_text(const std::vector<Contestant>& contestants, const Standing& standing);
std::string comparison_text(const std::vector<Contestant>& contestants, const Comparison& result);
Json comparison_json(const std::vector<Contestant>& contestants, const ComparePlan& plan, const Comparison& result);
std::string comparison_csv(const std::vector<Contestant>& contestants, const ComparePlan& plan,
                           const Comparison& result);

// Below this p-value the difference to the best learner is significant.
inline constexpr double kSignificant = 0.05;

std::string p_value_text(double p);  // 0.042, or < 0.001

Json summary_json(const Summary& summary);

// "84.12 ± 0.20", the mean alone if there is no deviation, or – if there is no mean.
std::string spread_text(const Summary& summary, double unit, int digits);

}  // namespace kinglet::cli
