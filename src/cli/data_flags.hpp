// The flags of every command that reads data: where it is and what it looks like.
#pragma once

#include <memory>
#include <string>

#include "kinglet/source.hpp"

namespace CLI {
class App;
}

namespace kinglet::cli {

struct DataFlags {
  std::string data;
  std::string format = "detect";
  std::string index_base = "detect";
  bool header = false;
  bool no_header = false;
  std::string label_column = "first";
  std::string weight_column;
  std::string missing = "error";
  std::uint64_t dimension = 0;
};

// Declares DATA and the flags; `flags` must outlive the parsing.
void add_data_flags(CLI::App& app, DataFlags& flags);

// How a pipe is read at its beginning: learning waits for a whole first batch, predictions are due at once.
enum class Reading { whole_batch, at_once };

// `where` with these flags, read in a thread of its own.
// Unless the user says what indices count from, they do as in the data that a model was trained on.
void use_index_base(std::optional<int> base, DataFlags& flags);

std::unique_ptr<Source> open_data(const std::string& where, const DataFlags& flags,
                                  Reading reading = Reading::whole_batch);

}  // namespace kinglet::cli
