// kinglet predict: one label per example (regression: a number), written as soon as the input pauses.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/command.hpp"
#include "cli/data_flags.hpp"
#include "cli/flag_text.hpp"
#include "cli/help.hpp"
#include "cli/model_flags.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/probabilities.hpp"
#include "cli/schema_text.hpp"
#include "cli/stop.hpp"
#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "model/model_access.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kPredictExamples =
    "  kinglet predict test.libsvm -m model.kinglet > labels.txt\n"
    "  kinglet predict new.csv -m model.kinglet --ignore id --scores\n"
    "  producer | kinglet predict - -m model.kinglet | consumer\n";

struct PredictFlags {
  DataFlags data;
  ModelFlags model;
  std::string output;
  bool scores = false;
  bool proba = false;
  bool deviations = false;
  bool quiet = false;
  std::string bad_rows = "error";
};

void declare(CLI::App& app, PredictFlags& flags) {
  add_model_flags(app, flags.model);
  const std::string group = kMainSection;
  app.add_option("-o,--output", flags.output, "write the labels to this file [standard output]")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--scores", flags.scores,
               "add tab-separated scores after the label. Two classes: f(x), positive for the second class of kinglet "
               "info; more classes: one score per class; novelty: positive if normal")
      ->group(group);
  app.add_flag("--proba", flags.proba,
               "add the tab-separated probability of each class after the label; the first line names the classes. "
               "Needs a model trained with --proba")
      ->group(group);
  app.add_flag("--std", flags.deviations,
               "regression: add the tab-separated standard deviation of each prediction. Needs a model that predicts "
               "with bnewton (as the default usually does) or krls")
      ->group(group);
  add_choice(app, "--bad-rows", flags.bad_rows, {"error", "empty"},
             "what to do with a row that has an error: end with it, or print an empty line and go on")
      ->group(kRunSection);
  add_quiet_flag(app, flags.quiet);
  add_data_flags(app, flags.data);
  hide_feature_flags(app);
  app.footer(kPredictExamples);
}

std::string header(std::span<const std::string> labels, bool has_ids) {
  std::string line = has_ids ? "id\tlabel" : "label";
  for (const std::string& label : labels) line += '\t' + label;
  return line + '\n';
}

// Appends an empty line, or one with no id and no label, for each bad row that comes before row `next`. `at` counts bad
// rows.
void append_bad_lines(const Batch& batch, std::size_t next, const PredictFlags& flags, std::size_t& at,
                      std::string& lines) {
  for (; at < batch.bad_rows.size() && batch.bad_rows[at] <= next; ++at) {
    lines += flags.data.id_column.empty() ? "\n" : "\t\n";
  }
}

// Appends one line per row of a batch. `deviations` is empty unless it is wanted.
void append_lines(const Model& model, const RowValues& scores, const RowValues& deviations, const Batch& batch,
                  const PredictFlags& flags, std::string& lines) {
  const auto labels = model.labels();
  std::vector<float> probabilities(flags.proba ? labels.size() : 0);
  std::size_t bad = 0;
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    append_bad_lines(batch, i, flags, bad, lines);
    const std::span<const float> row = scores[i];
    if (!batch.ids.empty()) lines += batch.ids[i] + '\t';
    if (labels.empty()) {
      fmt::format_to(std::back_inserter(lines), "{}", row[0]);
    } else {
      lines += labels[learner_of(model).decide(row).label];
    }
    if (flags.scores) {
      for (const float score : row) fmt::format_to(std::back_inserter(lines), "\t{}", score);
    }
    if (flags.deviations) fmt::format_to(std::back_inserter(lines), "\t{}", deviations[i][0]);
    if (flags.proba) {
      probabilities_of(model, row, probabilities);
      for (const float p : probabilities) fmt::format_to(std::back_inserter(lines), "\t{}", p);
    }
    lines += '\n';
  }
  append_bad_lines(batch, batch.rows(), flags, bad, lines);
}

