// The page of `compare`: standings, accuracy against time and budget, how each learner does along the stream.
#pragma once

#include <string>

#include "lab/compare.hpp"
#include "report/report.hpp"

namespace kinglet::cli {

report::Report compare_report(const std::vector<Contestant>& contestants, const ComparePlan& plan,
                              const Comparison& result, const std::string& command);

}  // namespace kinglet::cli
