// kinglet eval: measures a model on labelled data. Classification: accuracy, balanced accuracy, F1, AUC, precision,
// recall and confusion matrix, and the calibration of probabilities if the model has them. Regression: RMSE, MAE and
// R².
#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>

#include "cli/baseline.hpp"
#include "cli/command.hpp"
#include "cli/data_flags.hpp"
#include "cli/describe.hpp"
#include "cli/eval_report.hpp"
#include "cli/help.hpp"
#include "cli/json.hpp"
#include "cli/model_flags.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/probabilities.hpp"
#include "cli/report_file.hpp"
#include "cli/schema_text.hpp"
#include "cli/stop.hpp"
#include "cli/table.hpp"
#include "kinglet/error.hpp"
#include "lab/metrics.hpp"

namespace kinglet::cli {
namespace {

constexpr std::size_t kWidestMatrix = 12;  // classes
constexpr std::size_t kMostClasses = 40;
constexpr std::size_t kMostConfusions = 10;

constexpr const char* kEvalExamples =
    "  kinglet eval test.libsvm.xz -m model.kinglet\n"
    "  kinglet eval 'gen:checkerboard?n=100000&seed=2' -m board.kinglet --json\n";

struct EvalFlags {
  DataFlags data;
  ModelFlags model;
  std::string report;
  bool json = false;
  bool quiet = false;
  bool proba = false;
};

void declare(CLI::App& app, EvalFlags& flags) {
  add_model_flags(app, flags.model);
  app.add_flag("--proba", flags.proba,
               "fail if the model has no probabilities; if it has, their quality is always printed")
      ->group(kMainSection);
  add_report_flag(app, flags.report);
  app.add_flag("--json", flags.json, "print the result as JSON")->group(kMainSection);
  add_quiet_flag(app, flags.quiet);
  add_data_flags(app, flags.data);
  hide_feature_flags(app);
  app.footer(kEvalExamples);
}

double rate_of(const Evaluation& result) {
  return result.seconds > 0 ? static_cast<double>(result.examples) / result.seconds : 0;
}

std::string share_text(double share) { return std::isnan(share) ? "–" : fraction_text(share); }

std::string examples_text(const Evaluation& result) {
  return fmt::format("{} in {}, {}", count_text(result.examples), seconds_text(result.seconds),
                     rate_text(rate_of(result)));
}

std::string summary_text(const Evaluation& result, const Ranking& ranking) {
  Listing listing = {
      {"examples", examples_text(result)},
      {"accuracy", fmt::format("{} (majority class {})", fraction_text(result.accuracy()),
                               fraction_text(1 - result.majority_error()))},
      {"error", fmt::format("{} (majority class {})", fraction_text(1 - result.accuracy()),
                            fraction_text(result.majority_error()))},
      {"balanced accuracy", share_text(result.balanced_accuracy())},
      {"F1", fmt::format("{} ({})", share_text(result.f1()), f1_text(result))},
      {"AUC", auc_text(ranking)},
  };
  add_unknown(listing, "unknown labels", result);
  add_reliability(listing, "", result.reliability);
  return format_listing(listing);
}

std::string classes_text(const Evaluation& result) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < std::min(result.labels.size(), kMostClasses); ++i) {
    rows.push_back({result.labels[i], share_text(result.precision(i)), share_text(result.recall(i)),
                    share_text(result.f1(i)), count_text(result.actual(i))});
  }
  const std::string more =
      result.labels.size() > rows.size()
          ? fmt::format("… and {} more classes (--json lists all)\n", result.labels.size() - rows.size())
          : "";
  return format_table({{"class", false}, {"precision"}, {"recall"}, {"F1"}, {"examples"}}, rows) + more;
}

std::string matrix_text(const Evaluation& result) {
  std::vector<Column> columns = {{"true \\ predicted", false}};
  std::vector<Row> rows;
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    columns.push_back({result.labels[i]});
    Row row = {result.labels[i]};
    for (std::size_t j = 0; j < result.labels.size(); ++j) row.push_back(count_text(result.count(i, j)));
    rows.push_back(std::move(row));
  }
  return format_table(columns, rows);
}

// With many classes: the most frequent confusions instead of a matrix that is too wide for a terminal.
std::string confusions_text(const Evaluation& result) {
  struct Pair {
    std::uint64_t count;
    std::size_t truth;
    std::size_t predicted;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    for (std::size_t j = 0; j < result.labels.size(); ++j) {
      if (i != j && result.count(i, j) > 0) pairs.push_back({result.count(i, j), i, j});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.count > b.count; });
  pairs.resize(std::min(pairs.size(), kMostConfusions));
  std::vector<Row> rows;
  rows.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    rows.push_back({result.labels[pair.truth], result.labels[pair.predicted], count_text(pair.count)});
  }
  return format_table({{"true", false}, {"predicted", false}, {"examples"}}, rows);
}

std::string result_text(const Evaluation& result, const Ranking& ranking) {
  const bool small = result.labels.size() <= kWidestMatrix;
  const Reliability& reliability = result.reliability;
  return summary_text(result, ranking) + "\n" + classes_text(result) + "\n" +
         (small ? matrix_text(result) : confusions_text(result)) +
         (reliability.examples > 0 ? "\n" + bins_text(reliability, result.labels) : "");
}

