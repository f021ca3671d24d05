// What happens along a run of `train --json-lines`: each event is one line of JSON on standard output, with its kind in
// "event".
//
//   progress   a line of the progress table
//   drift      an alarm: the predictions became worse, and since when
//   result     at the end: what --json prints
#pragma once

#include "cli/json.hpp"
#include "kinglet/prediction.hpp"
#include "kinglet/standings.hpp"
#include "lab/training.hpp"

namespace kinglet::cli {

Json progress_json(const ProgressLine& line, TaskKind task);
Json drift_json(const DriftAlarm& alarm);
void print_event(const char* kind, const Json& content);

}  // namespace kinglet::cli
