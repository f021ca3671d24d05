// Finished trials, kept in a folder: an experiment that was stopped goes on, and one that was changed repeats only the cells
// that changed. A file has the trials of one cell. They are used again if
//   key    everything that determines them is the same: the data set, the options, the number of rows and passes;
//   probe  the program still does the same: the cell's first trial on its first rows gives the same numbers, digit by digit.
// Processor times are those of the run that was kept. Thread-safe.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "papers/trial_numbers.hpp"

namespace kinglet {

class TrialStore {
 public:
  explicit TrialStore(std::filesystem::path folder);  // makes it if it is not there; empty: keeps nothing

  bool keeps() const { return !folder_.empty(); }
  // The trials of a cell by the number of their run. Those that were kept with another probe are forgotten.
  std::map<std::size_t, TrialNumbers> open(const std::string& key, const std::string& probe);
  // Adds a trial to those of a cell; nothing if open() was not called for it.
  void keep(const std::string& key, std::size_t run, const TrialNumbers& numbers);

 private:
  struct Cell {
    std::string probe;
    std::map<std::size_t, TrialNumbers> trials;
  };
  std::filesystem::path path_of(const std::string& key) const;
  void write(const std::string& key, const Cell& cell) const;

  std::filesystem::path folder_;
  std::map<std::string, Cell> cells_;
  std::mutex mutex_;
};

// The numbers of a trial except its time, as text without rounding.
std::string probe_text(const TrialNumbers& numbers);

}  // namespace kinglet
