// How `train` starts: the checkpoint folder, the model (new, from a checkpoint, or that of --from), and DATA opened for
// it.
#pragma once

#include <memory>
#include <optional>

#include "cli/checkpoint_folder.hpp"
#include "cli/train_flags.hpp"
#include "kinglet/model.hpp"
#include "kinglet/source.hpp"

namespace kinglet::cli {

// The folder of --checkpoint, locked; nullopt without this flag.
void open_checkpoint(const TrainFlags& flags, std::optional<CheckpointFolder>& folder);
// The model to learn with. The flags get what they leave to it: the number of passes, the length of the stream.
Model start_model(TrainFlags& flags, const CheckpointFolder* folder);
// Throws Error for flags that do not go with the model, and sets how DATA are read for it.
void fit_flags(TrainFlags& flags, const Model& model);
// Opens DATA. Throws Error if they cannot be learned as often, or in the order, as the flags say.
std::unique_ptr<Source> open_to_learn(const TrainFlags& flags, const Model& model);

}  // namespace kinglet::cli
