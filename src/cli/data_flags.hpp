// The flags of every command that reads data: where the data are, and their format.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/shuffle.hpp"
#include "kinglet/model.hpp"
#include "kinglet/source.hpp"

namespace CLI {
class App;
}

namespace kinglet::cli {

struct DataFlags {
  std::string data;
  std::string folder;
  std::string format = "detect";
  std::string index_base = "detect";
  bool header = false;
  bool no_header = false;
  std::optional<std::string> label_column;
  std::string weight_column;
  std::string id_column;
  std::vector<std::string> ignore;
  std::vector<std::string> only;
  std::vector<std::string> kinds;  // NAME=KIND
  std::string separator;
  std::uint64_t category_values = SourceOptions().category_values;
  std::uint64_t text_features = SourceOptions().text_features;
  std::string missing = "mark";
  bool missing_given = false;
  std::uint64_t dimension = 0;
  // These are not flags: the command sets them from the model and from what it does with the data.
  bool numeric_labels = false;
  std::optional<int> default_index_base;
  std::shared_ptr<const Columns> columns;  // those of the model
  bool new_values = false;                 // of categories, are learned
  bool labels_may_be_absent = false;
  bool skip_unlabelled = false;
  std::uint64_t skip_bad = 0;
  bool mark_bad = false;
  std::optional<ShuffleOptions> shuffle;
  bool labels_unused = false;
  unsigned threads = 1;      // that parse a large file; 0: one per core
  bool may_not_fit = false;  // the flags were given for other data (DATA, while this is --test): ignore unsuitable ones
};

// Declares DATA, --data and the format flags; `flags` must outlive the parsing.
void add_data_flags(CLI::App& app, DataFlags& flags);
// Declares --data, the folder of data sets.
void add_folder_flag(CLI::App& app, std::string& folder, const std::string& section);
// Declares the flags that describe the format of the data.
void add_format_flags(CLI::App& app, DataFlags& flags);

// For commands whose data are read for a model, whose features are fixed: the flags that decide about features are not
// in the help, and are refused.
void hide_feature_flags(CLI::App& app);
void refuse_feature_flags(const CLI::App& app);

// How the first batch is read from a pipe: learning waits until the batch is full, predicting takes what is there.
enum class Reading { whole_batch, at_once };

// Adapts the flags to a model that predicts the data: labels are numbers for regression, feature indices start where
// those of the training data did (unless the user gave --index-base), and columns are matched with those of the
// training data.
void fit_to(const Model& model, DataFlags& flags);
// The same for a model that goes on learning: a column of weights is used again, and new values of categories are
// learned. A model that does not know its columns takes data with any number of them.
void fit_to_learn(const Model& model, DataFlags& flags);

// The flags that the user gave, as command-line arguments.
std::vector<std::string> data_arguments(const DataFlags& flags);

// The number of rows of `where`: a generator knows it, a regular file is read to count them. Nullopt if the data have
// no end or can be read only once.
std::optional<std::uint64_t> count_rows(const std::string& where, const DataFlags& flags);

// Whether `where` can be opened and read more than once: a file or a generator, but not a pipe. Throws Error if it
// cannot be opened at all.
bool can_reopen(const std::string& where, const DataFlags& flags);

// Throws Error for a generator that never ends, in commands that need all rows.
void require_end(const std::string& where, const Source& source);

// Opens `where` with these flags; a separate thread reads ahead.
std::unique_ptr<Source> open_data(const std::string& where, const DataFlags& flags,
                                  Reading reading = Reading::whole_batch);

}  // namespace kinglet::cli
