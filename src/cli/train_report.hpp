// The report of `train`: how learning went along the stream, how fast it was, how the model predicts, what it has kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/train_flags.hpp"
#include "cli/train_result.hpp"
#include "kinglet/model.hpp"
#include "lab/stream_record.hpp"
#include "report/report.hpp"

namespace kinglet::cli {

// `feature_names` may be empty; `command` is what was typed.
report::Report train_report(const TrainFlags& flags, const Outcome& outcome, const Model& model,
                            const StreamRecord& record, const std::vector<std::string>& feature_names,
                            const std::string& command);

// Throws Error for a --report-image that is neither WxH nor none.
void check_report_image(const std::string& text);
// Likewise for one that examples of this dimension do not fit into.
void check_report_image(const std::string& text, std::uint32_t dimension);

}  // namespace kinglet::cli
