// The page of `tune`: the frontier of accuracy against budget, and how the race went.
#pragma once

#include <string>

#include "cli/tune_result.hpp"
#include "report/report.hpp"

namespace kinglet::cli {

report::Report tune_report(const TuneOutcome& outcome, const std::string& data, const std::string& command);

}  // namespace kinglet::cli
