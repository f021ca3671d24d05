// How `train` ends: the model is saved, tested and reported; notes say what had no effect, or not the expected one.
#pragma once

#include <functional>

#include "cli/checkpoint_folder.hpp"
#include "cli/stop.hpp"
#include "cli/train_flags.hpp"
#include "cli/train_result.hpp"
#include "kinglet/model.hpp"
#include "kinglet/source.hpp"

namespace kinglet::cli {

// Saves the model if there is one, and a file for it; the outcome gets the name of the file.
void save_model(const TrainFlags& flags, Outcome& outcome, const Model& model, const CheckpointFolder* folder);
void note_end_of_labels(const TrainFlags& flags, const Model& model);

// Tests the model, which is saved if -o was given, and prints the result; returns the exit code. `write_page` writes
// the --report.
int finish_training(const TrainFlags& flags, Outcome& outcome, const Model& model, Source* test, StopOnSignal& stop,
                    const std::function<void()>& write_page);

}  // namespace kinglet::cli
