// Runs a paper's experiment: cells × runs on all cores, then compares each cell with the published number.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "core/compose.hpp"
#include "core/parallel.hpp"
#include "kinglet/error.hpp"
#include "lab/tune.hpp"
#include "papers/judge.hpp"
#include "papers/paper.hpp"
#include "papers/trial_store.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kQuickRuns = 2;
// More rows than this say little more about a setting.
constexpr std::uint64_t kTunedRows = 40'000;
// Without a budget, time grows with the square of the rows; a searched option is searched for each choice.
constexpr std::uint64_t kTunedSlowRows = 10'000;

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
    if (plan.only_kept || data.has(set)) {
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

// Everything that determines the trials of a cell.
std::string key_of(const PaperCell& cell) {
  std::string key = fmt::format("{} {} {}", cell.set, cell.rows, cell.passes);
  if (!cell.searched.empty()) key += " searched:" + cell.searched;
  const Options options = trial_options(cell);
  for (const auto& [name, value] : options.all()) key += fmt::format(" {}={}", name, value);
  return key;
}

// Cells that read different measures of the same trials share them.
struct Distinct {
  std::vector<const PaperCell*> cells;
  std::vector<std::string> keys;
  std::vector<std::size_t> of_cell;
};

Distinct distinct_cells(const std::vector<PaperCell>& cells) {
  Distinct distinct;
  std::map<std::string, std::size_t> known;
  for (const PaperCell& cell : cells) {
    std::string key = key_of(cell);
    const auto [place, is_new] = known.emplace(key, distinct.cells.size());
    if (is_new) {
      distinct.cells.push_back(&cell);
      distinct.keys.push_back(std::move(key));
    }
    distinct.of_cell.push_back(place->second);
  }
  return distinct;
}

// A trial of a cell that has run, or why it has not.
struct RunResult {
  std::optional<TrialNumbers> numbers;
  std::string revision;
  Message problem;
};

struct PaperOutcome : TrialOutcome {
  double classes = std::nan("");
};

PaperOutcome outcome_of(const PaperCell& cell, const Options& options, PaperData& data, std::size_t run,
                        std::uint64_t rows, const std::function<bool()>& stopped) {
  const auto run_data = data.run_data(paper_set(cell.set), run, rows);
  Trial trial;
  trial.options = options;
  trial.data = run_data.train;
  trial.test = run_data.test;
  trial.passes = cell.passes;
  trial.options.set("seed", std::to_string(run + 1));
  double classes = std::nan("");
  return {run_trial(trial, stopped, [&](const Model& model) { classes = classes_of(model); }), classes};
}

// With a number of support vectors that differs by more than this from the budget, a searched option has not been
// found.
constexpr double kMissed = 0.05;  // relative

struct Searched {
  Options options;
  bool is_found = true;
};

// `options` of a cell with the value of the searched one: bisection on the first run, where larger values give fewer
// support vectors. The budget leaves room for more than are wanted.
Searched with_searched(const PaperCell& cell, Options options, PaperData& data, const std::function<bool()>& stopped) {
  if (cell.searched.empty()) return {.options = std::move(options)};
  constexpr int kSteps = 12;
  constexpr double kNear = 0.02;  // relative
  const double wanted = options.real("budget");
  options.set("budget", fmt::format("{:.0f}", 4 * wanted));
  double few = 1, many = 1e-3, off = wanted;
  for (int step = 0; step < kSteps; ++step) {
    const double value = std::sqrt(few * many);
    options.set(cell.searched, fmt::format("{:.4g}", value));
    const PaperOutcome outcome = outcome_of(cell, options, data, 0, cell.rows, stopped);
    if (outcome.stopped || !outcome.problem.empty()) break;
    const auto found = static_cast<double>(outcome.stats.support_vectors);
    off = std::abs(found - wanted);
    if (off <= kNear * wanted) break;
    (found < wanted ? few : many) = value;
  }
  return {.options = std::move(options), .is_found = off <= kMissed * wanted};
}

// A short trial of a cell.
struct Probe {
  std::string text;  // empty: it did not finish, so nothing that was kept can be used
  double cost = 0;   // an estimate of the seconds that a trial takes, good enough to run the quick ones first
};

// A fingerprint of all that decides a cell's trials: the numbers of its second trial, which has another seed than the
// scaling of the data, on few rows and with a budget that they fill.
Probe probe_of(const PaperCell& cell, PaperData& data, const std::function<bool()>& stopped) {
  constexpr std::uint64_t kRows = 1500;
  constexpr double kBudget = 100;
  PaperCell small = cell;
  small.rows = cell.rows == 0 ? kRows : std::min(cell.rows, kRows);
  const double budget = cell.options.has("budget") ? cell.options.real("budget") : 0;
  if (budget > kBudget) small.options.set("budget", fmt::format("{:.0f}", kBudget));
  const PaperOutcome outcome = outcome_of(small, with_searched(small, trial_options(small), data, stopped).options,
                                          data, 1, small.rows, stopped);
  if (outcome.stopped || !outcome.problem.empty()) return {};
  const PaperSet& set = paper_set(cell.set);
  const double longer =
      static_cast<double>(data.rows_learned(set, cell.rows)) / static_cast<double>(data.rows_learned(set, small.rows));
  const double wider =
      budget > 0 ? std::max(1.0, budget / kBudget) : longer;  // without a budget, vectors grow with the rows
  return {.text = probe_text(numbers_of(outcome, outcome.classes)), .cost = outcome.seconds * longer * wider};
}

// With another number of support vectors than the searched option should give, a result is not the paper's protocol.
bool missed_its_budget(const CellResult& result) {
  if (result.cell.searched.empty() || result.values.empty()) return false;
  const double wanted = result.cell.options.real("budget");
  return std::abs(result.support_vectors.mean - wanted) > kMissed * wanted;
}

CellResult summed_up(const PaperCell& cell, std::span<const RunResult> runs) {
  CellResult result{.cell = cell};
  std::vector<double> vectors, seconds, baselines;
  for (const RunResult& run : runs) {
    if (result.problem.empty()) result.problem = run.problem;
    if (!run.numbers) continue;
    ++result.revisions[run.revision];
    result.values.push_back(run.numbers->value(cell.measure));
    vectors.push_back(run.numbers->value(Measure::support_vectors));
    seconds.push_back(run.numbers->value(Measure::seconds));
    baselines.push_back(run.numbers->baseline(cell.measure));
    if (std::isnan(result.searched)) result.searched = run.numbers->searched;
  }
  result.ours = summary_of(result.values);
  result.support_vectors = summary_of(vectors);
  result.seconds = summary_of(seconds);
  result.baseline = summary_of(baselines).mean;
  result.cell.compared = cell.compared && !missed_its_budget(result);
  return result;
}

// The trials of distinct cells, found or run.
class Trials {
 public:
  Trials(Distinct distinct, PaperData& data, const PaperExperiment& experiment, const PaperPlan& plan, std::size_t runs,
         const std::function<void(std::size_t, std::size_t)>& done, const std::function<bool()>& stopped)
      : distinct_(std::move(distinct)),
        data_(data),
        plan_(plan),
        store_(plan.quick ? "" : plan.keep, experiment.name, plan.revision),
        done_(done),
        stopped_(stopped),
        results_(distinct_.cells.size()),
        costs_(distinct_.cells.size()),
        options_(distinct_.cells.size()),
        searched_(distinct_.cells.size()) {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const std::size_t most = distinct_.cells[i]->most_runs;
      if (!is_settled(*distinct_.cells[i])) continue;
      results_[i].resize(most == 0 ? runs : std::min(most, runs));
      total_ += results_[i].size();
    }
    const std::vector<std::string> all = distinct_cells(experiment.cells(false)).keys;
    store_.keep_only({all.begin(), all.end()});
  }

  void run() {
    if (plan_.only_kept) {
      for (std::size_t i = 0; i < results_.size(); ++i) take(i, store_.find(distinct_.keys[i]));
      return;
    }
    if (store_.keeps())
      parallel_for(
          results_.size(), plan_.threads, [&](std::size_t i) { find_kept(i); }, stopped_);
    try {
      run_others();
    } catch (...) {
      store_.save();
      throw;
    }
    store_.save();
  }
  std::span<const RunResult> of_cell(std::size_t cell) const { return results_[distinct_.of_cell[cell]]; }
  std::size_t outdated() const { return outdated_; }

 private:
  using Jobs = std::vector<std::pair<std::size_t, std::size_t>>;  // cell and run
  void run_others() {
    Jobs jobs;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      for (std::size_t run = 0; run < results_[i].size(); ++run) {
        if (!results_[i][run].numbers) jobs.emplace_back(i, run);
      }
    }
    std::ranges::stable_sort(jobs, {}, [&](const auto& job) { return costs_[job.first]; });
    parallel_for(
        jobs.size(), plan_.threads, [&](std::size_t job) { run_one(jobs[job].first, jobs[job].second); }, stopped_);
  }
  void find_kept(std::size_t i) {
    if (results_[i].empty()) return;
    const std::string& key = distinct_.keys[i];
    const Probe probe = probe_of(*distinct_.cells[i], data_, stopped_);
    costs_[i] = probe.cost;
    if (probe.text.empty()) return;
    const KeptTrials kept = store_.open(key, probe.text);
    take(i, kept);
    const std::scoped_lock lock(mutex_);
    outdated_ += kept.empty() && !store_.find(key).empty() ? 1 : 0;
  }
  void take(std::size_t i, const KeptTrials& trials) {
    std::size_t known = 0;
    for (const auto& [run, trial] : trials) {
      if (run >= results_[i].size()) continue;
      results_[i][run] = {.numbers = trial.numbers, .revision = trial.revision, .problem = {}};
      ++known;
    }
    count(known);
  }
  void run_one(std::size_t i, std::size_t run) {
    const PaperCell& cell = *distinct_.cells[i];
    std::call_once(searched_[i],
                   [&] { options_[i] = with_searched(cell, trial_options(cell), data_, stopped_).options; });
    const PaperOutcome outcome = outcome_of(cell, options_[i], data_, run, cell.rows, stopped_);
    if (outcome.stopped) return;
    RunResult& result = results_[i][run];
    result.problem = outcome.problem;
    result.revision = plan_.revision;
    if (outcome.problem.empty()) result.numbers = numbers_of(outcome, outcome.classes);
    if (result.numbers && !cell.searched.empty()) result.numbers->searched = options_[i].real(cell.searched);
    if (store_.keeps() && result.numbers) store_.keep(distinct_.keys[i], run, *result.numbers);
    count(1);
  }
  void count(std::size_t trials) {
    const std::scoped_lock lock(mutex_);
    finished_ += trials;
    if (done_ && trials > 0) done_(finished_, total_);
  }

  Distinct distinct_;
  PaperData& data_;
  const PaperPlan& plan_;
  TrialStore store_;
  const std::function<void(std::size_t, std::size_t)>& done_;
  const std::function<bool()>& stopped_;
  std::vector<std::vector<RunResult>> results_;  // by distinct cell and run
  std::vector<double> costs_;                    // by distinct cell: an estimate; 0 if nothing is kept
  std::vector<Options> options_;                 // with the searched one, once it has been found
  std::vector<std::once_flag> searched_;
  std::size_t total_ = 0;
  std::size_t finished_ = 0;
  std::size_t outdated_ = 0;
  std::mutex mutex_;
};

}  // namespace

