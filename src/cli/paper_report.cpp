#include "cli/paper_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/numbers.hpp"
#include "cli/paper_result.hpp"

namespace kinglet::cli {
namespace {

using namespace report;

Mark mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::better:
      return Mark::better;
    case Verdict::within:
      return Mark::good;
    case Verdict::short_of:
      return Mark::bad;
    case Verdict::idle:
    case Verdict::none:
      return Mark::muted;
  }
  return Mark::none;
}

Row row_of(const CellResult& each, bool of_figure) {
  const int decimals = decimals_of(each.cell.measure);
  Row row;
  row.cells.push_back(words(each.cell.row));
  row.cells.push_back(words(each.cell.variant));
  if (of_figure) row.cells.push_back(words(place_text(each.cell.x)));
  row.cells.push_back(std::isnan(each.cell.paper.value)
                          ? words("–", Mark::muted)
                          : measured(each.cell.paper.value, each.cell.paper.deviation, decimals));
  row.cells.push_back(measured(each.ours.mean, each.ours.deviation, decimals));
  row.cells.push_back(std::isnan(each.deviations) ? words("") : number(each.deviations, 1));
  row.cells.push_back(each.verdict == Verdict::none
                          ? words("")
                          : verdict(mark_of(each.verdict), std::string(verdict_name(each.verdict))));
  row.cells.push_back(number(each.support_vectors.mean, 0));
  row.cells.push_back(number(each.seconds.mean, 3));
  return row;
}

Table table_of(const std::string& column, const PaperResult& result) {
  Table table{.title = column};
  table.columns = {{.title = "learner", .number = false},
                   {.title = "", .number = false},
                   {.title = "paper"},
                   {.title = "ours"},
                   {.title = "deviations", .hint = "(ours − paper) / the paper's deviation; positive is better"},
                   {.title = "verdict", .number = false},
                   {.title = "support vectors"},
                   {.title = "seconds"}};
  const bool of_figure = std::ranges::any_of(
      result.cells, [&](const CellResult& each) { return each.cell.column == column && each.cell.x != 0; });
  if (of_figure)
    table.columns.insert(table.columns.begin() + 2, {.title = "x", .hint = "position on the x axis of the figure"});
  for (const CellResult& each : result.cells) {
    if (each.cell.column != column) continue;
    table.rows.push_back(row_of(each, of_figure));
    table.caption = std::string(measure_name(each.cell.measure));
    if (!std::isnan(each.baseline)) table.caption += fmt::format("; majority class: {:.2f} %", each.baseline);
    const std::string& remark = paper_set(each.cell.set).remark;
    if (!remark.empty()) table.caption += ". Not the data of the paper: " + remark;
  }
  return table;
}

Chart chart_of(const PaperFigure& figure) {
  Chart chart{.title = figure.title, .wide = true};
  chart.x = {.label = figure.x_name, .scale = figure.log_x ? Scale::log : Scale::linear};
  chart.y = {.label = figure.y_name};
  for (const PaperSeries& each : figure.series) {
    Series series{.name = each.name, .drawn = Drawn::line_and_dots};
    for (const PaperPoint& at : each.points) series.points.push_back(point(at.x, at.y.mean, at.y.deviation));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// The colours of the marks in the table.
int colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::better:
      return 0;
    case Verdict::within:
      return 2;
    case Verdict::short_of:
      return 1;
    case Verdict::idle:
    case Verdict::none:
      break;
  }
  return 7;
}

