// The progress of `train` on standard error: the memory of the learner, a table of progressive validation with one line
// each time the number of examples has doubled (as in Vowpal Wabbit), and a progress bar if standard error is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
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

  void header() const;
  void line(const ProgressLine& line);
  void bar();

 private:
  std::string row(const ProgressLine& line) const;

  const TrainFlags& flags_;
  const Model& model_;
  const Source& source_;
  bool asks_;  // whether this is active learning
  std::vector<Column> columns_;
  ProgressBar bar_;
  std::uint64_t before_;  // examples learned before this run
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace kinglet::cli