std::size_t runs_of(const PaperExperiment& experiment, const PaperCell& cell) {
  return cell.most_runs == 0 ? experiment.runs : std::min(cell.most_runs, experiment.runs);
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
  Trials trials(distinct_cells(cells), data, experiment, plan, runs, done, stopped);
  trials.run();
  result.outdated = trials.outdated();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    result.cells.push_back(summed_up(cells[i], trials.of_cell(i)));
    if (!plan.quick) judge(result.cells.back(), experiment.name);
  }
  result.stopped = stopped && stopped();
  if (experiment.conclude != nullptr && !result.stopped) experiment.conclude(result);
  if (plan.quick) result.claims.clear();  // a quick run proves nothing, so it has no verdicts either
  return result;
}

namespace {

// The learner of a cell with one of its choices, before it is tuned.
Options with_choice(const PaperCell& cell, const Options& choice) {
  Options options = base_options(cell);
  for (const auto& [name, value] : choice.all()) options.set(name, value);
  return options;
}

// The best settings of a learner with a choice; nullopt if nothing was measured.
std::optional<Tuned> tuned(const Options& learner, const Options& choice, const std::shared_ptr<const Dataset>& rows,
                           unsigned threads, const std::function<bool()>& stopped) {
  TunePlan tuning;
  tuning.learner = learner;
  tuning.threads = threads;
  const TuneResult result = tune(rows, tuning, {.stopped = stopped});
  if (!result.best) return std::nullopt;
  Tuned best = result.learners[*result.best];
  for (const auto& [name, value] : choice.all()) best.searched.set(name, value);
  return best;
}

}  // namespace

