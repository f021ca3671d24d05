// The report of `compare`: ranking, accuracy against time and budget, learning curves.
#pragma once

#include <string>

#include "lab/compare.hpp"
#include "report/report.hpp"

namespace kinglet::cli {

report::Report compare_report(const std::vector<Contestant>& contestants, const ComparePlan& plan,
                              const Comparison& result, const std::string& command);

}  // namespace kinglet::cli
