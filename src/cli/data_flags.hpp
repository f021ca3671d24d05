// The flags of every command that reads data: where it is and what it looks like.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  std::string missing = "error";
  bool missing_given = false;
  std::uint64_t dimension = 0;
  // No flags, but what the model and the use of the data say:
  bool numeric_labels = false;
  std::optional<int> default_index_base;
  bool labels_may_be_absent = false;
  bool may_not_fit = false;  // the flags are for other data, and some may mean nothing here
};

// Declares DATA and the flags; `flags` must outlive the parsing.
void add_data_flags(CLI::App& app, DataFlags& flags);
// Only the flags that say what the data look like.
void add_format_flags(CLI::App& app, DataFlags& flags);

// How a pipe is read at its beginning: learning waits for a whole first batch, predictions are due at once.
enum class Reading { whole_batch, at_once };

// Data to go with a model: labels as its task has them, and indices that count as in the data it was trained on, unless
// the user says otherwise.
void fit_to(const Model& model, DataFlags& flags);

// The flags that were given, as arguments that give them again.
std::vector<std::string> data_arguments(const DataFlags& flags);

// How many rows `where` has: what a generator says, or the count of a regular file, which is read for that. Nullopt for
// what has no end or can be read only once.
std::optional<std::uint64_t> count_rows(const std::string& where, const DataFlags& flags);

// Throws Error for a generator that never ends, where all rows are wanted.
void require_end(const std::string& where, const Source& source);

// `where` with these flags, read in a thread of its own.
std::unique_ptr<Source> open_data(const std::string& where, const DataFlags& flags,
                                  Reading reading = Reading::whole_batch);

}  // namespace kinglet::cli
