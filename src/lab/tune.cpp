// Finds settings: a race over the whole space, then races around the best setting.
#include "lab/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/assert.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "lab/latency.hpp"
#include "lab/metrics.hpp"
#include "lab/race.hpp"
#include "lab/search_space.hpp"
#include "learn/make_learner.hpp"
#include "model/memory.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kMostSpread = 40;  // largest number of settings in the first race
constexpr std::size_t kFinalists = 3;
constexpr std::size_t kMostMoves = 3;  // moves of the centre, for each step size
constexpr std::size_t kLastRungs = 3;  // races around the best drop settings only at these rungs
constexpr std::size_t kFewRows = 20'000;
constexpr std::size_t kMostStreams = 3;

// With fewer rows than this, chance has a large effect, so several orders of the rows are used.
std::size_t streams_for(std::size_t rows) {
  return std::clamp<std::size_t>((kFewRows + rows - 1) / rows, 1, kMostStreams);
}

double error_of(TaskKind task, double loss) { return task == TaskKind::regress ? std::sqrt(loss) : loss; }

// --- the search for one algorithm and budget -------------------------------------------------------------------------

class Search {
 public:
  Search(const RaceTrack& track, const SearchSpace& space, const TunePlan& plan, const TuneEvents& events,
         RungReport report, TaskKind task)
      : track_(track), space_(space), plan_(plan), events_(events), report_(std::move(report)), task_(task) {}

  // Searches the whole space, or around `start`. Nullopt if it was stopped before any setting could be evaluated.
  std::optional<Setting> run(const std::optional<Setting>& start);
  // The entrant of the winner, whose setting run() returned.
  const Model& model(const Setting& winner) const;
  double loss(const Setting& winner) const { return entrants_.at(winner).loss(entrants_.at(winner).rungs() - 1); }

  std::vector<TriedSetting> tried() const;
  void add_cost(TuneResult& result) const;

 private:
  Entrant* enter(const Setting& setting);
  std::vector<Entrant*> run_race(const std::vector<Setting>& settings, std::size_t first_rung, std::size_t streams);
  void refine(int step, std::vector<Setting> others);
  Setting setting_of(const Entrant* entrant) const;
  bool is_stopped() const { return events_.stopped && events_.stopped(); }

  const RaceTrack& track_;
  const SearchSpace& space_;
  const TunePlan& plan_;
  const TuneEvents& events_;
  RungReport report_;
  TaskKind task_;
  std::map<Setting, Entrant> entrants_;
  std::optional<Setting> best_;
};

Entrant* Search::enter(const Setting& setting) {
  const auto [place, is_new] = entrants_.try_emplace(setting);
  if (is_new) place->second.options = space_.options(setting).value();
  return &place->second;
}

Setting Search::setting_of(const Entrant* entrant) const {
  const auto found = std::ranges::find_if(entrants_, [&](const auto& item) { return &item.second == entrant; });
  KINGLET_ASSERT(found != entrants_.end());
  return found->first;
}

std::vector<Entrant*> Search::run_race(const std::vector<Setting>& settings, std::size_t first_rung,
                                       std::size_t streams) {
  std::vector<Entrant*> entrants;
  entrants.reserve(settings.size());
  for (const Setting& setting : settings) entrants.push_back(enter(setting));
  const auto report = [&](std::size_t rung, std::span<Entrant* const> order) {
    if (!events_.rung) return;
    report_.rows = track_.rungs[rung];
    report_.left = order.size();
    report_.best = space_.searched(setting_of(order[0]));
    report_.error = error_of(task_, order[0]->loss(rung));
    events_.rung(report_);
  };
  const RaceRules rules{.first_rung = first_rung,
                        .streams = streams,
                        .least = kFinalists,
                        .champion = best_ ? &entrants_.at(*best_) : nullptr,
                        .threads = plan_.threads,
                        .stopped = events_.stopped,
                        .rung = report};
  auto order = race(std::move(entrants), track_, rules);
  // A race that was stopped gives a new best only if there was none before.
  if (!is_stopped() || (!best_ && order[0]->rungs() > 0)) best_ = setting_of(order[0]);
  return order;
}

