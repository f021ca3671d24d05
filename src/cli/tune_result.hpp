// The result of `tune`, as text and as JSON: the best settings at each budget, and the command to train with.
#pragma once

#include <optional>
#include <string>

#include "cli/data_flags.hpp"
#include "cli/json.hpp"
#include "kinglet/model.hpp"
#include "lab/metrics.hpp"
#include "lab/tune.hpp"

namespace kinglet::cli {

// The winner, trained on the data in the order of the file, as `train` does it.
struct TunedModel {
  Progress progress;
  std::optional<Evaluation> test;
};

struct TuneOutcome {
  TuneResult result;
  std::optional<TunedModel> trained;
  std::string model;    // model file; empty if none was written
  std::string command;  // the command to train with; empty if nothing was found
};

// The whole command "kinglet train …", quoted for a shell.
std::string train_command_line(const DataFlags& data, const std::string& model, const Options& options);

// --gamma 0.5 --lambda 0.0001
std::string flags_text(const Options& options);

std::string tune_text(const TuneOutcome& outcome);
Json tune_json(const TuneOutcome& outcome);

}  // namespace kinglet::cli
