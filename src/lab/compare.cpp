// Compares learners on the same data.
#include "lab/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/option_texts.hpp"
#include "core/parallel.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "lab/search_space.hpp"
#include "lab/tune.hpp"

namespace kinglet {
namespace {

bool has_budget(const std::string& algorithm) { return complete_options({{"algo", algorithm}}).has("budget"); }

}  // namespace

std::vector<std::string> algorithm_names(const std::vector<std::string>& asked) {
  std::vector<std::string> known = {"all", "budgeted"};
  for (const Algorithm& algorithm : algorithms()) known.push_back(algorithm.name);
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const std::string& word : asked) {
    if (std::ranges::find(known, word) == known.end()) {
      throw Error(
          fmt::format("unknown algorithm '{}'{}; kinglet algorithms lists all", word, suggestion(word, known, "")));
    }
    for (const Algorithm& algorithm : algorithms()) {
      const bool in = word == algorithm.name || word == "all" || (word == "budgeted" && has_budget(algorithm.name));
      if (in) add(algorithm.name);
    }
  }
  return names;
}

namespace {

// Completes options whose stream length is not known yet, which checks them.
Options checked(const Options& given) { return complete_options(with_stream_length(given, 1)); }

// Whether `own` still go together with one more option.
bool goes_with(Options own, const std::string& name, const std::string& value) {
  own.set(name, value);
  try {
    checked(own);
  } catch (const Error&) {
    return false;
  }
  return true;
}

// Sets the shared options that this learner has. Which options it has may depend on others (a loss, a kernel), so this
// is repeated until no more can be set. A committee has those that go with one of its members. Returns the remaining
// ones.
std::vector<std::string> take_over(const Options& shared, Options& own) {
  std::set<std::string> left;
  for (const auto& [name, value] : shared.all()) left.insert(name);
  for (bool changed = true; changed;) {
    changed = false;
    const Options taken = checked(own);
    for (auto name = left.begin(); name != left.end();) {
      if (!taken.has(*name) && !(is_committee(taken) && goes_with(own, *name, shared.text(*name)))) {
        ++name;
        continue;
      }
      own.set(*name, shared.text(*name));
      name = left.erase(name);
      changed = true;
    }
  }
  return {left.begin(), left.end()};
}

void add_contestants(const std::string& algorithm, const std::vector<std::uint64_t>& budgets, const Options& shared,
                     std::vector<Contestant>& list) {
  Contestant one{.algorithm = algorithm, .budget = {}, .options = {{"algo", algorithm}}, .left_out = {}};
  one.left_out = take_over(shared, one.options);
  const Options full = checked(one.options);
  one.algorithm = algorithm_name(full);
  if (!full.has("budget") || budgets.empty()) {
    if (full.has("budget") && !full.is_auto("budget")) {
      one.budget = static_cast<std::uint64_t>(full.integer("budget"));
    }
    list.push_back(one);
    return;
  }
  for (const std::uint64_t budget : std::set(budgets.begin(), budgets.end())) {
    one.budget = budget;
    one.options.set("budget", std::to_string(budget));
    checked(one.options);
    list.push_back(one);
  }
}

void require_some_use(const std::vector<Contestant>& list, const Options& shared) {
  for (const auto& [name, value] : shared.all()) {
    const std::string& wanted = name;
    const bool used = std::ranges::any_of(list, [&](const Contestant& one) { return one.options.has(wanted); });
    if (!used) throw Error(compose("{} is not an option of any of the chosen learners", option(shown_name(name))));
  }
}

// The rows of one trial, the same for all contestants.
struct Round {
  RowList train;
  RowList test;  // rows of the same data, with folds
  std::uint64_t seed;
};

std::vector<Round> rounds(const ComparePlan& plan) {
  std::vector<Round> list;
  for (std::size_t run = 0; run < plan.runs; ++run) {
    const std::uint64_t seed = plan.seed + run;
    if (plan.folds == 0) {
      RowList rows = all_rows(*plan.data);
      list.push_back({plan.in_order ? std::move(rows) : shuffled(std::move(rows), seed), {}, seed});
      continue;
    }
    for (Split& split : folds(*plan.data, plan.folds, seed)) {
      if (plan.in_order) std::ranges::sort(split.train);
      list.push_back({std::move(split.train), std::move(split.test), seed});
    }
  }
  return list;
}

Trial trial_of(const Contestant& contestant, const Round& round, const ComparePlan& plan) {
  Trial trial{.options = contestant.options, .passes = plan.passes};
  trial.options.set("seed", std::to_string(round.seed));
  trial.data = [&plan, &round] { return read_rows(plan.data, round.train); };
  if (plan.folds > 0) {
    trial.test = [&plan, &round] { return read_rows(plan.data, round.test); };
  } else if (plan.test) {
    trial.test = [&plan] { return read_rows(plan.test, all_rows(*plan.test)); };
  }
  return trial;
}

class Tally {
 public:
  Tally(const std::vector<Contestant>& list, const ComparePlan& plan, std::size_t rounds) : rounds_(rounds) {
    for (const Contestant& one : list) {
      if (one.problem.empty()) comparison_.regression = complete_options(one.options).text("task") == "regress";
    }
    comparison_.progressive = plan.folds == 0 && !plan.test;
    if (plan.folds > 1) overlap_ = 1 / static_cast<double>(plan.folds - 1);
    comparison_.outcomes.assign(list.size(), std::vector<TrialOutcome>(rounds));
    known_.assign(list.size(), std::vector<bool>(rounds, false));
  }

