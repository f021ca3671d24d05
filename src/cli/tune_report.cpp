#include "cli/tune_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "cli/numbers.hpp"
#include "cli/prediction_blocks.hpp"

namespace kinglet::cli {
namespace {

using namespace report;

bool regresses(const TuneResult& result) { return result.task == TaskKind::regress; }

double shown(const TuneResult& result, double error) { return regresses(result) ? error : 1 - error; }

Axis score_axis(const TuneResult& result) {
  if (regresses(result)) return {.label = "online RMSE"};
  return {.label = "online accuracy", .unit = Unit::share};
}

std::string learner_name(const Tuned& tuned) {
  return tuned.budget
             ? fmt::format("{}, B = {}", tuned.algorithm, count_text(static_cast<std::uint64_t>(*tuned.budget)))
             : tuned.algorithm;
}

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string score_text(const TuneResult& result, double error) {
  return regresses(result) ? number_text(error) : percent_text(1 - error);
}

Table frontier_table(const TuneResult& result) {
  Table table{.title = "The best settings at each budget"};
  table.caption = "Measured by progressive validation on the second half of the stream.";
  table.columns = {{.title = "learner", .number = false}, {.title = "budget"},
                   {.title = score_axis(result).label},   {.title = "settings", .number = false},
                   {.title = "support vectors"},          {.title = "memory"},
                   {.title = "one prediction"},           {.title = "", .number = false}};
  for (std::size_t i = 0; i < result.learners.size(); ++i) {
    const Tuned& each = result.learners[i];
    Row row;
    row.cells.push_back(words(each.algorithm));
    row.cells.push_back(each.budget ? count(static_cast<std::uint64_t>(*each.budget)) : words("–"));
    row.cells.push_back(each.error ? Cell{.text = score_text(result, *each.error), .value = shown(result, *each.error)}
                                   : words("–"));
    row.cells.push_back(words(flags_text(each.searched)));
    row.cells.push_back(count(each.support_vectors));
    row.cells.push_back({.text = bytes_text(each.memory_bytes), .value = static_cast<double>(each.memory_bytes)});
    row.cells.push_back(each.latency > 0
                            ? Cell{.text = fmt::format("{:.2f} µs", 1e6 * each.latency), .value = each.latency}
                            : words("–"));
    row.cells.push_back(result.best == i ? verdict(Mark::best, "best") : words(each.left_out, Mark::muted));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Chart frontier_chart(const TuneResult& result) {
  Chart chart{.title = capital(score_axis(result).label) + " against the budget", .wide = true};
  chart.x = {.label = "budget", .unit = Unit::count, .scale = Scale::log};
  for (const Tuned& each : result.learners) {
    if (each.error && each.budget) chart.x.ticks.push_back(static_cast<double>(*each.budget));
  }
  chart.y = score_axis(result);
  std::map<std::string, Series> lines;
  for (const Tuned& each : result.learners) {
    if (!each.error || !each.budget) continue;
    Series& line = lines[each.algorithm];
    line.name = each.algorithm;
    line.drawn = Drawn::line_and_dots;
    line.points.push_back(point(static_cast<double>(*each.budget), shown(result, *each.error), kUnknown));
  }
  for (auto& [name, line] : lines) chart.series.push_back(std::move(line));
  return chart;
}

std::vector<RungResult> longest_race(const Tuned& tuned) {
  std::vector<RungResult> longest;
  for (const TriedSetting& tried : tuned.tried) {
    if (tried.rungs.size() > longest.size()) longest = tried.rungs;
  }
  return longest;
}

// --- the map of settings ---------------------------------------------------------------------------------------------

// The options that were searched and have numbers, gamma first.
std::vector<std::string> searched_numbers(const Tuned& tuned) {
  std::vector<std::string> names;
  for (const TriedSetting& tried : tuned.tried) {
    for (const auto& [name, value] : tried.searched.all()) {
      if (number_of(value) && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) { return name == "gamma"; });
  return names;
}

// The last error that was measured for the setting; nullopt if it failed.
std::optional<double> last_error(const TriedSetting& tried) {
  if (tried.rungs.empty() || !std::isfinite(tried.rungs.back().error)) return std::nullopt;
  return tried.rungs.back().error;
}

Axis searched_axis(const std::string& name, const std::vector<Landscape::Site>& sites, double Landscape::Site::*at) {
  const bool all_positive = std::ranges::all_of(sites, [&](const auto& site) { return site.*at > 0; });
  return {.label = name, .scale = all_positive ? Scale::log : Scale::linear};
}

// Of several measurements at one place, that of the longest race counts; then the better one.
struct Measured {
  Landscape::Site site;
  std::size_t rows = 0;
  double error = 0;
};

std::vector<Landscape::Site> tried_sites(const TuneResult& result, const Tuned& best, const std::string& x,
                                         const std::string& y) {
  const std::string winner = flags_text(best.searched);
  std::map<std::pair<double, double>, Measured> places;
  for (const TriedSetting& tried : best.tried) {
    const auto error = last_error(tried);
    if (!error || !tried.searched.has(x) || !tried.searched.has(y)) continue;
    const auto at_x = number_of(tried.searched.text(x));
    const auto at_y = number_of(tried.searched.text(y));
    if (!at_x || !at_y) continue;
    const std::size_t rows = tried.rungs.back().rows;
    const std::string name = flags_text(tried.searched);
    const Measured made{{.x = *at_x,
                         .y = *at_y,
                         .value = shown(result, *error),
                         .label = fmt::format("{}, up to {}", name, plural(rows, "example")),
                         .best = name == winner},
                        rows,
                        *error};
    const auto [found, is_new] = places.try_emplace({*at_x, *at_y}, made);
    const bool replaces = std::tuple(made.site.best, made.rows, -made.error) >
                          std::tuple(found->second.site.best, found->second.rows, -found->second.error);
    if (!is_new && replaces) found->second = made;
  }
  std::vector<Landscape::Site> sites;
  sites.reserve(places.size());
  for (const auto& [at, measured] : places) sites.push_back(measured.site);
  return sites;
}

Landscape settings_map(const TuneResult& result, const Tuned& best, const std::vector<std::string>& names) {
  Landscape map{.title = fmt::format("{} × {}", names[0], names[1])};
  map.caption = fmt::format(
      "Each dot is a setting that was tried for {}. The colour is its {} over the second half of the rows that it "
      "learned: "
      "settings that dropped out early learned fewer.",
      learner_name(best), score_axis(result).label);
  if (names.size() > 2) map.caption += " Other options were searched, too: the best of them counts.";
  map.sites = tried_sites(result, best, names[0], names[1]);
  map.x = searched_axis(names[0], map.sites, &Landscape::Site::x);
  map.y = searched_axis(names[1], map.sites, &Landscape::Site::y);
  map.value = score_axis(result);
  map.more_is_better = !regresses(result);
  map.wide = true;
  return map;
}

// Where only one option was searched.
Chart settings_curve(const TuneResult& result, const Tuned& best, const std::string& name) {
  const std::vector<Landscape::Site> sites = tried_sites(result, best, name, name);
  Chart chart{.title = capital(score_axis(result).label) + " against " + name, .wide = true};
  chart.x = searched_axis(name, sites, &Landscape::Site::x);
  chart.y = score_axis(result);
  Series tried{.name = "tried", .drawn = Drawn::line_and_dots};
  Series winner{.name = "winner", .drawn = Drawn::dots, .colour = 1};
  for (const Landscape::Site& site : sites) {
    tried.points.push_back({.x = site.x, .y = site.value, .label = site.label});
    if (site.best) winner.points.push_back(tried.points.back());
  }
  chart.series = {std::move(tried), std::move(winner)};
  return chart;
}

// --- the race --------------------------------------------------------------------------------------------------------

// Every setting that was tried at the winning budget, up to where it dropped out.
Chart race_chart(const TuneResult& result, const Tuned& best) {
  Chart chart{.title = "The race", .wide = true};
  chart.caption = fmt::format("{} of {}. Each line is one setting, up to the point where it dropped out.",
                              plural(best.tried.size(), "setting"), learner_name(best));
  chart.x = {.label = "examples", .unit = Unit::count, .scale = Scale::log};
  for (const RungResult& rung : longest_race(best)) chart.x.ticks.push_back(static_cast<double>(rung.rows));
  chart.y = score_axis(result);
  const std::string winner = flags_text(best.searched);
  for (const TriedSetting& tried : best.tried) {
    const std::string name = flags_text(tried.searched);
    Series line{.name = name == winner ? "winner: " + name : "others",
                .drawn = Drawn::line_and_dots,
                .faint = name != winner,
                .colour = name == winner ? 0 : 7};
    for (const RungResult& rung : tried.rungs) {
      if (std::isfinite(rung.error))
        line.points.push_back(point(static_cast<double>(rung.rows), shown(result, rung.error), kUnknown, name));
    }
    if (!line.points.empty()) chart.series.push_back(std::move(line));
  }
  return chart;
}

std::size_t settings_tried(const TuneResult& result) {
  std::size_t sum = 0;
  for (const Tuned& each : result.learners) {
    std::set<std::string> names;
    for (const TriedSetting& tried : each.tried) names.insert(flags_text(tried.searched));
    sum += names.size();
  }
  return sum;
}

std::string summary_text(const TuneOutcome& outcome, const std::string& data) {
  const TuneResult& result = outcome.result;
  const Tuned* best = result.best ? &result.learners[*result.best] : nullptr;
  const std::string tried = fmt::format(
      "{} of {} {} tried on {}", plural(settings_tried(result), "setting"), plural(result.learners.size(), "learner"),
      result.learners.size() == 1 && settings_tried(result) == 1 ? "was" : "were", data);
  if (best == nullptr || !best->error) return fmt::format("{}, and none could be used.", tried);
  return fmt::format("{}; {} ({}) is the best, with an {} of {}.", tried, learner_name(*best),
                     flags_text(best->searched), score_axis(result).label, score_text(result, *best->error));
}

void add_key_facts(Report& page, const TuneOutcome& outcome, const Tuned* best) {
  const TuneResult& result = outcome.result;
  if (best != nullptr && best->error) {
    page.facts.push_back({"winner", learner_name(*best), flags_text(best->searched)});
    page.facts.push_back({score_axis(result).label, score_text(result, *best->error),
                          fmt::format("{} {}", regresses(result) ? "predicting the mean:" : "majority class:",
                                      score_text(result, result.baseline))});
  }
  if (outcome.trained && outcome.trained->test) {
    const Evaluation& test = *outcome.trained->test;
    page.facts.push_back({regresses(result) ? "test RMSE" : "test accuracy",
                          regresses(result) ? number_text(test.rmse()) : percent_text(test.accuracy()),
                          plural(test.examples, "example")});
  }
  page.facts.push_back({"search time", seconds_text(result.seconds),
                        fmt::format("of processor time; {} learned", plural(result.learned, "example"))});
  if (!outcome.trained) page.facts.push_back({"model", "none", "stopped before training it"});
}

Section search_section(const TuneResult& result, const Tuned& best) {
  Section section{.title = "Search"};
  const std::vector<std::string> names = searched_numbers(best);
  if (names.size() >= 2) section.blocks.emplace_back(settings_map(result, best, names));
  if (names.size() == 1) section.blocks.emplace_back(settings_curve(result, best, names[0]));
  section.blocks.emplace_back(race_chart(result, best));
  return section;
}

}  // namespace

Report tune_report(const TuneOutcome& outcome, const std::string& data, const std::string& command) {
  const TuneResult& result = outcome.result;
  const std::string name = data_name(data);
  Report page{.title = "Settings for " + name, .summary = summary_text(outcome, name), .command = command};
  page.subtitle = fmt::format("search on {}", plural(result.rows, "example"));
  const Tuned* best = result.best ? &result.learners[*result.best] : nullptr;
  add_key_facts(page, outcome, best);
  if (!outcome.command.empty()) {
    page.sections.push_back({.title = "Training command", .blocks = {Command{.text = outcome.command}}});
  }
  if (best != nullptr) page.sections.push_back(search_section(result, *best));
  Section frontier{.title = "Accuracy by budget"};
  if (Chart chart = frontier_chart(result); !chart.series.empty()) frontier.blocks.emplace_back(std::move(chart));
  frontier.blocks.emplace_back(frontier_table(result));
  page.sections.push_back(std::move(frontier));
  return page;
}

}  // namespace kinglet::cli
