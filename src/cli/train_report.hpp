// The report of `train`: the model, learning curves, predictions, speed and settings.
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

// `command` is the command line.
report::Report train_report(const TrainFlags& flags, const Outcome& outcome, const Model& model,
                            const StreamRecord& record, const std::string& command);

// Throws Error unless --report-image is WxH or none.
void check_report_image(const std::string& text);
// Throws Error if the examples have more features than the picture has pixels.
void check_report_image(const std::string& text, std::uint32_t dimension);

}  // namespace kinglet::cli
