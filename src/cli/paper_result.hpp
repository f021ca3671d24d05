// The result of `paper`, as text and as JSON: our numbers beside the published ones.
#pragma once

#include <string>

#include "cli/json.hpp"
#include "papers/paper.hpp"

namespace kinglet::cli {

// A position on the x axis of a figure: 100000, 0.5.
std::string place_text(double x);
std::string paper_text(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result);
Json paper_json(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result);

// The settings of every cell, their origin, and the number of runs.
std::string settings_text(const PaperExperiment& experiment);
Json settings_json(const PaperExperiment& experiment);

}  // namespace kinglet::cli
