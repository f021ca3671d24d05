// The flags of `train`: how they are declared, and which of them go together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/data_flags.hpp"
#include "kinglet/options.hpp"

namespace CLI {
class App;
}

namespace kinglet::cli {

inline constexpr std::uint64_t kMostExamples = std::uint64_t{1} << 53;
inline constexpr std::uint64_t kDefaultEvery = 100'000;  // examples between checkpoints

struct TrainFlags {
  DataFlags data;
  Options learner;
  std::string model;
  std::string test;
  std::uint64_t passes = 1;
  bool auto_passes = false;  // --passes auto, which settle_passes() replaces by a number
  std::string shuffle;       // all, a number of rows, or empty: not
  std::string query_out;     // both are given, or neither: queries and answers of active learning with a labeller
  std::string labels_in;
  std::string checkpoint;
  std::uint64_t every = 0;
  std::uint64_t delay = 0;  // rows until a label is known
  bool metrics = false;
  std::string report;
  std::string report_image;  // WxH or none; empty: guessed from the number of features
  bool resume = false;
  bool restart = false;
  std::uint64_t threads = 0;  // 0: all cores
  std::string from;           // the model to go on with
  bool json = false;
  bool json_lines = false;
  bool quiet = false;
};

void declare_train_flags(CLI::App& app, TrainFlags& flags);
// Throws Error for flags that do not go together, or with files that cannot be what they are for.
void check_train_flags(const TrainFlags& flags, const CLI::App& app);

inline unsigned threads_of(const TrainFlags& flags) { return static_cast<unsigned>(flags.threads); }
inline bool has_labeller(const TrainFlags& flags) { return !flags.query_out.empty(); }

void say(const TrainFlags& flags, std::string_view text);  // a note, unless --quiet

}  // namespace kinglet::cli
