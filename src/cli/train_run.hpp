// The run of `train`: passes over DATA with checkpoints, while the display, the report and the judge follow.
#pragma once

#include "cli/checkpoint_folder.hpp"
#include "cli/stop.hpp"
#include "cli/train_flags.hpp"
#include "cli/train_observers.hpp"
#include "cli/train_result.hpp"
#include "kinglet/model.hpp"

namespace kinglet::cli {

// `folder` is that of --checkpoint, or null. `can_test`: --test can be read more than once, so it is checked against
// the model as soon as learning has started. If the run or its dialogue with a labeller fails, what was learned is
// kept.
Outcome run_training(const TrainFlags& flags, Model& model, TrainObservers& observers, const StopOnSignal& stop,
                     const CheckpointFolder* folder, bool can_test);

}  // namespace kinglet::cli
