// Runs a paper's experiment: cells × runs on all cores, then compares each cell with the published number.
#include "papers/paper.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <set>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/parallel.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"
#include "lab/tune.hpp"
#include "papers/judge.hpp"

namespace kinglet {

#define KINGLET_RULE(stem) extern const PaperExperiment stem;
namespace papers {
#include "paper_experiments.inc"
}
#undef KINGLET_RULE

namespace {

constexpr std::size_t kQuickRuns = 2;
// More rows than this say little more about a setting.
constexpr std::uint64_t kTunedRows = 40'000;

// BSGD's gradient error Ē = Σ_t ‖Δ_t‖/η_t / N over all N rounds, most of which lose nothing. The paper has one weight
// vector per class even for two classes: a step adds η φ to one and subtracts it from the other, and has length √2 η.
double gradient_error(const LearnerStats& stats) {
  if (stats.maintenance == 0) return 0;
  const double steps = static_cast<double>(stats.maintenance) / static_cast<double>(stats.examples);
  return std::numbers::sqrt2 * stats.maintenance_loss * steps;
}

double measured(Measure measure, const TrialOutcome& outcome) {
  const auto accuracy = [&] { return outcome.test ? outcome.test->accuracy() : std::nan(""); };
  switch (measure) {
    case Measure::test_accuracy:
      return 100 * accuracy();
    case Measure::test_error:
      return 100 * (1 - accuracy());
    case Measure::online_accuracy:
      return 100 * (1 - outcome.progress.online_error());
    case Measure::online_error:
      return 100 * outcome.progress.online_error();
    case Measure::support_vectors:
      return static_cast<double>(outcome.stats.support_vectors);
    case Measure::kernel_values:
      return static_cast<double>(outcome.stats.kernel_evaluations);
    case Measure::updates:
      return static_cast<double>(outcome.stats.updates);
    case Measure::labels:
      return static_cast<double>(outcome.progress.labels);
    case Measure::gradient_error:
      return gradient_error(outcome.stats);
    case Measure::seconds:
      return outcome.seconds;
  }
  return std::nan("");
}

double baseline_of(Measure measure, const TrialOutcome& outcome) {
  const bool on_test = measure == Measure::test_accuracy || measure == Measure::test_error;
  if (!is_share(measure) || (on_test && !outcome.test)) return std::nan("");
  const double error = on_test ? outcome.test->majority_error() : outcome.majority_error.value_or(std::nan(""));
  return 100 * (higher_is_better(measure) ? 1 - error : error);
}

CellResult summed_up(const PaperCell& cell, std::span<const TrialOutcome> outcomes) {
  CellResult result{.cell = cell};
  std::vector<double> vectors, seconds, baselines;
  for (const TrialOutcome& outcome : outcomes) {
    if (outcome.stopped) continue;
    if (result.problem.empty()) result.problem = outcome.problem;
    if (!outcome.problem.empty()) continue;
    result.values.push_back(measured(cell.measure, outcome));
    vectors.push_back(static_cast<double>(outcome.stats.support_vectors));
    seconds.push_back(outcome.seconds);
    baselines.push_back(baseline_of(cell.measure, outcome));
  }
  result.ours = summary_of(result.values);
  result.support_vectors = summary_of(vectors);
  result.seconds = summary_of(seconds);
  result.baseline = summary_of(baselines).mean;
  return result;
}

bool is_wanted(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::ranges::find(wanted, name) != wanted.end();
}

void require_known(const std::vector<std::string>& wanted, const std::vector<PaperCell>& cells,
                   std::string PaperCell::*name, const OptionMention& option) {
  for (const std::string& word : wanted) {
    if (std::ranges::any_of(cells, [&](const PaperCell& cell) { return cell.*name == word; })) continue;
    std::vector<std::string> known;
    for (const PaperCell& cell : cells) {
      if (std::ranges::find(known, cell.*name) == known.end()) known.push_back(cell.*name);
    }
    throw Error(compose("{} '{}' is unknown: the experiment has {}", option, word, fmt::join(known, ", ")));
  }
}

// The cells that the plan selects and whose data are available.
std::vector<PaperCell> chosen_cells(const PaperExperiment& experiment, const PaperPlan& plan, const PaperData& data,
                                    PaperResult& result) {
  const std::vector<PaperCell> all = experiment.cells(plan.quick);
  require_known(plan.rows, all, &PaperCell::row, option("rows"));
  require_known(plan.sets, all, &PaperCell::set, option("sets"));
  std::vector<PaperCell> cells;
  for (const PaperCell& cell : all) {
    if (!is_wanted(plan.rows, cell.row) || !is_wanted(plan.sets, cell.set)) continue;
    const bool is_length = cell.x == static_cast<double>(cell.rows);
    if (plan.quick && is_length && cell.rows > kQuickRows) continue;  // a quick run would shorten it anyway
    const PaperSet& set = paper_set(cell.set);
    if (data.has(set)) {
      cells.push_back(cell);
    } else if (std::ranges::find(result.missing, set.name) == result.missing.end()) {
      result.missing.push_back(set.name);
    }
  }
  return cells;
}

// The data are already scaled, so learners do not scale them again unless the cell says so.
Options base_options(const PaperCell& cell) {
  Options options = cell.options;
  if (!options.has("scale")) options.set("scale", "none");
  return options;
}

Options trial_options(const PaperCell& cell) {
  Options options = base_options(cell);
  for (const auto& [name, value] : cell.settings.options.all()) options.set(name, value);
  return options;
}

// Cells that read different measures of the same trials share them.
struct Distinct {
  std::vector<const PaperCell*> cells;
  std::vector<std::size_t> of_cell;
};

Distinct distinct_cells(const std::vector<PaperCell>& cells) {
  Distinct distinct;
  std::map<std::string, std::size_t> known;
  for (const PaperCell& cell : cells) {
    std::string key = fmt::format("{} {} {}", cell.set, cell.rows, cell.passes);
    const Options options = trial_options(cell);
    for (const auto& [name, value] : options.all()) key += fmt::format(" {}={}", name, value);
    const auto [place, is_new] = known.emplace(key, distinct.cells.size());
    if (is_new) distinct.cells.push_back(&cell);
    distinct.of_cell.push_back(place->second);
  }
  return distinct;
}

}  // namespace

bool is_share(Measure measure) {
  return measure == Measure::test_accuracy || measure == Measure::test_error || measure == Measure::online_accuracy ||
         measure == Measure::online_error;
}

int decimals_of(Measure measure) {
  if (is_share(measure)) return 2;
  return measure == Measure::seconds || measure == Measure::gradient_error ? 3 : 0;
}

bool higher_is_better(Measure measure) {
  return measure == Measure::test_accuracy || measure == Measure::online_accuracy;
}

std::string_view measure_name(Measure measure) {
  switch (measure) {
    case Measure::test_accuracy:
      return "test accuracy %";
    case Measure::test_error:
      return "test error %";
    case Measure::online_accuracy:
      return "online accuracy %";
    case Measure::online_error:
      return "online error %";
    case Measure::support_vectors:
      return "support vectors";
    case Measure::kernel_values:
      return "kernel values";
    case Measure::updates:
      return "updates";
    case Measure::labels:
      return "labels";
    case Measure::gradient_error:
      return "gradient error";
    case Measure::seconds:
      return "seconds";
  }
  return "";
}

std::span<const PaperExperiment* const> paper_experiments() {
#define KINGLET_RULE(stem) &papers::stem,
  static const std::vector<const PaperExperiment*> list = {
#include "paper_experiments.inc"
  };
#undef KINGLET_RULE
  return list;
}

const PaperExperiment& paper_experiment(std::string_view name) {
  std::vector<std::string> names;
  for (const PaperExperiment* experiment : paper_experiments()) {
    if (experiment->name == name) return *experiment;
    names.push_back(experiment->name);
  }
  throw Error(fmt::format("unknown experiment '{}'{}; kinglet paper list shows all", name,
                          suggestion(std::string(name), names, "")));
}

PaperResult run_paper(const PaperExperiment& experiment, const PaperPlan& plan,
                      const std::function<void(std::size_t done, std::size_t total)>& done,
                      const std::function<bool()>& stopped) {
  PaperResult result;
  PaperData data(plan.data_folder, plan.quick);
  const std::vector<PaperCell> cells = chosen_cells(experiment, plan, data, result);
  if (cells.empty()) {
    throw Error(fmt::format("{} does not contain the data of {}", plan.data_folder, fmt::join(result.missing, ", ")));
  }
  const std::size_t runs = plan.runs > 0 ? plan.runs : plan.quick ? kQuickRuns : experiment.runs;
  const Distinct distinct = distinct_cells(cells);
  struct Job {
    std::size_t cell;
    std::size_t run;
  };
  std::vector<Job> jobs;
  std::vector<std::vector<TrialOutcome>> outcomes(distinct.cells.size());
  for (std::size_t i = 0; i < distinct.cells.size(); ++i) {
    const std::size_t most = distinct.cells[i]->most_runs;
    outcomes[i].resize(most == 0 ? runs : std::min(most, runs));
    for (TrialOutcome& outcome : outcomes[i]) outcome.stopped = true;  // cleared when it has run
    for (std::size_t run = 0; run < outcomes[i].size(); ++run) jobs.push_back({i, run});
  }
  std::mutex mutex;
  std::size_t finished = 0;
  parallel_for(
      jobs.size(), plan.threads,
      [&](std::size_t job) {
        const PaperCell& cell = *distinct.cells[jobs[job].cell];
        const std::size_t run = jobs[job].run;
        const auto run_data = data.run_data(paper_set(cell.set), run, cell.rows);
        Trial trial;
        trial.options = trial_options(cell);
        trial.data = run_data.train;
        trial.test = run_data.test;
        trial.passes = cell.passes;
        trial.options.set("seed", std::to_string(run + 1));
        outcomes[jobs[job].cell][run] = run_trial(trial, stopped);
        const std::scoped_lock lock(mutex);
        if (done) done(++finished, jobs.size());
      },
      stopped);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    result.cells.push_back(summed_up(cells[i], outcomes[distinct.of_cell[i]]));
    if (!plan.quick) judge(result.cells.back(), experiment.name);
  }
  result.stopped = stopped && stopped();
  if (experiment.conclude != nullptr && !result.stopped) experiment.conclude(result);
  if (plan.quick) result.claims.clear();  // a quick run proves nothing, so it has no verdicts either
  return result;
}

