// What `paper` reports: our numbers beside the published ones, as text or JSON.
#pragma once

#include <string>

#include "cli/json.hpp"
#include "papers/paper.hpp"

namespace kinglet::cli {

// A place on the axis of a figure: 100000, 0.5.
std::string place_text(double x);
std::string paper_text(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result);
Json paper_json(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result);

}  // namespace kinglet::cli
