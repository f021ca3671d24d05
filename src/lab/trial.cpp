// Runs one trial, or many in parallel.
#include "lab/trial.hpp"

#include <ctime>
#include <mutex>

#include "core/assert.hpp"
#include "core/parallel.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

double thread_seconds() {
  timespec now{};
  KINGLET_ASSERT(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TrialOutcome run_trial(const Trial& trial, const std::function<bool()>& stopped,
                       const std::function<void(const Model&)>& inspect) {
  TrialOutcome outcome;
  try {
    Model model(trial.options);
    const auto source = trial.data();
    TrainingEvents events;
    events.stopped = stopped;
    events.line = [&](const ProgressLine& line) { outcome.lines.push_back(line); };
    const double begin = thread_seconds();
    const TrainingResult training = train(model, *source, {.passes = trial.passes}, events);
    outcome.seconds = thread_seconds() - begin;
    outcome.stopped = training.stopped;
    outcome.majority_error = training.majority_error;
    outcome.baseline_rmse = training.baseline_rmse;
    outcome.progress = model.progress();
    outcome.stats = model.stats();
    outcome.options = model.options();
    if (trial.test && !outcome.stopped) {
      const auto test = trial.test();
      outcome.test = evaluate(model, *test, 1, stopped);
      outcome.stopped = outcome.test->stopped;
    }
    if (inspect && !outcome.stopped) inspect(model);
  } catch (const Error& error) {
    outcome.problem = error.message();
  }
  return outcome;
}

std::vector<TrialOutcome> run_trials(std::span<const Trial> trials, unsigned threads,
                                     const std::function<void(std::size_t, const TrialOutcome&)>& done,
                                     const std::function<bool()>& stopped) {
  std::vector<TrialOutcome> outcomes(trials.size());
  for (TrialOutcome& outcome : outcomes) outcome.stopped = true;
  std::mutex mutex;
  parallel_for(
      trials.size(), threads,
      [&](std::size_t i) {
        outcomes[i] = run_trial(trials[i], stopped);
        const std::scoped_lock lock(mutex);
        if (done) done(i, outcomes[i]);
      },
      stopped);
  return outcomes;
}

}  // namespace kinglet