// Races the best setting against its neighbours until it stays the best. `others` ran before and take part again.
void Search::refine(int step, std::vector<Setting> others) {
  const std::size_t rungs = track_.rungs.size();
  for (std::size_t moves = 0; moves < kMostMoves && !is_stopped(); ++moves) {
    const Setting middle = *best_;
    std::vector<Setting> settings = {middle};
    std::ranges::copy_if(others, std::back_inserter(settings), [&](const Setting& s) { return s != middle; });
    others.clear();
    for (const Setting& setting : space_.neighbours(middle, step)) {
      if (!entrants_.contains(setting)) settings.push_back(setting);
    }
    if (settings.size() == 1 && entrants_.at(middle).racers.size() == track_.streams.size()) return;
    run_race(settings, rungs - std::min(rungs, kLastRungs), track_.streams.size());
    if (*best_ == middle) return;
  }
}

std::optional<Setting> Search::run(const std::optional<Setting>& start) {
  std::vector<Setting> finalists;
  if (start && space_.options(*start)) {
    best_ = start;
    enter(*start);
  } else {
    for (const Entrant* entrant : run_race(space_.spread(kMostSpread), 0, 1)) {
      finalists.push_back(setting_of(entrant));
    }
    if (!best_) return std::nullopt;
  }
  refine(kWholeStep / 2, std::move(finalists));
  refine(kWholeStep / 4, {});
  const Entrant& winner = entrants_.at(*best_);
  if (winner.rungs() > 0) return best_;
  for (const Racer& racer : winner.racers) {
    if (racer.failed()) throw Error(racer.problem());
  }
  return std::nullopt;
}

const Model& Search::model(const Setting& winner) const {
  const auto& racers = entrants_.at(winner).racers;
  const auto found = std::ranges::find_if(racers, [](const Racer& racer) { return racer.model() != nullptr; });
  KINGLET_ASSERT(found != racers.end());
  return *found->model();
}

std::vector<TriedSetting> Search::tried() const {
  std::vector<TriedSetting> list;
  for (const auto& [setting, entrant] : entrants_) {
    TriedSetting item{.searched = space_.searched(setting)};
    for (std::size_t rung = 0; rung < entrant.rungs(); ++rung) {
      item.rungs.push_back({.rows = track_.rungs[rung], .error = error_of(task_, entrant.loss(rung))});
    }
    for (const Racer& racer : entrant.racers) {
      if (racer.failed()) item.problem = racer.problem();
    }
    list.push_back(item);
  }
  return list;
}

void Search::add_cost(TuneResult& result) const {
  for (const auto& [setting, entrant] : entrants_) {
    for (const Racer& racer : entrant.racers) {
      result.learned += racer.learned();
      result.seconds += racer.seconds();
    }
  }
}

// --- budgets and limits ----------------------------------------------------------------------------------------------

// What the first rows show about the data and a learner.
struct Probe {
  Options options;  // complete, with values chosen from the data
  LearnerStats stats;
  TaskKind task = TaskKind::classify;
  Shape shape;
};

Probe probe(const std::shared_ptr<const Dataset>& data, const Options& options, const TunePlan& plan) {
  RowList rows = plan.in_order ? all_rows(*data) : shuffled(all_rows(*data), plan.seed);
  rows.resize(std::min(rows.size(), kBatchRows));
  Batch batch;
  read_rows(data, std::move(rows))->next(batch);
  Model model(options);
  model.learn(batch);
  const LearnerStats stats = model.stats();
  const auto labels = static_cast<std::uint32_t>(data->batch().new_labels.size());
  return {.options = model.options(),
          .stats = stats,
          .task = model.task(),
          .shape = {.dimension = std::max(data->dimension(), model.dimension()),
                    .classes = model.task() == TaskKind::classify ? std::max(labels, stats.classes) : stats.classes,
                    .storage = storage_named(model.options().text("storage"))}};
}

// Memory in bytes with this budget, if it is known before learning; else 0.
std::uint64_t memory_with(const Probe& seen, std::int64_t budget) {
  if (seen.shape.has_sparse_vectors()) return 0;
  Options options = seen.options;
  options.set("budget", std::to_string(budget));
  return learner_memory(options, seen.shape);
}

