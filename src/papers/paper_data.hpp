// The data sets of the papers by name: which files or generator, which rows are learned and which are tested, in each
// run. Where a paper draws its test rows at random, so do we, by the number of the run.
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

// What is done to the features beforehand, by the rows to learn: mean 0 and deviation 1, nothing, or a range.
enum class PaperScaling { standard, none, zero_to_one, minus_one_to_one };

struct PaperSet {
  std::string name;
  std::string train;                  // a file of the data folder, two joined by +, or a generator without its seed
  std::string test;                   // likewise; empty: rows of `train`, drawn in each run
  std::uint64_t learned = 0;          // rows to learn; 0: all that are not tested
  std::uint64_t tested = 0;           // rows to test where `test` is empty; 0: none
  std::vector<std::string> positive;  // these classes against the rest; empty: as they are
  PaperScaling scaling = PaperScaling::standard;
  std::uint32_t smooth = 0;  // pictures of this side, to be smoothed; 0: none
  std::string remark;        // how it differs from the paper's, where it does
  bool comparable = true;    // false: it differs so much that the published numbers are no yardstick
};

std::span<const PaperSet> paper_sets();
const PaperSet& paper_set(std::string_view name);
// The files that a set is read from; none for a generated one.
std::vector<std::string> paper_files(const PaperSet& set);

// A quick run learns no more rows.
inline constexpr std::uint64_t kQuickRows = 1500;

// Opens the sets of one folder; files are read once and kept. May be asked by several threads.
class PaperData {
 public:
  PaperData(std::string folder, bool quick) : folder_(std::move(folder)), quick_(quick) {}

  // False: a file is not in the folder.
  bool has(const PaperSet& set) const;

  struct RunData {
    OpenSource train;
    OpenSource test;  // empty: nothing is tested
  };
  // The data of a run, at most `rows` to learn (0: all).
  RunData run_data(const PaperSet& set, std::size_t run, std::uint64_t rows);

 private:
  std::shared_ptr<const Dataset> read(const std::string& file, const PaperSet& set);
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
