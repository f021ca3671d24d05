// Trials and the threads they run on.
#include "lab/trial.hpp"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <exception>
#include <mutex>
#include <thread>

#include "core/assert.hpp"
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
    outcome.problem = error.what();
  }
  return outcome;
}

void run_jobs(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job,
              const std::function<bool()>& stopped) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next{0};
  std::exception_ptr error;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < count && !(stopped && stopped()); i = next++) {
      try {
        job(i);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!error) error = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i) others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

std::vector<TrialOutcome> run_trials(std::span<const Trial> trials, unsigned threads,
                                     const std::function<void(std::size_t, const TrialOutcome&)>& done,
                                     const std::function<bool()>& stopped) {
  std::vector<TrialOutcome> outcomes(trials.size());
  for (TrialOutcome& outcome : outcomes) outcome.stopped = true;
  std::mutex mutex;
  run_jobs(
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
