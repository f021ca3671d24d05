#include "cli/tune_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/describe.hpp"
#include "cli/flag_text.hpp"
#include "cli/numbers.hpp"
#include "cli/report_file.hpp"
#include "cli/table.hpp"
#include "kinglet/registry.hpp"

namespace kinglet::cli {
namespace {

bool is_flag(const std::string& name) {
  const auto options = all_options();
  const auto found =
      std::ranges::find_if(options, [&](const ListedOption& listed) { return listed.spec.name == name; });
  return found != options.end() && found->spec.kind == OptionKind::flag;
}

std::string with_value(const std::string& name, const std::string& value) {
  if (!is_flag(name)) return fmt::format(" {} {}", flag_name(name), shell_quoted(value));
  return value == "true" ? " " + flag_name(name) : "";
}

const char* score_name(TaskKind task) { return task == TaskKind::regress ? "rmse" : "accuracy"; }

double score_of(TaskKind task, double error) { return task == TaskKind::regress ? error : 1 - error; }

std::string score_text(TaskKind task, double error) {
  return task == TaskKind::regress ? number_text(error) : fraction_text(1 - error);
}

std::string latency_text(double seconds) { return seconds > 0 ? fmt::format("{:.3g} µs", seconds * 1e6) : "–"; }

std::string budget_text(const Tuned& tuned) {
  return tuned.budget ? count_text(static_cast<std::uint64_t>(*tuned.budget)) : "–";
}

std::string frontier_text(const TuneResult& result) {
  const std::vector<Column> columns = {
      {"algorithm", false}, {"budget"}, {result.task == TaskKind::regress ? "RMSE" : "accuracy"},
      {"support vectors"},  {"memory"}, {"prediction"},
      {"settings", false}};
  std::vector<Row> rows;
  std::string left_out;
  for (std::size_t i = 0; i < result.learners.size(); ++i) {
    const Tuned& tuned = result.learners[i];
    if (!tuned.left_out.empty()) {
      left_out += fmt::format("left out: {}{}: {}\n", tuned.algorithm,
                              tuned.budget ? " with budget " + budget_text(tuned) : "", tuned.left_out);
    }
    if (!tuned.error) continue;
    rows.push_back({tuned.algorithm, budget_text(tuned), score_text(result.task, *tuned.error),
                    count_text(tuned.support_vectors), bytes_text(tuned.memory_bytes), latency_text(tuned.latency),
                    flags_text(tuned.searched) + (result.best == i ? "  ← best" : "")});
  }
  return (rows.empty() ? "" : format_table(columns, rows)) + left_out;
}

std::string cost_text(const TuneResult& result) {
  const double passes =
      static_cast<double>(result.learned) / static_cast<double>(std::max<std::size_t>(1, result.rows));
  return fmt::format("{} examples learned, {:.1f} passes over {}, {} of processor time", count_text(result.learned),
                     passes, plural(result.rows, "row"), seconds_text(result.seconds));
}

Json tried_json(const std::vector<TriedSetting>& tried) {
  Json list = Json::array();
  for (const TriedSetting& one : tried) {
    Json rungs = Json::array();
    for (const RungResult& rung : one.rungs) rungs.push_back({{"rows", rung.rows}, {"error", number_json(rung.error)}});
    Json item = {{"searched", options_json(one.searched)}, {"rungs", rungs}};
    if (!one.problem.empty()) item["problem"] = flag_text(one.problem);
    list.push_back(item);
  }
  return list;
}

Json tuned_json(const Tuned& tuned, TaskKind task) {
  Json json;
  json["algorithm"] = tuned.algorithm;
  json["budget"] = tuned.budget ? Json(*tuned.budget) : Json(nullptr);
  if (tuned.error) {
    json["error"] = number_json(*tuned.error);
    json[score_name(task)] = number_json(score_of(task, *tuned.error));
    json["support_vectors"] = tuned.support_vectors;
    json["latency_seconds"] = tuned.latency;
    json["searched"] = options_json(tuned.searched);
    json["options"] = options_json(tuned.options);
  }
  json["memory_bytes"] = tuned.memory_bytes;
  if (!tuned.left_out.empty()) json["left_out"] = tuned.left_out;
  json["tried"] = tried_json(tuned.tried);
  return json;
}

}  // namespace

std::string flags_text(const Options& options) {
  std::string text;
  for (const auto& [name, value] : options.all()) text += with_value(name, value);
  return text.empty() ? text : text.substr(1);
}

std::string train_command_line(const DataFlags& data, const std::string& model, const Options& options) {
  std::string text = "kinglet train " + shell_quoted(data.data);
  for (const std::string& argument : data_arguments(data)) text += " " + shell_quoted(argument);
  text += " -o " + shell_quoted(model.empty() ? "model.kinglet" : model);
  Options others = options;
  for (const char* first : {"algo", "budget"}) {
    if (!options.has(first)) continue;
    text += with_value(first, options.text(first));
    others.unset(first);
  }
  const std::string rest = flags_text(others);
  return rest.empty() ? text : text + " " + rest;
}

std::string tune_text(const TuneOutcome& outcome) {
  const TuneResult& result = outcome.result;
  std::string text = "\n" + frontier_text(result) + "\n";
  Listing listing = {{"cost", cost_text(result)}};
  listing.emplace_back(result.task == TaskKind::regress ? "predicting the mean" : "majority class",
                       score_text(result.task, result.baseline));
  if (outcome.trained && outcome.trained->test) {
    const Evaluation& test = *outcome.trained->test;
    const bool numbers = result.task == TaskKind::regress;
    listing.emplace_back(numbers ? "test RMSE" : "test accuracy",
                         fmt::format("{} on {}", numbers ? number_text(test.rmse()) : fraction_text(test.accuracy()),
                                     plural(test.examples, "example")));
  }
  if (outcome.trained && !outcome.model.empty()) listing.emplace_back("model", outcome.model);
  text += format_listing(listing);
  return outcome.command.empty() ? text : text + "\n" + outcome.command + "\n";
}

Json tune_json(const TuneOutcome& outcome) {
  const TuneResult& result = outcome.result;
  Json json;
  json["rows"] = result.rows;
  json["baseline_error"] = number_json(result.baseline);
  json["examples_learned"] = result.learned;
  json["cpu_seconds"] = result.seconds;
  Json frontier = Json::array();
  for (const Tuned& tuned : result.learners) frontier.push_back(tuned_json(tuned, result.task));
  if (result.best) {
    json["best"] = frontier[*result.best];
    json["best"].erase("tried");
  } else {
    json["best"] = nullptr;
  }
  json["frontier"] = frontier;
  if (outcome.trained && outcome.trained->test) {
    const Evaluation& test = *outcome.trained->test;
    const bool numbers = result.task == TaskKind::regress;
    json[numbers ? "test_rmse" : "test_accuracy"] = number_json(numbers ? test.rmse() : test.accuracy());
    json["test_examples"] = test.examples;
  }
  json["stopped"] = result.stopped;
  json["model"] = outcome.trained && !outcome.model.empty() ? Json(outcome.model) : Json(nullptr);
  json["command"] = outcome.command.empty() ? Json(nullptr) : Json(outcome.command);
  return json;
}

}  // namespace kinglet::cli
