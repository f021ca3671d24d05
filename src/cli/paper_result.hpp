// What `paper` reports: our numbers beside the published ones, as text or JSON.
#pragma once

#include <string>

#include "cli/json.hpp"
#include "lab/paper.hpp"

namespace kinglet::cli {

std::string paper_text(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result);
Json paper_json(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result);

}  // namespace kinglet::cli
