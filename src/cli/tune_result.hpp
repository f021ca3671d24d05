// What `tune` reports: the frontier and the command to train with, for people and for programs.
#pragma once

#include <optional>
#include <string>

#include "cli/data_flags.hpp"
#include "cli/json.hpp"
#include "kinglet/model.hpp"
#include "lab/metrics.hpp"
#include "lab/tune.hpp"

namespace kinglet::cli {

// The winner, learned once more in the order of the data, as `train` does it.
struct TunedModel {
  Progress progress;
  std::optional<Evaluation> test;
};

struct TuneOutcome {
  TuneResult result;
  std::optional<TunedModel> trained;
  std::string model;    // where the model went; empty: nowhere
  std::string command;  // to train with; empty: nothing was found
};

// "kinglet train …" in full, for a shell.
std::string train_command_line(const DataFlags& data, const std::string& model, const Options& options);

// --gamma 0.5 --lambda 0.0001
std::string flags_text(const Options& options);

std::string tune_text(const TuneOutcome& outcome);
Json tune_json(const TuneOutcome& outcome);

}  // namespace kinglet::cli
