// The progress of `train` on standard error: the memory of the learner, a table of progressive validation with one line
// each time the number of examples has doubled (as in Vowpal Wabbit) and every ten seconds, and a progress bar if
// standard error is a terminal. A line between those of the table tells about an alarm of drift. Notes tell about bad
// rows that are skipped, and about waiting for the first rows of a slow stream.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/progress_bar.hpp"
#include "cli/table.hpp"
#include "cli/train_flags.hpp"
#include "kinglet/model.hpp"
#include "kinglet/source.hpp"
#include "lab/training.hpp"

namespace kinglet::cli {

class TrainDisplay {
 public:
  TrainDisplay(const TrainFlags& flags, const Model& model, const Source& source);

  void header();
  void doubt_label();  // after the first rows: tells if the label is probably another column
  void notice(const Message& text);
  void line(const ProgressLine& line);
  void drift(const DriftAlarm& alarm);
  void waiting(std::optional<std::uint64_t> rows);  // no rows have come for a while; `rows` came so far
  void sorted(const LabelOrder& order);
  void batch();
  void tell_skipped();  // bad rows that were skipped and not told yet

 private:
  void tell(const std::string& text);
  void bar();
  std::string row(const ProgressLine& line) const;

  const TrainFlags& flags_;
  const Model& model_;
  const Source& source_;
  bool asks_;  // whether this is active learning
  std::vector<Column> columns_;
  ProgressBar bar_;
  bool started_ = false;                    // the header is there
  std::size_t skipped_shown_ = 0;           // number of bad rows that were shown
  std::optional<std::uint64_t> rows_told_;  // in the last note about waiting
  std::chrono::steady_clock::time_point told_;
  std::uint64_t before_;  // examples learned before this run
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace kinglet::cli
