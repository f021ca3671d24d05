// The data sets of the papers by name: their files or generators, and the training and test rows of each run. If a
// paper draws its test rows at random, so do we, seeded with the number of the run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/dataset.hpp"
#include "lab/standardise.hpp"
#include "lab/trial.hpp"

namespace kinglet {

// Scaling of the features before learning, computed on the training rows: mean 0 and deviation 1, none, or to a range.
enum class PaperScaling { standard, none, zero_to_one, minus_one_to_one };

struct PaperSet {
  std::string name;
  std::string train;          // a file in the data folder, two files joined by +, or a generator without seed
  std::string test;           // likewise; empty: rows of `train`, drawn in each run
  std::uint64_t learned = 0;  // number of training rows; 0: all except the test rows
  std::uint64_t tested = 0;   // number of test rows if `test` is empty; 0: none
  bool tests_last = false;    // the test rows are the last of `train` in every run, and learned rows come before them
  std::vector<std::string> positive;  // these classes against the rest; empty: keep the classes
  PaperScaling scaling = PaperScaling::standard;
  std::uint32_t smooth = 0;  // smooth the rows as square pictures of this side length; 0: no
  std::string remark;        // how the data differ from the paper's, if they do
  bool comparable = true;    // false: they differ so much that results are not comparable
};

std::span<const PaperSet> paper_sets();
const PaperSet& paper_set(std::string_view name);
// The files that a data set is read from; none if it is generated.
std::vector<std::string> paper_files(const PaperSet& set);

// The largest number of rows that a quick run learns.
inline constexpr std::uint64_t kQuickRows = 1500;

// Opens the data sets of one folder. Files are read once and kept in memory. Thread-safe.
class PaperData {
 public:
  PaperData(std::string folder, bool quick) : folder_(std::move(folder)), quick_(quick) {}

  // False if a file is missing in the folder.
  bool has(const PaperSet& set) const;

  // The number of rows that a run learns, at most `rows` (0: all).
  std::uint64_t rows_learned(const PaperSet& set, std::uint64_t rows);

  struct RunData {
    OpenSource train;
    OpenSource test;  // empty: no test data
  };
  // The data of a run, with at most `rows` training rows (0: all).
  RunData run_data(const PaperSet& set, std::size_t run, std::uint64_t rows);

 private:
  std::shared_ptr<const Dataset> read(const std::string& file, const PaperSet& set);
  std::uint64_t rows_tested(const PaperSet& set) const;
  Dataset read_file(const std::string& file) const;
  RunData raw_data(const PaperSet& set, std::size_t run, std::uint64_t rows);
  RunData generated(const PaperSet& set, std::size_t run, std::uint64_t rows) const;

  std::string folder_;
  bool quick_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Dataset>> kept_;
  std::mutex scaling_;
  std::map<std::string, std::shared_ptr<const Standardisation>> scales_;
};

}  // namespace kinglet