void tune_paper(const PaperExperiment& experiment, const PaperPlan& plan,
                const std::function<void(const FoundSettings&)>& found, const std::function<bool()>& stopped) {
  PaperResult unused;
  PaperData data(plan.data_folder, plan.quick);
  std::set<std::string> known;
  for (const PaperCell& cell : chosen_cells(experiment, plan, data, unused)) {
    const std::string budget = cell.options.has("budget") ? cell.options.text("budget") : "";
    if (!known.insert(cell.row + "/" + cell.set + "/" + budget).second || (stopped && stopped())) continue;
    PaperCell part = cell;
    part.rows = budget.empty() || !cell.searched.empty() ? kTunedSlowRows : kTunedRows;
    const auto source = data.run_data(paper_set(cell.set), 0, part.rows).train();
    const auto rows = std::make_shared<const Dataset>(Dataset::read(*source));
    std::optional<Tuned> best;
    bool is_found = false;  // a choice with which a searched option cannot be found is the last resort
    for (const std::string& text : cell.choices.empty() ? std::vector<std::string>{""} : cell.choices) {
      const Options choice = options_of(text);
      const Searched learner = with_searched(part, with_choice(cell, choice), data, stopped);
      if (is_found && !learner.is_found) continue;
      std::optional<Tuned> next = tuned(learner.options, choice, rows, plan.threads, stopped);
      if (!next || (best && is_found == learner.is_found && next->error >= best->error)) continue;
      best = std::move(next);
      is_found = learner.is_found;
    }
    if (!best || (stopped && stopped())) continue;
    found({.row = cell.row, .set = cell.set, .budget = budget, .searched = best->searched, .error = best->error});
  }
}

}  // namespace kinglet
