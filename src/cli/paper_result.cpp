#include "cli/paper_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/compare_result.hpp"
#include "cli/flag_text.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"

namespace kinglet::cli {
namespace {

std::string published_text(const Published& paper, int digits) {
  if (std::isnan(paper.value)) return "–";
  if (std::isnan(paper.deviation)) return fmt::format("{:.{}f}", paper.value, digits);
  return fmt::format("{:.{}f} ± {:.{}f}", paper.value, digits, paper.deviation, digits);
}

std::string rounded(double value, int digits) {
  return std::isnan(value) ? "–" : fmt::format("{:.{}f}", value, digits);
}

std::string words_of(const Options& options) {
  std::string words;
  for (const auto& [name, value] : options.all())
    words += fmt::format("{}{}={}", words.empty() ? "" : " ", name, value);
  return words;
}

// "B = 100, threshold 0.0123"
std::string variant_text(const CellResult& result) {
  if (std::isnan(result.searched)) return result.cell.variant;
  return fmt::format("{}, {} {:.3g}", result.cell.variant, result.cell.searched, result.searched);
}

Row row_of(const CellResult& result) {
  const Measure measure = result.cell.measure;
  return {result.cell.row,
          variant_text(result),
          published_text(result.cell.paper, std::max(2, decimals_of(measure))),
          spread_text(result.ours, 1, decimals_of(measure)),
          std::isnan(result.deviations) ? "" : fmt::format("{:+.1f}", result.deviations),
          std::string(verdict_name(result.verdict)),
          rounded(result.cell.paper.support_vectors, 0),
          rounded(result.support_vectors.mean, 0),
          std::isnan(result.seconds.mean) ? "–" : fmt::format("{:.3g}", result.seconds.mean)};
}

// The table of one data set; the last row is the majority class.
std::string block_text(const std::string& column, const PaperResult& result) {
  std::vector<Row> rows;
  double baseline = std::nan("");
  Measure measure = Measure::test_accuracy;
  std::string set;
  for (const CellResult& each : result.cells) {
    if (each.cell.column != column) continue;
    rows.push_back(row_of(each));
    measure = each.cell.measure;
    set = each.cell.set;
    if (!std::isnan(each.baseline)) baseline = each.baseline;
  }
  if (!std::isnan(baseline)) rows.push_back({"(majority class)", "", "", rounded(baseline, 2), "", "", "", "", ""});
  const std::vector<Column> columns = {{"learner", false}, {"", false},        {"paper"}, {"ours"},   {"deviations"},
                                       {"verdict", false}, {"vectors, paper"}, {"ours"},  {"seconds"}};
  const std::string remark = paper_set(set).remark;
  const std::string title = fmt::format("{}: {}", column, measure_name(measure));
  std::string text = title;
  if (!remark.empty()) text += fmt::format(" ({})", remark);
  return text + "\n\n" + format_table(columns, rows) + "\n";
}

std::string figure_text(const PaperFigure& figure) {
  std::vector<Column> columns = {{figure.x_name}};
  std::vector<double> places;
  for (const PaperSeries& series : figure.series) {
    columns.push_back({series.name});
    for (const PaperPoint& point : series.points) places.push_back(point.x);
  }
  const auto is_small = [](const PaperPoint& point) { return std::abs(point.y.mean) < 1; };
  const int digits =
      std::ranges::any_of(figure.series,
                          [&](const auto& series) { return std::ranges::any_of(series.points, is_small); })
          ? 4
          : 2;
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<Row> rows;
  for (const double x : places) {
    Row row = {place_text(x)};
    for (const PaperSeries& series : figure.series) {
      const auto found = std::ranges::find(series.points, x, &PaperPoint::x);
      row.push_back(found == series.points.end() ? "" : spread_text(found->y, 1, digits));
    }
    rows.push_back(std::move(row));
  }
  const std::string title = fmt::format("{} ({})", figure.title, figure.y_name);
  return title + "\n\n" + format_table(columns, rows) + "\n";
}

std::string summary_text(const PaperResult& result) {
  if (result.judged() == 0) return "";
  std::string text = fmt::format("{}: {} within one deviation, {} better by more, {} short by more\n",
                                 plural(result.judged(), "published number"), result.count(Verdict::within),
                                 result.count(Verdict::better), result.count(Verdict::short_of));
  if (const std::size_t idle = result.count(Verdict::idle); idle > 0) {
    text += fmt::format("{} at the level of the majority class, not counted\n", plural(idle, "more result"));
  }
  for (const CellResult& each : result.cells) {
    if (!each.is_far()) continue;
    text += fmt::format("{} on {} {}is not the same experiment: {}\n", each.cell.row, each.cell.column,
                        each.cell.variant.empty() ? "" : "(" + each.cell.variant + ") ",
                        each.reason.empty() ? "the reason is not known" : each.reason);
  }
  return text;
}

std::string_view verdict_of(const Claim& claim) {
  if (!claim.judged) return "not judged";
  return claim.holds ? "holds" : "DOES NOT HOLD";
}

Json figure_json(const PaperFigure& figure) {
  Json json = {{"title", figure.title}, {"x", figure.x_name}, {"y", figure.y_name}};
  json["series"] = Json::array();
  for (const PaperSeries& series : figure.series) {
    Json points = Json::array();
    for (const PaperPoint& point : series.points) points.push_back({{"x", point.x}, {"y", summary_json(point.y)}});
    json["series"].push_back({{"name", series.name}, {"points", points}});
  }
  return json;
}

}  // namespace

std::string place_text(double x) {
  return x == std::floor(x) && std::abs(x) < 1e15 ? fmt::format("{:.0f}", x) : number_text(x);
}

std::string runs_text(const PaperResult& result) {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  for (const CellResult& each : result.cells) {
    const std::uint64_t runs = each.values.size();
    if (runs == 0) continue;
    least = least == 0 ? runs : std::min(least, runs);
    most = std::max(most, runs);
  }
  return least == most ? plural(most, "run") : fmt::format("{} to {}", least, plural(most, "run"));
}

std::string protocol_text(const PaperExperiment& experiment, const PaperResult& result) {
  const bool in_full = std::ranges::all_of(result.cells, [&](const CellResult& each) {
    return each.values.empty() || each.values.size() == runs_of(experiment, each.cell);
  });
  return in_full ? experiment.protocol
                 : fmt::format("{} The numbers below come from {} each.", experiment.protocol, runs_text(result));
}

std::string paper_text(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result) {
  std::string text =
      fmt::format("{}\n{}\n{}\n\n", experiment.title, experiment.source, protocol_text(experiment, result));
  if (plan.quick) text += "QUICK: small parts of the data; these numbers are no reproduction\n\n";
  if (result.figures.empty()) {
    std::vector<std::string> columns;
    for (const CellResult& each : result.cells) {
      if (std::ranges::find(columns, each.cell.column) == columns.end()) columns.push_back(each.cell.column);
    }
    for (const std::string& column : columns) text += block_text(column, result);
  }
  for (const PaperFigure& figure : result.figures) text += figure_text(figure);
  for (const Claim& claim : result.claims) {
    text += fmt::format("{}: {} ({})\n", verdict_of(claim), claim.text, claim.evidence);
  }
  for (const CellResult& each : result.cells) {
    if (!each.problem.empty())
      text += fmt::format("{} on {}: {}\n", each.cell.row, each.cell.column, flag_text(each.problem));
  }
  if (!result.missing.empty()) {
    text += fmt::format("no data for {}: --data names the folder they are in, kinglet data get fetches them\n",
                        fmt::join(result.missing, ", "));
  }
  return text + summary_text(result);
}

Json paper_json(const PaperExperiment& experiment, const PaperPlan& plan, const PaperResult& result) {
  Json json;
  json["experiment"] = experiment.name;
  json["source"] = experiment.source;
  json["protocol"] = experiment.protocol;
  json["quick"] = plan.quick;
  json["runs"] = experiment.runs;
  json["judged"] = result.judged();
  json["within"] = result.count(Verdict::within);
  json["better"] = result.count(Verdict::better);
  json["short"] = result.count(Verdict::short_of);
  json["majority_class"] = result.count(Verdict::idle);
  json["stopped"] = result.stopped;
  json["missing"] = result.missing;
  json["cells"] = Json::array();
  for (const CellResult& each : result.cells) {
    Json cell;
    cell["row"] = each.cell.row;
    cell["column"] = each.cell.column;
    cell["variant"] = each.cell.variant;
    cell["set"] = each.cell.set;
    cell["remark"] = paper_set(each.cell.set).remark;
    cell["measure"] = measure_name(each.cell.measure);
    cell["decimals"] = std::max(2, decimals_of(each.cell.measure));
    cell["x"] = each.cell.x;
    cell["paper"] = {{"value", number_json(each.cell.paper.value)},
                     {"deviation", number_json(each.cell.paper.deviation)},
                     {"support_vectors", number_json(each.cell.paper.support_vectors)}};
    cell["ours"] = summary_json(each.ours);
    cell["values"] = Json::array();
    for (const double value : each.values) cell["values"].push_back(number_json(value));
    cell["runs"] = runs_of(experiment, each.cell);
    cell["revisions"] = each.revisions;
    cell["support_vectors"] = summary_json(each.support_vectors);
    cell["seconds"] = summary_json(each.seconds);
    cell["baseline"] = number_json(each.baseline);
    cell["deviations"] = number_json(each.deviations);
    cell["compared"] = each.cell.compared;
    if (!std::isnan(each.searched)) cell["searched"] = {{each.cell.searched, each.searched}};
    cell["far"] = each.is_far();
    cell["reason"] = each.reason;
    cell["verdict"] = each.verdict == Verdict::none ? Json(nullptr) : Json(verdict_name(each.verdict));
    if (!each.problem.empty()) cell["problem"] = flag_text(each.problem);
    cell["options"] = options_json(each.cell.options);
    cell["settings"] = options_json(each.cell.settings.options);
    cell["origin"] = each.cell.settings.origin;
    json["cells"].push_back(std::move(cell));
  }
  json["figures"] = Json::array();
  for (const PaperFigure& figure : result.figures) json["figures"].push_back(figure_json(figure));
  json["claims"] = Json::array();
  for (const Claim& claim : result.claims) {
    json["claims"].push_back(
        {{"text", claim.text}, {"holds", claim.holds}, {"judged", claim.judged}, {"evidence", claim.evidence}});
  }
  return json;
}

Json settings_json(const PaperExperiment& experiment) {
  Json json = {{"experiment", experiment.name}, {"source", experiment.source}, {"protocol", experiment.protocol}};
  json["cells"] = Json::array();
  for (const PaperCell& cell : experiment.cells(false)) {
    Json each = {{"row", cell.row}, {"set", cell.set}, {"variant", cell.variant}, {"x", cell.x}};
    each["rows"] = cell.rows;
    each["passes"] = cell.passes;
    each["measure"] = measure_name(cell.measure);
    each["options"] = options_json(cell.options);
    if (!cell.searched.empty()) each["options"][cell.searched] = "searched";
    each["settings"] = options_json(cell.settings.options);
    each["origin"] = cell.settings.origin;
    each["tuned_rows_evaluated"] = cell.settings.origin.empty() ? "" : evaluates_tuned_rows(cell);
    each["runs"] = runs_of(experiment, cell);
    json["cells"].push_back(std::move(each));
  }
  return json;
}

std::string settings_text(const PaperExperiment& experiment) {
  std::vector<Row> rows;
  for (const PaperCell& cell : experiment.cells(false)) {
    Row row = {cell.row,
               cell.set,
               cell.variant,
               words_of(cell.options) + (cell.searched.empty() ? "" : " " + cell.searched + "=searched"),
               words_of(cell.settings.options),
               cell.settings.origin,
               std::string(cell.settings.origin.empty() ? "" : evaluates_tuned_rows(cell)),
               std::to_string(runs_of(experiment, cell))};
    if (std::ranges::find(rows, row) == rows.end()) rows.push_back(std::move(row));  // one for all measures
  }
  return format_table({{"learner", false},
                       {"set", false},
                       {"", false},
                       {"options", false},
                       {"settings", false},
                       {"origin", false},
                       {"tuned rows evaluated", false},
                       {"runs"}},
                      rows);
}

}  // namespace kinglet::cli
