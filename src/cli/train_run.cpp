// What happens along a run, and what is done when it fails.
#include "cli/train_run.hpp"

#include <optional>
#include <utility>

#include "cli/keep_learned.hpp"
#include "cli/problem.hpp"
#include "cli/train_display.hpp"
#include "cli/train_events.hpp"
#include "cli/train_report.hpp"
#include "cli/train_test.hpp"
#include "kinglet/error.hpp"
#include "lab/training.hpp"

namespace kinglet::cli {
namespace {

TrainingPlan plan_of(const TrainFlags& flags, const CheckpointFolder* folder, Oracle oracle) {
  TrainingPlan plan;
  plan.passes = flags.passes;
  plan.oracle = std::move(oracle);
  if (folder != nullptr) {
    plan.checkpoint = folder->checkpoint();
    plan.every = flags.every > 0 ? flags.every : kDefaultEvery;
  }
  return plan;
}

// The events that the display and --json-lines show.
TrainingEvents shown_events(const TrainFlags& flags, const Model& model, TrainDisplay& display) {
  return {.unsaved = [](bool is) { StopOnSignal::hurry(is); },
          .notice = [&](const Message& text) { display.notice(text); },
          .line =
              [&](const ProgressLine& line) {
                display.line(line);
                if (flags.json_lines) print_event("progress", progress_json(line, model.task()));
              },
          .drift =
              [&](const DriftAlarm& alarm) {
                display.drift(alarm);
                if (flags.json_lines) print_event("drift", drift_json(alarm));
              },
          .waiting = [&](std::optional<std::uint64_t> rows) { display.waiting(rows); },
          .sorted = [&](const LabelOrder& order) { display.sorted(order); },
          .batch = [&] { display.batch(); }};
}

// The events that the observers follow.
void observe(TrainObservers& observers, TrainingEvents& events) {
  events.times_rows = observers.record.has_value();
  if (observers.record || observers.judge) {
    events.learned = [&](const LearnedPart& part) {
      if (observers.judge) observers.judge->add(part);
      if (observers.record) observers.record->add(part);
    };
  }
  if (observers.delayed) events.judged = [&] { return observers.judge->judged(); };
}

// Trains and shows it. If that fails after the first rows, what was learned is kept.
TrainingResult train_shown(const TrainFlags& flags, Model& model, TrainObservers& observers, const StopOnSignal& stop,
                           const TrainingPlan& plan, bool can_test) {
  const SurviveBrokenPipes survive;
  TrainDisplay display(flags, model, observers.rows());
  const std::uint64_t before = model.progress().examples;
  bool began = false;  // whether the command is right, as far as the first rows show
  const auto begin = [&] {
    if (can_test) require_usable_test(flags, model);
    check_report_image(flags.report_image, model.dimension());
    display.header();
    if (before == 0) display.doubt_label();
    began = true;
  };
  TrainingEvents events = shown_events(flags, model, display);
  events.stopped = [&] { return stop.requested(); };
  events.started = begin;
  observe(observers, events);
  if (can_test) events.test = [&] { return accuracy_now(flags, model, stop); };
  try {
    if (before > 0) begin();
    TrainingResult result = train(model, observers.rows(), plan, events);
    display.tell_skipped();
    return result;
  } catch (...) {
    const Message problem = current_problem();
    if (!began) throw Error(problem);
    keep_learned_and_fail(problem, flags.model, model.progress().examples - before, model);
  }
}

}  // namespace

Outcome run_training(const TrainFlags& flags, Model& model, TrainObservers& observers, const StopOnSignal& stop,
                     const CheckpointFolder* folder, bool can_test) {
  Outcome outcome;
  const TrainingPlan plan = plan_of(flags, folder, observers.oracle());
  outcome.training = train_shown(flags, model, observers, stop, plan, can_test);
  if (observers.judge) outcome.stream = {observers.judge->metrics(), observers.judge->judged()};
  outcome.skipped = observers.data.skipped().count;
  outcome.gaps = observers.data.gaps();
  if (observers.labeller && !observers.labeller->problem().empty()) {
    keep_learned_and_fail(observers.labeller->problem(), flags.model, outcome.training.learned, model);
  }
  return outcome;
}

}  // namespace kinglet::cli
