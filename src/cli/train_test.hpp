// The data of `train --test`: whether they fit the model, and how well it predicts them, along the run and at its end.
#pragma once

#include <memory>
#include <optional>

#include "cli/stop.hpp"
#include "cli/train_flags.hpp"
#include "cli/train_result.hpp"
#include "kinglet/model.hpp"
#include "kinglet/source.hpp"

namespace kinglet::cli {

// Opens --test for the model, with the format flags of DATA as far as they suit its format. Test data need labels, even
// if DATA does not.
std::unique_ptr<Source> open_test(const TrainFlags& flags, const Model& model);
// Reads the first batch of --test, to find problems as soon as the model knows its columns.
void require_usable_test(const TrainFlags& flags, const Model& model);
// The accuracy on --test, read from its beginning. Nullopt after Ctrl-C.
std::optional<double> accuracy_now(const TrainFlags& flags, const Model& model, const StopOnSignal& stop);
// Tests the model at the end of the run; the outcome gets the result.
void test_model(const TrainFlags& flags, Outcome& outcome, const Model& model, Source& test, StopOnSignal& stop);

}  // namespace kinglet::cli