void tune_paper(const PaperExperiment& experiment, const PaperPlan& plan,
                const std::function<void(const FoundSettings&)>& found, const std::function<bool()>& stopped) {
  PaperResult unused;
  PaperData data(plan.data_folder, plan.quick);
  std::set<std::string> known;
  for (const PaperCell& cell : chosen_cells(experiment, plan, data, unused)) {
    const std::string budget = cell.options.has("budget") ? cell.options.text("budget") : "";
    if (!known.insert(cell.row + "/" + cell.set + "/" + budget).second || (stopped && stopped())) continue;
    const auto source = data.run_data(paper_set(cell.set), 0, kTunedRows).train();
    TunePlan tuning;
    tuning.learner = base_options(cell);
    tuning.threads = plan.threads;
    const TuneResult result =
        tune(std::make_shared<const Dataset>(Dataset::read(*source)), tuning, {.stopped = stopped});
    if (!result.best) continue;
    const Tuned& best = result.learners[*result.best];
    FoundSettings settings;
    settings.row = cell.row;
    settings.set = cell.set;
    settings.budget = budget;
    settings.searched = best.searched;
    settings.error = best.error;
    found(settings);
  }
}

PaperSeries series_of(const PaperResult& result, std::string_view row, std::string_view variant, std::string name) {
  PaperSeries series{.name = std::move(name), .points = {}};
  for (const CellResult& cell : result.cells) {
    if (cell.cell.row == row && cell.cell.variant == variant) series.points.push_back({cell.cell.x, cell.ours});
  }
  std::ranges::stable_sort(series.points, {}, &PaperPoint::x);
  return series;
}

const CellResult* find_cell(const PaperResult& result, std::string_view row, std::string_view column,
                            std::string_view variant) {
  const auto found = std::ranges::find_if(result.cells, [&](const CellResult& each) {
    return each.cell.row == row && each.cell.column == column && each.cell.variant == variant;
  });
  return found == result.cells.end() ? nullptr : &*found;
}

Options options_of(std::string_view words) {
  Options options;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    const std::size_t equals = word.find('=');
    KINGLET_ASSERT(equals != std::string_view::npos);
    options.set(std::string(word.substr(0, equals)), std::string(word.substr(equals + 1)));
  }
  return options;
}

}  // namespace kinglet