  void add(std::size_t contestant, std::size_t round, TrialOutcome outcome) {
    known_[contestant][round] = !outcome.stopped;
    comparison_.outcomes[contestant][round] = std::move(outcome);
  }

  const Comparison& sum_up(bool complete);

 private:
  double score_of(const TrialOutcome& outcome) const;
  double online_error_of(const TrialOutcome& outcome) const;
  double baseline_of(const TrialOutcome& outcome) const;
  Standing standing_of(std::size_t contestant, const std::vector<std::size_t>& rounds) const;
  std::vector<std::size_t> common_rounds() const;

  std::size_t rounds_;
  double overlap_ = 0;  // test rows / training rows, with folds, whose training rows overlap
  std::vector<std::vector<bool>> known_;
  Comparison comparison_;
};

double Tally::score_of(const TrialOutcome& outcome) const {
  if (comparison_.regression) return outcome.test ? outcome.test->rmse() : outcome.progress.online_rmse();
  return outcome.test ? outcome.test->accuracy() : 1 - outcome.progress.online_error();
}

double Tally::online_error_of(const TrialOutcome& outcome) const {
  if (outcome.stats.learns_at_end) return std::numeric_limits<double>::quiet_NaN();
  return comparison_.regression ? outcome.progress.online_rmse() : outcome.progress.online_error();
}

double Tally::baseline_of(const TrialOutcome& outcome) const {
  if (comparison_.regression) return outcome.test ? outcome.test->baseline_rmse() : outcome.baseline_rmse.value_or(0);
  return 1 - (outcome.test ? outcome.test->majority_error() : outcome.majority_error.value_or(0));
}

Standing Tally::standing_of(std::size_t contestant, const std::vector<std::size_t>& rounds) const {
  Standing standing{.contestant = contestant};
  for (const std::size_t round : rounds) {
    const TrialOutcome& outcome = comparison_.outcomes[contestant][round];
    if (!known_[contestant][round]) continue;
    if (standing.problem.empty()) standing.problem = outcome.problem;
    if (!standing.problem.empty()) continue;
    if (comparison_.progressive && outcome.stats.learns_at_end) {
      standing.problem = {"learns only at the end of a pass: use ", option("test"), " or ", option("folds"),
                          " to evaluate it"};
      continue;
    }
    standing.trials.push_back(round);
    standing.scores.push_back(score_of(outcome));
    standing.online_errors.push_back(online_error_of(outcome));
    standing.seconds.push_back(outcome.seconds);
    standing.support_vectors.push_back(static_cast<double>(outcome.stats.support_vectors));
    standing.memory_bytes.push_back(static_cast<double>(outcome.stats.memory_bytes));
  }
  return standing;
}

// The trials that all contestants have finished; only these can be compared.
std::vector<std::size_t> Tally::common_rounds() const {
  std::vector<std::size_t> list;
  for (std::size_t round = 0; round < rounds_; ++round) {
    if (std::ranges::all_of(known_, [&](const auto& row) { return row[round]; })) list.push_back(round);
  }
  return list;
}

// While running, all finished trials count; at the end, only those that all contestants have finished.
const Comparison& Tally::sum_up(bool is_complete) {
  std::vector<std::size_t> counted(rounds_);
  for (std::size_t i = 0; i < rounds_; ++i) counted[i] = i;
  if (is_complete) counted = common_rounds();
  Comparison& result = comparison_;
  result.trials = counted.size();
  result.standings.clear();
  std::vector<double> baselines;
  for (std::size_t i = 0; i < result.outcomes.size(); ++i) {
    result.standings.push_back(standing_of(i, counted));
    for (const std::size_t round : counted) {
      const TrialOutcome& outcome = result.outcomes[i][round];
      if (known_[i][round] && outcome.problem.empty()) baselines.push_back(baseline_of(outcome));
    }
  }
  result.baseline = summary_of(baselines).mean;
  // Contestants without a score come last.
  const auto rank = [&](const Standing& standing) {
    if (standing.scores.empty() || !standing.problem.empty()) return HUGE_VAL;
    const double mean = summary_of(standing.scores).mean;
    return std::isnan(mean) ? HUGE_VAL : result.regression ? mean : -mean;
  };
  std::ranges::stable_sort(result.standings, {}, rank);
  if (!is_complete) return result;
  const std::vector<double> best = result.standings.front().scores;
  for (Standing& standing : result.standings) {
    if (&standing == &result.standings.front() || standing.scores.size() != best.size()) continue;
    const double p = paired_t_test(standing.scores, best, overlap_);
    if (!std::isnan(p)) standing.p = p;
  }
  return result;
}

}  // namespace

