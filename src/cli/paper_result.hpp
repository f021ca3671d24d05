// What `paper` reports: our numbers beside the published ones, as text, Markdown or JSON.
#pragma once

#include <string>

#include "cli/json.hpp"
#include "lab/paper.hpp"

namespace kinglet::cli {

enum class TableStyle { terminal, markdown };

std::string paper_text(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result,
                       TableStyle style);
Json paper_json(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result);

}  // namespace kinglet::cli