std::int64_t largest_within(const Probe& seen, std::uint64_t limit, std::int64_t most) {
  std::int64_t fits = 0;
  std::int64_t too_much = most + 1;
  while (too_much - fits > 1) {
    const std::int64_t middle = fits + (too_much - fits) / 2;
    (memory_with(seen, middle) <= limit ? fits : too_much) = middle;
  }
  return fits;
}

// The budgets given, or a default ladder, up to the largest budget that a memory limit allows, if that is not far above
// the end of the ladder.
std::vector<std::optional<std::int64_t>> budgets_for(const Probe& seen, const TunePlan& plan) {
  if (!seen.options.has("budget")) return {std::nullopt};
  if (plan.learner.has("budget")) return {seen.options.integer("budget")};
  if (!plan.budgets.empty()) {
    std::vector<std::int64_t> sorted = plan.budgets;
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return {sorted.begin(), sorted.end()};
  }
  std::vector<std::optional<std::int64_t>> ladder = {50, 100, 200, 500, 1000};
  if (plan.memory_limit == 0 || seen.shape.has_sparse_vectors()) return ladder;
  const std::int64_t most = 2 * *ladder.back();
  const std::int64_t largest = largest_within(seen, plan.memory_limit, most);
  if (largest == 0) {
    throw Error(fmt::format("{} of memory are not enough: a single support vector of {} features needs {}",
                            bytes_text(plan.memory_limit), seen.shape.dimension, bytes_text(memory_with(seen, 1))));
  }
  std::erase_if(ladder, [&](const auto& budget) { return *budget >= largest; });
  if (largest < most) ladder.emplace_back(largest);
  return ladder;
}

std::string over_memory(std::uint64_t bytes, const TunePlan& plan) {
  if (plan.memory_limit == 0 || bytes <= plan.memory_limit) return {};
  return fmt::format("needs {} of memory", bytes_text(bytes));
}

std::string over_latency(double seconds, const TunePlan& plan) {
  if (plan.latency_limit == 0 || seconds <= plan.latency_limit) return {};
  return fmt::format("needs {:.3g} µs per prediction", seconds * 1e6);
}

// --- all algorithms and budgets --------------------------------------------------------------------------------------

// Throws Error if the data cannot tell good settings from bad ones.
void check_data(const std::shared_ptr<const Dataset>& data, TaskKind task) {
  const Batch& all = data->batch();
  if (task == TaskKind::novelty) {
    const auto novel = std::ranges::find(all.new_labels, "-1") - all.new_labels.begin();
    if (std::ranges::find(all.labels, static_cast<std::uint32_t>(novel)) != all.labels.end()) return;
    throw Error(fmt::format("{}: no row is labelled -1 (novel), so settings for novelty detection cannot be evaluated",
                            data->name()));
  }
  require_labels(task, all, *read_rows(data, {}), 0);
  if (task == TaskKind::classify && all.new_labels.size() < 2) {
    throw Error(fmt::format("{}: all rows have the label {}, so settings cannot be compared", data->name(),
                            all.new_labels.front()));
  }
}

double baseline_of(const Dataset& data, TaskKind task) {
  if (task == TaskKind::regress) {
    TargetMoments moments;
    moments.add(data.batch().targets);
    return moments.deviation();
  }
  std::map<std::uint32_t, std::size_t> counts;
  std::size_t most = 0;
  for (const std::uint32_t label : data.batch().labels) most = std::max(most, ++counts[label]);
  return 1 - static_cast<double>(most) / static_cast<double>(data.rows());
}

// The deviation of the targets as the learner sees them. `deviation`: in their own units.
double deviation_seen(const Options& complete, double deviation) {
  const bool unscaled = complete.has("target-scale") && complete.text("target-scale") == "none";
  return unscaled && deviation > 0 ? deviation : 1;
}

class Tuning {
 public:
  Tuning(std::shared_ptr<const Dataset> data, const TunePlan& plan, const TuneEvents& events)
      : data_(std::move(data)), plan_(plan), events_(events) {}

  TuneResult operator()();

