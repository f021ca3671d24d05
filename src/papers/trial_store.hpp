// Finished trials, kept as text: an experiment goes on where it was stopped, on another day or another machine, and its
// results are written from what is kept. A file NAME.jsonl has the trials of one experiment, one line for each cell,
// sorted by `cell`:
//   cell       everything that determines the trials: data set, number of rows and passes, options
//   probe      the numbers of a short trial of this cell (run_paper.cpp), which change if the program or the data do
//   runs       the numbers of the runs, counted from 0
//   revision   the revision of the source code that made them
//   searched   the value found for PaperCell::searched, if the cell has one
//   and one field for each measure and baseline of TrialNumbers.
// A field has a list with one value for each run, or one value if that of all runs is the same. Trials are used again
// only if cell and probe are unchanged; until they have been repeated, older ones stay. Processor times are those of
// the kept run. Several processes can keep trials of one experiment at the same time. Thread-safe.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "papers/trial_numbers.hpp"

namespace kinglet {

struct KeptTrial {
  TrialNumbers numbers;
  std::string revision;
};
using KeptTrials = std::map<std::size_t, KeptTrial>;  // by the number of the run

class TrialStore {
 public:
  // Makes the folder if it is not there. Empty: keeps nothing. `revision` is noted with new trials.
  TrialStore(std::filesystem::path folder, std::string_view experiment, std::string revision);

  bool keeps() const { return !file_.empty(); }
  // The trials of a cell, whatever their probe.
  KeptTrials find(const std::string& key) const;
  // Announces new trials of a cell; answers with those that were kept with this probe.
  KeptTrials open(const std::string& key, const std::string& probe);
  // Adds a trial to those of a cell; nothing if it was not opened. The file is written every few seconds, and by
  // save().
  void keep(const std::string& key, std::size_t run, const TrialNumbers& numbers);
  void save();
  // Cells with other keys than these are left out when the file is written.
  void keep_only(std::set<std::string> keys);

 private:
  struct Cell {
    std::string probe;
    KeptTrials trials;
  };
  using Cells = std::map<std::string, Cell>;
  static Cells read(const std::filesystem::path& file);
  static std::string line_of(const std::string& key, const Cell& cell);
  void write();

  std::filesystem::path file_;
  std::string revision_;
  Cells cells_;                    // as they are in the file
  Cells opened_;                   // with new trials
  std::set<std::string> changed_;  // keys of opened cells whose new trials are not written yet
  std::set<std::string> only_;     // empty: all
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
};

// The numbers of a trial except its time, as text with six digits, which are the same for all instruction sets.
std::string probe_text(const TrialNumbers& numbers);

}  // namespace kinglet
