// The result of `paper`, as text and as JSON: our numbers beside the published ones.
#pragma once

#include <string>

#include "cli/json.hpp"
#include "papers/paper.hpp"

namespace kinglet::cli {

// A position on the x axis of a figure: 100000, 0.5.
std::string place_text(double x);
// How many runs the numbers come from: "3 runs", or "1 to 5 runs" if cells differ.
std::string runs_text(const PaperResult& result);
// How the experiment is measured, with the number of runs that were made where it is another one than there.
std::string protocol_text(const PaperExperiment& experiment, const PaperResult& result);
std::string paper_text(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result);
Json paper_json(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result);

// The settings of every cell, their origin, and the number of runs.
std::string settings_text(const PaperExperiment& experiment);
Json settings_json(const PaperExperiment& experiment);

}  // namespace kinglet::cli
