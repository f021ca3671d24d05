// What `train` shows on standard error while it runs: the learner's memory, progressive validation at doubling counts in
// the manner of Vowpal Wabbit, and a bar when that is a terminal.
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
  bool asks_;  // whether not all labels are learned
  std::vector<Column> columns_;
  ProgressBar bar_;
  std::uint64_t before_;  // examples learned before this run
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace kinglet::cli