std::string errors_text(const Evaluation& result) {
  return format_listing({{"examples", examples_text(result)},
                         {"RMSE", fmt::format("{} (predicting the mean {})", number_text(result.rmse()),
                                              number_text(result.baseline_rmse()))},
                         {"MAE", number_text(result.mae())},
                         {"R²", number_text(result.r2())}});
}

void add_run(Json& json, const Evaluation& result, const std::string& model) {
  json["seconds"] = result.seconds;
  json["examples_per_second"] = rate_of(result);
  json["stopped"] = result.stopped;
  json["model"] = model;
}

Json errors_json(const Evaluation& result, const std::string& model) {
  Json json;
  json["examples"] = result.examples;
  json["rmse"] = number_json(result.rmse());
  json["mae"] = number_json(result.mae());
  json["r2"] = number_json(result.r2());
  json["baseline_rmse"] = number_json(result.baseline_rmse());
  json["beats_baseline"] = beats_baseline_json(against_baseline(result));
  add_run(json, result, model);
  return json;
}

Json result_json(const Evaluation& result, const Ranking& ranking, const std::string& model) {
  Json json;
  json["examples"] = result.examples;
  json["correct"] = result.correct;
  json["accuracy"] = number_json(result.accuracy());
  json["error"] = number_json(1 - result.accuracy());
  json["majority_error"] = number_json(result.majority_error());
  json["beats_baseline"] = beats_baseline_json(against_baseline(result));
  json["balanced_accuracy"] = number_json(result.balanced_accuracy());
  json["f1"] = number_json(result.f1());
  const auto positive = result.positive();
  json["positive_class"] = positive ? Json(result.labels[*positive]) : Json(nullptr);
  json["auc"] = number_json(ranking.auc());
  json["auc_left_out"] = ranking.is_dropped();
  add_reliability(json, "", result.reliability);
  add_run(json, result, model);
  json["classes"] = Json::array();
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    Json one;
    one["label"] = result.labels[i];
    one["examples"] = result.actual(i);
    one["precision"] = number_json(result.precision(i));
    one["recall"] = number_json(result.recall(i));
    one["f1"] = number_json(result.f1(i));
    const auto row = result.confusion.begin() + static_cast<std::ptrdiff_t>(i * result.labels.size());
    one["predicted_as"] = std::vector<std::uint64_t>(row, row + static_cast<std::ptrdiff_t>(result.labels.size()));
    json["classes"].push_back(std::move(one));
  }
  json["unknown_labels"] = unknown_json(result);
  if (result.reliability.examples > 0) json["reliability"] = bins_json(result.reliability);
  return json;
}

}  // namespace

int eval_command(const Arguments& arguments) {
  EvalFlags flags;
  CLI::App app("Measures a model on labelled examples: accuracy, F1 and AUC, or the errors of regression.",
               "kinglet eval");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  refuse_feature_flags(app);
  require_argument(flags.data.data, app, "DATA");
  require_argument(flags.model.model, app, "-m MODEL");
  check_report(flags.report);
  require_no_input(flags.report, {flags.data.data, flags.model.model}, flags.data.folder);
  const Model model = load_model(flags.model);
  if (flags.proba) require_probabilities(model, flags.model.model);
  fit_to(model, flags.data);
  const auto threads = static_cast<unsigned>(flags.model.threads);
  flags.data.threads = threads;
  flags.data.skip_unlabelled = true;
  const auto source = open_data(flags.data.data, flags.data);
  StopOnSignal stop;
  stop.watch(*source);
  const auto fits = [&](const Batch& batch) { require_fitting(model, *source, batch); };
  Ranking ranking(model.labels().size());
  std::optional<StreamRecord> record;
  if (!flags.report.empty()) record.emplace(model);
  const Evaluation result = evaluate(model, *source, threads, [&] { return stop.requested(); }, fits,
                                     {.ranking = &ranking, .record = record ? &*record : nullptr});
  if (result.stopped && result.examples == 0) {
    note("stopped before the first example");
    return stopped_exit_code();
  }
  if (!flags.quiet) {
    if (result.ignored_values > 0) note_ignored(model, *source);
    note_gaps(source->gaps(), model.columns().get());
  }
  if (record) {
    const auto names = model.feature_names();
    const EvalSubject subject{
        model, result, ranking, *record, flags.model.model, flags.data.data, {names.begin(), names.end()}};
    write_report(flags.report, eval_report(subject, command_text("eval", arguments)));
  }
  const auto compared = against_baseline(result);
  if (compared && !compared->is_better() && !flags.quiet) note(baseline_note(*compared, "", model));
  const bool regresses = model.task() == TaskKind::regress;
  if (flags.json) {
    Json json = regresses ? errors_json(result, flags.model.model) : result_json(result, ranking, flags.model.model);
    if (record) json["report"] = flags.report;
    print_json(json);
  } else {
    print(regresses ? errors_text(result) : result_text(result, ranking));
  }
  return result.stopped ? stopped_exit_code() : kSuccess;
}

}  // namespace kinglet::cli
