// Blocks of reports that show predictions and options, for train and eval.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "report/report.hpp"

namespace kinglet::cli {

std::string percent_text(double share);            // 95.10 %, or – if it is not a number
std::string data_name(const std::string& where);   // usps.libsvm, checkerboard, standard input
report::FactList option_list(const Model& model);  // all options, and which were chosen from the data

// The confusion matrix, with precision and recall of each class beside it, and the most frequent mistakes if there are
// many classes. Nothing if there are fewer than two labels.
void add_confusion_blocks(report::Section& section, std::string title, std::string caption,
                          std::vector<std::string> labels, std::vector<std::uint64_t> counts);
// The reliability diagram and the scores of probabilities; `where` is "on the test data". Nothing if there are none.
void add_reliability_blocks(report::Section& section, const Reliability& reliability, const std::string& where,
                            const Model& model);

}  // namespace kinglet::cli