std::vector<Contestant> contestants(const std::vector<std::string>& algorithms,
                                    const std::vector<std::uint64_t>& budgets, const Options& given) {
  const Options shared = with_keys(given);
  const std::vector<std::string> names = algorithm_names(algorithms);
  for (const char* rule : {"update", "maintain"}) {
    if (names.size() > 1 && shared.has(rule)) {
      throw Error(compose("{} would make several of the algorithms in {} the same: choose one of them",
                          option(shown_name(rule)), option("algo")));
    }
  }
  std::vector<Contestant> list;
  for (const std::string& name : names) {
    try {
      add_contestants(name, budgets, shared, list);
    } catch (const Error& error) {
      list.push_back(
          {.algorithm = name, .budget = {}, .options = {{"algo", name}}, .left_out = {}, .problem = error.message()});
    }
  }
  KINGLET_ASSERT(!list.empty());
  if (std::ranges::all_of(list, [](const Contestant& one) { return !one.problem.empty(); })) {
    throw Error(list.front().problem);
  }
  require_some_use(list, shared);
  return list;
}

void fill_stream_lengths(std::vector<Contestant>& contestants, const ComparePlan& plan) {
  const std::uint64_t rows = plan.data->rows();
  const std::uint64_t tested = plan.folds > 0 ? rows / plan.folds : 0;
  for (Contestant& one : contestants) {
    if (one.problem.empty()) one.options = with_stream_length(one.options, (rows - tested) * plan.passes);
  }
}

void tune_contestants(std::vector<Contestant>& contestants, const ComparePlan& plan,
                      const std::function<void(const Contestant&)>& next, const std::function<bool()>& stopped) {
  const Round first = std::move(rounds(plan).front());
  const auto source = read_rows(plan.data, first.train);
  const auto rows = std::make_shared<const Dataset>(Dataset::read(*source));
  for (Contestant& one : contestants) {
    if (!one.problem.empty() || (stopped && stopped()) || is_committee(complete_options(one.options))) continue;
    if (next) next(one);
    TunePlan tuning;
    tuning.learner = one.options;
    if (one.budget) tuning.learner.set("budget", std::to_string(*one.budget));
    if (one.options.has("memory")) {
      tuning.learner.unset("memory");
      tuning.memory_limit = parse_memory(one.options.text("memory"));
    }
    tuning.threads = plan.threads;
    tuning.in_order = plan.in_order;
    try {
      const TuneResult found = tune(rows, tuning, {.stopped = stopped, .rung = {}});
      if (!found.best) continue;
      const Options& searched = found.learners[*found.best].searched;
      one.found = searched;
      for (const auto& [name, value] : searched.all()) one.options.set(name, value);
    } catch (const Error& error) {
      one.problem = error.message();
    }
  }
}

Comparison compare(const std::vector<Contestant>& contestants, const ComparePlan& plan,
                   const std::function<void(const Comparison&, std::size_t done, std::size_t total)>& done,
                   const std::function<bool()>& stopped) {
  KINGLET_ASSERT(!contestants.empty() && plan.data && !(plan.test && plan.folds > 0));
  const std::vector<Round> list = rounds(plan);
  Tally tally(contestants, plan, list.size());
  std::mutex mutex;
  std::size_t finished = 0;
  const std::size_t total = list.size() * contestants.size();
  parallel_for(
      total, plan.threads,
      [&](std::size_t job) {
        const std::size_t contestant = job % contestants.size();
        const std::size_t round = job / contestants.size();
        TrialOutcome outcome;
        outcome.problem = contestants[contestant].problem;
        if (outcome.problem.empty() && plan.passes > 1 &&
            keeps_examples(complete_options(contestants[contestant].options))) {
          outcome.problem = "keeps its examples, so another pass would count them twice";
        }
        if (outcome.problem.empty()) {
          outcome = run_trial(trial_of(contestants[contestant], list[round], plan), stopped);
        }
        const std::scoped_lock lock(mutex);
        tally.add(contestant, round, std::move(outcome));
        ++finished;
        if (done) done(tally.sum_up(false), finished, total);
      },
      stopped);
  Comparison result = tally.sum_up(true);
  result.stopped = stopped && stopped();
  return result;
}

}  // namespace kinglet