// Our numbers against the published ones; they agree on the diagonal.
Chart agreement(const PaperResult& result) {
  Chart chart{.title = "Our numbers against the published ones", .square = true};
  chart.caption = "Each dot is a published number. On the dashed line both are equal.";
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const Verdict kind : {Verdict::within, Verdict::better, Verdict::short_of, Verdict::idle}) {
    Series dots{.name = std::string(verdict_name(kind)), .drawn = Drawn::dots, .colour = colour_of(kind)};
    for (const CellResult& each : result.cells) {
      if (each.verdict != kind) continue;
      const double x = each.cell.paper.value;
      const double spread = std::isnan(each.ours.deviation) ? 0 : each.ours.deviation;
      least = std::min({least, x, each.ours.mean - spread});
      most = std::max({most, x, each.ours.mean + spread});
      dots.points.push_back(point(x, each.ours.mean, each.ours.deviation,
                                  fmt::format("{} on {} {}", each.cell.row, each.cell.column, each.cell.variant)));
    }
    if (!dots.points.empty()) chart.series.push_back(std::move(dots));
  }
  const double room = most > least ? 0.05 * (most - least) : 0.5;
  chart.x = {.label = "paper", .least = least - room, .most = most + room};
  chart.y = {.label = "ours", .least = least - room, .most = most + room};
  chart.series.push_back(
      {.name = "equal",
       .points = {point(least - room, least - room, kUnknown), point(most + room, most + room, kUnknown)},
       .faint = true,
       .dash = 1,
       .colour = 7});
  return chart;
}

std::string summary_text(const PaperExperiment& experiment, const PaperResult& result) {
  const std::string runs = runs_text(result);
  if (result.judged() == 0) {
    return fmt::format("{}: {} were measured in {} each, and none is compared with a published one.", experiment.title,
                       plural(result.cells.size(), "number"), runs);
  }
  return fmt::format(
      "Of {}, ours are within one deviation of {}, better by more on {} and short by more on {}, in {} each.",
      plural(result.judged(), "published number"), result.count(Verdict::within), result.count(Verdict::better),
      result.count(Verdict::short_of), runs);
}

}  // namespace

Report paper_report(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result,
                    const std::string& command) {
  Report page{.title = experiment.title,
              .summary = summary_text(experiment, result),
              .subtitle = experiment.source,
              .command = command};
  if (result.judged() > 0) {
    page.facts.push_back({"within one deviation", fmt::format("{}", result.count(Verdict::within)),
                          fmt::format("of {}", plural(result.judged(), "published number"))});
    page.facts.push_back({"better by more", fmt::format("{}", result.count(Verdict::better)), ""});
    page.facts.push_back({"short by more", fmt::format("{}", result.count(Verdict::short_of)), ""});
  }
  if (result.claims_judged() > 0) {
    page.facts.push_back(
        {"claims that hold", fmt::format("{} of {}", result.claims_that_hold(), result.claims_judged()), ""});
  }
  page.facts.push_back(
      {"measured in", runs_text(result), fmt::format("per number; the protocol has {}", experiment.runs)});
  if (result.stopped) page.facts.push_back({"stopped", "yes", "unfinished cells are left out"});
  Section head{.title = "Experiment", .text = protocol_text(experiment, result)};
  if (plan.quick)
    head.blocks.emplace_back(Note{.lines = {"A quick run on small parts of the data, not a reproduction."}});
  if (result.judged() > 0) head.blocks.emplace_back(agreement(result));
  if (!result.claims.empty()) {
    Table claims{.title = "Claims of the paper",
                 .columns = {{.title = "claim", .number = false},
                             {.title = "", .number = false},
                             {.title = "evidence", .number = false}}};
    for (const Claim& claim : result.claims) {
      claims.rows.push_back({.cells = {words(claim.text),
                                       claim.judged ? verdict(claim.holds ? Mark::good : Mark::bad,
                                                              claim.holds ? "holds" : "does not hold")
                                                    : words("not judged"),
                                       words(claim.evidence)}});
    }
    head.blocks.emplace_back(std::move(claims));
  }
  if (!result.missing.empty()) {
    head.blocks.emplace_back(
        Note{.title = "Missing data sets", .lines = {fmt::format("{}", fmt::join(result.missing, ", "))}});
  }
  page.sections.push_back(std::move(head));
  Section figures{.title = "Figures"};
  for (const PaperFigure& figure : result.figures) figures.blocks.emplace_back(chart_of(figure));
  if (!figures.blocks.empty()) page.sections.push_back(std::move(figures));
  Section tables{.title = "All numbers"};
  std::vector<std::string> columns;
  for (const CellResult& each : result.cells) {
    if (std::ranges::find(columns, each.cell.column) == columns.end()) columns.push_back(each.cell.column);
  }
  for (const std::string& column : columns) tables.blocks.emplace_back(table_of(column, result));
  page.sections.push_back(std::move(tables));
  return page;
}

}  // namespace kinglet::cli
