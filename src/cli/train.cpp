// kinglet train: learns a model from a stream, with progressive validation, checkpoints and a clean stop.
#include <CLI/CLI.hpp>
#include <optional>

#include "cli/command.hpp"
#include "cli/data_flags.hpp"
#include "cli/report_file.hpp"
#include "cli/stop.hpp"
#include "cli/train_finish.hpp"
#include "cli/train_flags.hpp"
#include "cli/train_observers.hpp"
#include "cli/train_report.hpp"
#include "cli/train_run.hpp"
#include "cli/train_start.hpp"
#include "cli/train_test.hpp"

namespace kinglet::cli {

int train_command(const Arguments& arguments) {
  TrainFlags flags;
  CLI::App app("Learns a model from a stream, predicting each example before learning from it.", "kinglet train");
  declare_train_flags(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  check_train_flags(flags, app);

  std::optional<CheckpointFolder> checkpoint;
  open_checkpoint(flags, checkpoint);
  const CheckpointFolder* const folder = checkpoint ? &*checkpoint : nullptr;
  Model model = start_model(flags, folder);
  model.use_threads(threads_of(flags));
  fit_flags(flags, model);
  const auto source = open_to_learn(flags, model);
  const bool can_test = !flags.test.empty() && can_reopen(flags.test, flags.data);

  TrainObservers observers(flags, model, *source);
  StopOnSignal stop;
  stop.watch(*source);
  if (observers.labeller) stop.watch(observers.labeller->interrupt());
  if (flags.restart) folder->discard_checkpoint();
  Outcome outcome = run_training(flags, model, observers, stop, folder, can_test);

  save_model(flags, outcome, model, folder);
  const auto test = flags.test.empty() ? nullptr : open_test(flags, model);
  if (outcome.training.labels_ended) note_end_of_labels(flags, model);
  const auto write_page = [&] {
    if (!observers.record) return;
    const std::string command = command_text("train", arguments);
    write_report(flags.report, train_report(flags, outcome, model, *observers.record, command));
  };
  return finish_training(flags, outcome, model, test.get(), stop, write_page);
}

}  // namespace kinglet::cli
