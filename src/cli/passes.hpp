// How often `train` learns DATA, and in which order: --passes and --shuffle. `--passes auto --shuffle all` is what
// `fit` does in Python.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/train_flags.hpp"
#include "kinglet/model.hpp"
#include "kinglet/source.hpp"

namespace kinglet::cli {

void add_passes_flag(CLI::App& app, TrainFlags& flags, const std::string& group);
void add_shuffle_flag(CLI::App& app, TrainFlags& flags, const std::string& group);

// Replaces --passes auto by the number of passes, for a learner with these options, which are complete.
void settle_passes(TrainFlags& flags, const Options& complete);
// For rules that need the length of the stream: if it was not given, counts the rows where that is possible.
void fill_stream_length(TrainFlags& flags);

// What --shuffle says for reading DATA. The rows that it keeps may take half of the memory of the machine.
ShuffleOptions shuffle_options(const TrainFlags& flags, const Model& model);
// Throws Error if DATA cannot be learned that often, or in that order.
void check_passes(const TrainFlags& flags, const Model& model, const Source& source);

// What was done, as in "4 (auto), each in a new random order"; empty for one pass in the order of DATA.
std::string passes_text(const TrainFlags& flags, const Model& model);

}  // namespace kinglet::cli
