// The report of `paper`: our numbers beside the published ones, figures as charts, claims with their evidence.
#pragma once

#include <string>

#include "papers/paper.hpp"
#include "report/report.hpp"

namespace kinglet::cli {

report::Report paper_report(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result,
                            const std::string& command);

}  // namespace kinglet::cli
