// kinglet compare: several learners on the same data, with means, deviations and a test of whether they differ.
#include "lab/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <map>

#include "cli/command.hpp"
#include "cli/compare_report.hpp"
#include "cli/compare_result.hpp"
#include "cli/data_flags.hpp"
#include "cli/flag_text.hpp"
#include "cli/learner_flags.hpp"
#include "cli/lists.hpp"
#include "cli/live_text.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/report_file.hpp"
#include "cli/stop.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kMostRuns = 10'000;

constexpr const char* kExamples =
    "  kinglet compare data.libsvm --algo bpegasos,bmp,bogd++ --budget 100,500 --test test.libsvm\n"
    "  kinglet compare data.csv --label-column last --algo budgeted --budget 200 --folds 5 --runs 1\n"
    "  kinglet compare 'gen:checkerboard?n=20000' --algo bpegasos,rbp,svm --folds 5 --runs 1 --gamma 8\n"
    "  kinglet compare stream.libsvm --algo bpegasos,forgetron --in-order --runs 1 --csv > runs.csv\n";

struct CompareFlags {
  DataFlags data;
  Options learner;
  std::string test;
  std::uint64_t runs = 5;
  std::uint64_t folds = 0;
  std::uint64_t passes = 1;
  std::uint64_t threads = 0;
  std::string report;
  bool tune = false;
  bool in_order = false;
  bool json = false;
  bool csv = false;
  bool quiet = false;
};

void declare(CLI::App& app, CompareFlags& flags) {
  const std::string group = "Run";
  add_count(app, "--runs", flags.runs, {1, kMostRuns}, "shuffles of the data; every learner sees the same ones [5]")
      ->group(group);
  app.add_option("--test", flags.test, "labelled data to measure on [progressive validation judges]")
      ->type_name("FILE")
      ->group(group);
  add_count(app, "--folds", flags.folds, {2, kMostRuns}, "cross-validation instead of --test: parts of each shuffle")
      ->group(group);
  add_count(app, "--passes", flags.passes, {1, kMostRuns}, "how often to go over the data [1]")->group(group);
  app.add_flag("--in-order", flags.in_order, "learn the rows in the order of the file, which matters where they drift")
      ->group(group);
  add_count(app, "--threads", flags.threads, {0, kMostRuns}, "trials at a time [0: as many as there are cores]")
      ->group(group);
  app.add_flag("--tune", flags.tune,
               "first find the settings of each learner that are not given, on the rows that the first trial learns")
      ->group(group);
  add_report_flag(app, flags.report, group);
  app.add_flag("--json", flags.json, "print one JSON object on standard output, with every trial")->group(group);
  app.add_flag("--csv", flags.csv, "print one line for each trial, with a header, on standard output")->group(group);
  app.add_flag("--quiet", flags.quiet, "show nothing on the way")->group(group);
  add_learner_flags(app, flags.learner);
  app.get_option("--algo")->description(
      "learners by name, with commas between; all; or budgeted: all with a budget [bpegasos]");
  app.get_option("--budget")->description("budgets, with commas between; learners without one stand there once");
  add_data_flags(app, flags.data);
  app.footer(kExamples);
}

void check(const CompareFlags& flags) {
  if (flags.folds > 0 && !flags.test.empty()) throw Error("--folds and --test: give one of them");
  check_report(flags.report);
  require_no_input(flags.report, {flags.data.data, flags.test}, flags.data.folder);
  if (flags.json && flags.csv) throw Error("--json and --csv: give one of them");
  if (flags.data.data == "-" && flags.test == "-") throw Error("DATA and --test cannot both be standard input");
  for (const char* option : {"query", "query-budget", "query-window"}) {
    if (flags.learner.has(option))
      throw Error(fmt::format("--{} is for train: every trial here knows all labels", option));
  }
  if (flags.learner.has("proba")) throw Error("--proba is for train: labels are compared here, not probabilities");
}

// Takes what is a list here out of the learner's options.
std::vector<std::string> taken_list(Options& options, const std::string& name, const std::string& default_value) {
  const std::string text = options.has(name) ? options.text(name) : default_value;
  options.unset(name);
  return parse_list(text, "--" + name);
}

std::shared_ptr<const Dataset> read_data(const std::string& where, const DataFlags& flags, StopOnSignal& stop) {
  const auto source = open_data(where, flags);
  require_end(where, *source);
  stop.watch(*source);
  auto data = std::make_shared<const Dataset>(Dataset::read(*source, [&] { return stop.requested(); }));
  stop.look_away();
  return data;
}

// Options that some learners do not have are no error here, but nobody should think that they did something.
void note_left_out(const std::vector<Contestant>& list) {
  std::map<std::string, std::vector<std::string>> without;
  for (const Contestant& one : list) {
    for (const std::string& option : one.left_out) {
      auto& names = without[option];
      if (names.empty() || names.back() != one.algorithm) names.push_back(one.algorithm);
    }
  }
  for (const auto& [option, names] : without)
    note(fmt::format("{} is not an option of {}", flag_name(option), fmt::join(names, ", ")));
}

