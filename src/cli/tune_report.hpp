// The report of `tune`: the best accuracy at each budget, and the course of the search.
#pragma once

#include <string>

#include "cli/tune_result.hpp"
#include "report/report.hpp"

namespace kinglet::cli {

report::Report tune_report(const TuneOutcome& outcome, const std::string& data, const std::string& command);

}  // namespace kinglet::cli
