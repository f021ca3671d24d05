#include "cli/tune_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "cli/numbers.hpp"

namespace kinglet::cli {
namespace {

using namespace report;

bool regresses(const TuneResult& result) { return result.task == TaskKind::regress; }

double shown(const TuneResult& result, double error) { return regresses(result) ? error : 1 - error; }

Axis score_axis(const TuneResult& result) {
  if (regresses(result)) return {.label = "online RMSE"};
  return {.label = "online accuracy", .unit = Unit::share};
}

std::string score_text(const TuneResult& result, double error) {
  return regresses(result) ? number_text(error) : fmt::format("{:.2f} %", 100 * (1 - error));
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

// Every setting that was tried at the winning budget, up to where it dropped out.
Chart race_chart(const TuneResult& result, const Tuned& best) {
  Chart chart{.title = "The race", .wide = true};
  chart.caption = fmt::format("{} of {}{}. Each line is one setting, up to the point where it dropped out.",
                              plural(best.tried.size(), "setting"), best.algorithm,
                              best.budget ? fmt::format(" with budget {}", *best.budget) : "");
  chart.x = {.label = "examples", .unit = Unit::count, .scale = Scale::log};
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

}  // namespace

Report tune_report(const TuneOutcome& outcome, const std::string& data, const std::string& command) {
  const TuneResult& result = outcome.result;
  Report page{.title = "Settings for " + data, .command = command};
  page.subtitle = fmt::format("search on {}", plural(result.rows, "example"));
  const Tuned* best = result.best ? &result.learners[*result.best] : nullptr;
  if (best != nullptr && best->error) {
    page.facts.push_back({score_axis(result).label, score_text(result, *best->error),
                          fmt::format("{} {}", regresses(result) ? "predicting the mean:" : "majority class:",
                                      score_text(result, result.baseline))});
  }
  if (outcome.trained && outcome.trained->test) {
    const Evaluation& test = *outcome.trained->test;
    page.facts.push_back({regresses(result) ? "test RMSE" : "test accuracy",
                          regresses(result) ? number_text(test.rmse()) : fmt::format("{:.2f} %", 100 * test.accuracy()),
                          plural(test.examples, "example")});
  }
  page.facts.push_back({"search time", seconds_text(result.seconds),
                        fmt::format("of processor time; {} learned", plural(result.learned, "example"))});
  if (!outcome.trained) page.facts.push_back({"model", "none", "stopped before training it"});
  Section winner{.title = "Training command"};
  winner.blocks.emplace_back(Note{.lines = {outcome.command}});
  page.sections.push_back(std::move(winner));
  Section frontier{.title = "Accuracy by budget"};
  if (Chart chart = frontier_chart(result); !chart.series.empty()) frontier.blocks.emplace_back(std::move(chart));
  frontier.blocks.emplace_back(frontier_table(result));
  page.sections.push_back(std::move(frontier));
  if (best != nullptr) page.sections.push_back({.title = "Search", .blocks = {race_chart(result, *best)}});
  return page;
}

}  // namespace kinglet::cli