// Rows to test that the learners could make nothing of.
void check_test(const Dataset& data, const Dataset& test, bool quiet) {
  const Batch& rows = test.batch();
  if (!rows.sparse && rows.dimension < data.dimension()) {
    throw Error(fmt::format("{} has {}, {} has {}", test.name(), plural(rows.dimension, "feature"), data.name(),
                            count_text(data.dimension())));
  }
  if (quiet) return;
  if (rows.dimension > data.dimension()) {
    note(fmt::format("{}: features beyond the {} of {} are ignored", test.name(), data.dimension(), data.name()));
  }
  const std::vector<std::string>& known = data.batch().new_labels;
  for (const std::string& label : rows.new_labels) {
    if (std::ranges::find(known, label) != known.end()) continue;
    note(fmt::format("{}: label {} does not occur in {}, and is always an error", test.name(), label, data.name()));
  }
}

void require_some_result(const std::vector<Contestant>& list, const Comparison& result) {
  const auto failed = [](const Standing& standing) { return !standing.problem.empty(); };
  if (std::ranges::all_of(result.standings, failed)) throw Error(problem_text(list, result.standings.front()));
}

// A table of numbers has no room for those who have none.
void note_problems(const std::vector<Contestant>& list, const Comparison& result) {
  for (const Standing& standing : result.standings) {
    if (!standing.problem.empty()) note(problem_text(list, standing));
  }
}

}  // namespace

int compare_command(const Arguments& arguments) {
  CompareFlags flags;
  CLI::App app("Runs several learners on the same data and says how they compare.", "kinglet compare");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  require_argument(flags.data.data, app, "DATA");
  check(flags);
  const auto algorithms = taken_list(flags.learner, "algo", "bpegasos");
  std::vector<std::uint64_t> budgets;
  if (flags.learner.has("budget")) budgets = parse_counts(flags.learner.text("budget"), "--budget");
  flags.learner.unset("budget");
  std::vector<Contestant> list = contestants(algorithms, budgets, flags.learner);
  if (!flags.quiet) note_left_out(list);
  if (flags.learner.has("task")) flags.data.numeric_labels = flags.learner.text("task") == "regress";
  StopOnSignal stop;
  ComparePlan plan{.folds = flags.folds, .runs = flags.runs, .passes = flags.passes, .in_order = flags.in_order};
  if (flags.learner.has("seed"))
    plan.seed = static_cast<std::uint64_t>(complete_options({{"seed", flags.learner.text("seed")}}).integer("seed"));
  plan.threads = static_cast<unsigned>(flags.threads);
  plan.data = read_data(flags.data.data, flags.data, stop);
  if (!flags.test.empty() && !stop.requested()) {
    DataFlags test = flags.data;
    test.default_index_base = plan.data->batch().index_base;
    plan.test = read_data(flags.test, test, stop);
  }
  if (stop.requested()) {
    note("stopped before the data were read");
    return kStoppedExitCode;
  }
  if (!flags.quiet && plan.data->batch().new_labels.size() == 1) {
    note(fmt::format("{}: every example has the label {}", plan.data->name(), plan.data->batch().new_labels.front()));
  }
  if (plan.test) check_test(*plan.data, *plan.test, flags.quiet);
  if (flags.tune) {
    LiveText live(!flags.quiet);
    tune_contestants(
        list, plan, [&](const Contestant& one) { live.draw(fmt::format("tuning {}\n", one.algorithm)); },
        [&] { return stop.requested(); });
    if (stop.requested()) {
      note("stopped before the settings were found");
      return kStoppedExitCode;
    }
  }
  Comparison result;
  {
    LiveText live(!flags.quiet);
    const auto show = [&](const Comparison& so_far, std::size_t done, std::size_t total) {
      if (live.due())
        live.draw(fmt::format("{} of {}\n\n", done, plural(total, "trial")) + comparison_text(list, so_far));
    };
    result = compare(list, plan, show, [&] { return stop.requested(); });
  }
  if (result.stopped && result.trials == 0) {
    note("stopped before every learner had finished a trial");
    return kStoppedExitCode;
  }
  require_some_result(list, result);
  if (result.stopped) note(fmt::format("stopped: {} of each learner counted", plural(result.trials, "trial")));
  if (flags.json) {
    print_json(comparison_json(list, plan, result));
  } else if (flags.csv) {
    print(comparison_csv(list, plan, result));
    note_problems(list, result);
  } else {
    print(comparison_text(list, result));
  }
  if (!flags.report.empty()) {
    write_report(flags.report, compare_report(list, plan, result, command_text("compare", arguments)));
  }
  return result.stopped ? kStoppedExitCode : kSuccess;
}

}  // namespace kinglet::cli