 private:
  void tune_algorithm(const std::string& name);
  void tune_budget(const Probe& seen, const RaceTrack& track, Options given, std::optional<std::int64_t> budget,
                   std::optional<Setting>& start);
  Options given_for(const std::string& algorithm) const;
  bool is_stopped() const { return events_.stopped && events_.stopped(); }
  void choose_best();

  std::shared_ptr<const Dataset> data_;
  const TunePlan& plan_;
  const TuneEvents& events_;
  TuneResult result_;
};

Options Tuning::given_for(const std::string& algorithm) const {
  Options given = with_keys(plan_.learner);
  given.set("algo", algorithm);
  return with_stream_length(given, data_->rows());
}

void Tuning::tune_algorithm(const std::string& name) {
  const Options given = given_for(name);
  const TaskKind task = task_kind(complete_options(given));
  check_data(data_, task);
  const Probe seen = probe(data_, given, plan_);
  result_.task = task;
  result_.baseline = baseline_of(*data_, task);
  const RaceTrack track =
      make_track(data_, streams_for(data_->rows()), plan_.seed, plan_.in_order, seen.stats.learns_at_end);
  std::optional<Setting> start;
  bool too_slow = false;
  for (const auto& budget : budgets_for(seen, plan_)) {
    if (is_stopped()) return;
    result_.learners.push_back({.algorithm = algorithm_name(seen.options), .budget = budget});
    Tuned& tuned = result_.learners.back();
    if (budget) tuned.memory_bytes = memory_with(seen, *budget);
    tuned.left_out = too_slow ? "a smaller budget is already too slow" : over_memory(tuned.memory_bytes, plan_);
    if (tuned.left_out.empty()) tune_budget(seen, track, given, budget, start);
    too_slow = too_slow || !over_latency(tuned.latency, plan_).empty();
  }
}

void Tuning::tune_budget(const Probe& seen, const RaceTrack& track, Options given, std::optional<std::int64_t> budget,
                         std::optional<Setting>& start) {
  Tuned& tuned = result_.learners.back();
  if (budget) given.set("budget", std::to_string(*budget));
  const bool has_gamma = seen.options.has("gamma") && !seen.options.is_auto("gamma");
  const SearchScales scales{.gamma = has_gamma ? seen.options.real("gamma") : 1,
                            .targets = deviation_seen(seen.options, result_.baseline)};
  const SearchSpace space(given, scales);
  Search search(track, space, plan_, events_, {.algorithm = tuned.algorithm, .budget = budget}, seen.task);
  const auto winner = search.run(start);
  tuned.tried = search.tried();
  search.add_cost(result_);
  if (!winner) return;
  start = winner;
  tuned.searched = space.searched(*winner);
  tuned.options = space.options(*winner).value();
  tuned.options.set("algo", seen.options.text("algo"));
  tuned.error = error_of(seen.task, search.loss(*winner));
  const Model& model = search.model(*winner);
  const LearnerStats stats = model.stats();
  tuned.support_vectors = stats.support_vectors;
  tuned.memory_bytes = stats.memory_bytes;
  const auto seconds = prediction_seconds(model, *data_);
  tuned.latency = percentile(seconds, 0.5);
  tuned.left_out = over_memory(tuned.memory_bytes, plan_);
  if (tuned.left_out.empty()) tuned.left_out = over_latency(tuned.latency, plan_);
}

void Tuning::choose_best() {
  for (std::size_t i = 0; i < result_.learners.size(); ++i) {
    const Tuned& tuned = result_.learners[i];
    if (!tuned.error || !tuned.left_out.empty()) continue;
    if (!result_.best || *tuned.error < *result_.learners[*result_.best].error) result_.best = i;
  }
}

TuneResult Tuning::operator()() {
  result_.rows = data_->rows();
  if (plan_.algorithms.empty()) {
    tune_algorithm(algorithm_to_search(with_keys(plan_.learner)));
  } else {
    for (const std::string& name : plan_.algorithms) tune_algorithm(name);
  }
  result_.stopped = is_stopped();
  choose_best();
  return std::move(result_);
}

}  // namespace

TuneResult tune(std::shared_ptr<const Dataset> data, const TunePlan& plan, const TuneEvents& events) {
  return Tuning(std::move(data), plan, events)();
}

}  // namespace kinglet