// Tells the first of the bad rows as they come.
void note_bad_rows(const SkippedRows& bad, std::size_t& told) {
  for (; told < bad.first.size(); ++told) note("a bad row: " + flag_text(bad.first[told]));
}

void predict_all(const PredictFlags& flags, const Model& model, Source& source, Output& output,
                 const StopOnSignal& stop) {
  const auto threads = static_cast<unsigned>(flags.model.threads);
  bool noted = false;
  std::size_t bad_told = 0;
  Batch batch;
  std::string lines;
  if (flags.proba) output.write(header(model.labels(), !flags.data.id_column.empty()));
  while (!stop.requested() && source.next(batch)) {
    lines.clear();
    if (batch.rows() > 0) {
      require_fitting(model, source, batch);
      const RowValues scores = model.scores(batch, threads);
      if (scores.ignored_values > 0 && !flags.quiet && !std::exchange(noted, true)) note_ignored(model, source);
      append_lines(model, scores, flags.deviations ? model.deviations(batch, threads) : RowValues{}, batch, flags,
                   lines);
    } else {
      append_lines(model, {}, {}, batch, flags, lines);
    }
    if (!flags.quiet) note_bad_rows(source.skipped(), bad_told);
    output.write(lines);
  }
  if (flags.quiet) return;
  note_gaps(source.gaps(), model.columns().get());
  if (const std::uint64_t bad = source.skipped().count; bad > 0) {
    note(fmt::format("{} {} an error and an empty line in the output", plural(bad, "row"), bad == 1 ? "has" : "have"));
  }
}

}  // namespace

int predict_command(const Arguments& arguments) {
  PredictFlags flags;
  CLI::App app("Predicts the label of each example, or its number in regression, and prints one line per example.",
               "kinglet predict");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  refuse_feature_flags(app);
  require_argument(flags.data.data, app, "DATA");
  require_argument(flags.model.model, app, "-m MODEL");
  require_no_input(flags.output, {flags.data.data, flags.model.model}, flags.data.folder);
  if (!flags.output.empty()) {
    require_no_input(partial_path(flags.output), {flags.data.data, flags.model.model}, flags.data.folder);
  }
  const Model model = load_model(flags.model);
  if (flags.scores && model.task() == TaskKind::regress) {
    throw Error(fmt::format("--scores: {} is a regression model, whose predictions are its scores", flags.model.model));
  }
  if (flags.proba) require_probabilities(model, flags.model.model);
  if (flags.deviations && !model.gives_deviations()) {
    throw Error(
        fmt::format("--std: {} has no standard deviations; bnewton, krls and most models of the default algorithm "
                    "estimate them in regression",
                    flags.model.model));
  }
  if (flags.proba && flags.scores) throw Error("give --scores or --proba, not both");
  fit_to(model, flags.data);
  flags.data.labels_unused = true;
  flags.data.mark_bad = flags.bad_rows == "empty";
  flags.data.threads = static_cast<unsigned>(flags.model.threads);
  const auto source = open_data(flags.data.data, flags.data, Reading::at_once);
  Output output(flags.output);
  StopOnSignal stop;
  stop.watch(*source);
  try {
    predict_all(flags, model, *source, output, stop);
  } catch (const Error& error) {
    if (!output.has_written()) throw;
    const std::string partial = output.finish_partial();
    if (partial.empty()) throw;
    throw Error(compose("{} (the predictions for the rows before are in {})", error.message(), partial));
  }
  if (stop.requested()) {
    if (!output.appears_when_finished()) return stopped_exit_code();
    if (!output.has_written()) return stopped_with_nothing_written();
    note(fmt::format("stopped; the predictions so far are in {}", output.finish_partial()));
    return stopped_exit_code();
  }
  output.finish();
  return kSuccess;
}

}  // namespace kinglet::cli
