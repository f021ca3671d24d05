// The end of a run of `train`, which also comes after Ctrl-C.
#include "cli/train_finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "cli/baseline.hpp"
#include "cli/command.hpp"
#include "cli/describe.hpp"
#include "cli/flag_text.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/train_events.hpp"
#include "cli/train_test.hpp"
#include "core/compose.hpp"
#include "core/option_texts.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"

namespace kinglet::cli {
namespace {

std::string stopped_text(const TrainFlags& flags, const Outcome& outcome, const Model& model) {
  const std::string after = fmt::format("stopped after {}", plural(answered_examples(model), "example"));
  if (model.progress().examples == 0) return "stopped before the first example; there is no model to save";
  if (model.stats().learns_at_end) {
    return fmt::format("{}; {} learns only at the end of a pass, so there is no model yet", after,
                       model.options().text("algo"));
  }
  if (flags.model.empty()) return after + "; the model was not saved, because -o was not given";
  if (outcome.model == flags.model) return fmt::format("{}; the model is saved in {}", after, flags.model);
  return fmt::format("{}; the model is saved in {}, because {} is there already", after, outcome.model, flags.model);
}

// Runs what comes after saving; an error then also says where the model is.
template <class Act>
void after_saving(const Outcome& outcome, const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    if (outcome.model.empty()) throw;
    throw Error(compose("{} (the model is saved in {})", error.message(), outcome.model));
  }
}

// Notes options that turned out to have no effect, or not the expected one.
void note_unused(const TrainFlags& flags, const Model& model) {
  const Options& asked = model.requested_options();
  if (asked.has("class-weight")) {
    for (const ClassWeight& item : parse_class_weights(asked.text("class-weight"))) {
      const auto labels = model.labels();
      const bool seen =
          std::any_of(labels.begin(), labels.end(), [&](const auto& label) { return same_label(label, item.label); });
      if (!seen) say(flags, fmt::format("--class-weight: no example has the label {}", item.label));
    }
  }
  for (const Message& text : advice(asked)) say(flags, flag_text(text));
  const std::uint64_t examples = model.progress().examples;
  const auto length = stream_length(asked);
  if (length && length->examples < examples) {
    say(flags, fmt::format("{} is {}, but the stream had {}: {}", flag_text(length->option),
                           count_text(length->examples), plural(examples, "example"), length->if_exceeded));
  }
}

// With test data, these decide: the online error includes the mistakes at the beginning.
void note_baseline(const TrainFlags& flags, const Outcome& outcome, const Model& model) {
  const auto compared =
      outcome.test ? against_baseline(*outcome.test) : online_against_baseline(model, outcome.training);
  if (compared && !compared->is_better())
    say(flags, baseline_note(*compared, outcome.test ? "test " : "online ", model));
}

// The file for the model: that of -o; for a run that was stopped, MODEL.partial if a MODEL of another run is there
// already. Empty: there is nothing to save, or no file to save it in.
std::string file_for_model(const TrainFlags& flags, const Model& model, bool stopped) {
  if (flags.model.empty() || model.progress().examples == 0) return {};
  if (stopped && model.stats().learns_at_end) return {};
  return stopped && std::filesystem::is_regular_file(flags.model) ? partial_path(flags.model) : flags.model;
}

}  // namespace

void save_model(const TrainFlags& flags, Outcome& outcome, const Model& model, const CheckpointFolder* folder) {
  outcome.model = file_for_model(flags, model, outcome.training.stopped);
  if (outcome.model.empty()) return;
  try {
    model.save(outcome.model);
  } catch (const Error& error) {
    const bool kept = folder != nullptr && folder->has_checkpoint();
    throw Error(compose("{} (what was learned is {})", error.message(),
                        kept ? "in " + folder->checkpoint() : "lost: there is no checkpoint"));
  }
}

void note_end_of_labels(const TrainFlags& flags, const Model& model) {
  say(flags, fmt::format("training ended with the answers: {} for {}", plural(model.progress().labels, "label"),
                         plural(answered_examples(model), "example")));
}

int finish_training(const TrainFlags& flags, Outcome& outcome, const Model& model, Source* test, StopOnSignal& stop,
                    const std::function<void()>& write_page) {
  const bool learned = model.progress().examples > 0;
  if (outcome.training.stopped) {
    note(stopped_text(flags, outcome, model));
  } else if (flags.model.empty()) {
    say(flags, "the model was not saved, because -o was not given");
  }
  if (!learned) return stopped_exit_code();
  note_unused(flags, model);
  if (test != nullptr && !stop.requested()) {
    after_saving(outcome, [&] { test_model(flags, outcome, model, *test, stop); });
  }
  note_baseline(flags, outcome, model);
  after_saving(outcome, write_page);
  if (flags.json) {
    print_json(result_json(flags, outcome, model));
  } else if (flags.json_lines) {
    print_event("result", result_json(flags, outcome, model));
  } else if (!flags.quiet) {
    const std::string text = result_text(flags, outcome, model);
    flags.query_out == "-" ? print_error(text) : print(text);
  }
  return stop.requested() ? stopped_exit_code() : kSuccess;
}

}  // namespace kinglet::cli
