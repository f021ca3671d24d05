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
#include "cli/help.hpp"
#include "cli/learner_flags.hpp"
#include "cli/lists.hpp"
#include "cli/live_text.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/report_file.hpp"
#include "cli/schema_text.hpp"
#include "cli/stop.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "lab/search_space.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kMostRuns = 10'000;

constexpr const char* kCompareExamples =
    "  kinglet compare data.libsvm --algo bpegasos,bmp --budget 100,500 --folds 5\n"
    "  kinglet compare data.csv --algo budgeted --budget 200 --test test.csv\n"
    "  kinglet compare stream.libsvm --algo bpegasos,forgetron --in-order --runs 1\n";

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

void declare_run(CLI::App& app, CompareFlags& flags) {
  const std::string group = kRunSection;
  add_count(app, "--passes", flags.passes, {1, kMostRuns}, "number of passes over the data [1]")->group(group);
  app.add_flag("--in-order", flags.in_order,
               "do not shuffle: learn the rows in the order of the file, for drifting data")
      ->group(group);
  add_count(app, "--threads", flags.threads, {0, kMostRuns}, "number of trials to run in parallel [0: one per core]")
      ->group(group);
  app.add_flag("--quiet", flags.quiet, "print only the result and errors")->group(group);
}

void declare(CLI::App& app, CompareFlags& flags) {
  const std::string group = kMainSection;
  add_learner_flags(app, flags.learner);
  app.get_option("--algo")->description(several_algorithms_help());
  app.get_option("--budget")->description("comma-separated budgets to compare [500]");
  hide_query_flags(app);
  app.get_option("--proba")->group("");
  add_data_flags(app, flags.data);
  app.add_option("--test", flags.test, "compare on these labelled data [by the online error]")
      ->type_name("FILE")
      ->group(group);
  add_count(app, "--folds", flags.folds, {2, kMostRuns}, "compare by cross-validation with this many folds")
      ->group(group);
  add_count(app, "--runs", flags.runs, {1, kMostRuns}, "number of shuffles, the same for every learner [5]")
      ->group(group);
  app.add_flag("--tune", flags.tune, "first search for the settings that are not given")->group(group);
  add_report_flag(app, flags.report);
  app.add_flag("--json", flags.json, "print all trials as JSON")->group(group);
  app.add_flag("--csv", flags.csv, "print all trials as CSV")->group(group);
  declare_run(app, flags);
  app.footer(kCompareExamples);
}

void check(const CompareFlags& flags) {
  if (flags.folds > 0 && !flags.test.empty()) throw Error("give --folds or --test, not both");
  check_report(flags.report);
  require_no_input(flags.report, {flags.data.data, flags.test}, flags.data.folder);
  if (flags.json && flags.csv) throw Error("give --json or --csv, not both");
  if (flags.data.data == "-" && flags.test == "-") throw Error("DATA and --test cannot both be standard input");
  refuse_query_flags(flags.learner, "compare uses all labels");
  if (flags.learner.has("proba"))
    throw Error("--proba is an option of train only: compare measures labels, not probabilities");
}

// Removes an option that holds a list here from the options of the learners, and returns the list.
std::vector<std::string> taken_list(Options& options, const std::string& name) {
  const std::string text = options.text(name);
  options.unset(name);
  return parse_list(text, "--" + name);
}

std::shared_ptr<const Dataset> read_data(const std::string& where, const DataFlags& flags, StopOnSignal& stop) {
  const auto source = open_data(where, flags);
  require_end(where, *source);
  stop.watch(*source);
  auto data = std::make_shared<const Dataset>(Dataset::read(*source, [&] { return stop.requested(); }));
  stop.look_away();
  note_gaps(source->gaps(), data->batch().columns.get());
  return data;
}

// An option that only some of the learners take is not an error, but the user should know.
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

// Checks that the features and labels of the test data occur in the training data.
void check_test(const Dataset& data, const Dataset& test, bool quiet) {
  const Batch& rows = test.batch();
  if (!rows.sparse && rows.dimension < data.dimension()) {
    throw Error(fmt::format("{} has {}, but {} has {}", test.name(), plural(rows.dimension, "feature"), data.name(),
                            count_text(data.dimension())));
  }
  if (quiet) return;
  if (rows.dimension > data.dimension()) {
    note(fmt::format("{}: ignoring features beyond the {} of {}", test.name(), data.dimension(), data.name()));
  }
  const std::vector<std::string>& known = data.batch().new_labels;
  for (const std::string& label : rows.new_labels) {
    if (std::ranges::find(known, label) != known.end()) continue;
    note(fmt::format("{}: label {} does not occur in {}; its examples count as errors", test.name(), label,
                     data.name()));
  }
}

void require_some_result(const std::vector<Contestant>& list, const Comparison& result) {
  const auto failed = [](const Standing& standing) { return !standing.problem.empty(); };
  if (std::ranges::all_of(result.standings, failed)) throw Error(problem_text(list, result.standings.front()));
}

// CSV lists only the learners with results; the others are noted here.
void note_problems(const std::vector<Contestant>& list, const Comparison& result) {
  for (const Standing& standing : result.standings) {
    if (!standing.problem.empty()) note(problem_text(list, standing));
  }
}

}  // namespace

int compare_command(const Arguments& arguments) {
  CompareFlags flags;
  CLI::App app(
      "Trains several learners on the same shuffles of the data and compares them: means, standard deviations, and "
      "paired t-tests against the best.",
      "kinglet compare");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  require_argument(flags.data.data, app, "DATA");
  check(flags);
  std::vector<std::uint64_t> budgets;
  if (flags.learner.has("budget")) budgets = parse_counts(flags.learner.text("budget"), "--budget");
  flags.learner.unset("budget");
  const auto algorithms =
      flags.learner.has("algo") ? taken_list(flags.learner, "algo") : std::vector{algorithm_to_search(flags.learner)};
  std::vector<Contestant> list = contestants(algorithms, budgets, flags.learner);
  if (!flags.quiet) note_left_out(list);
  if (flags.learner.has("task")) flags.data.numeric_labels = flags.learner.text("task") == "regress";
  StopOnSignal stop;
  ComparePlan plan{.folds = flags.folds, .runs = flags.runs, .passes = flags.passes, .in_order = flags.in_order};
  if (flags.learner.has("seed"))
    plan.seed = static_cast<std::uint64_t>(complete_options({{"seed", flags.learner.text("seed")}}).integer("seed"));
  plan.threads = static_cast<unsigned>(flags.threads);
  flags.data.threads = plan.threads;
  flags.data.skip_unlabelled = true;
  plan.data = read_data(flags.data.data, flags.data, stop);
  if (!flags.test.empty() && !stop.requested()) {
    DataFlags test = flags.data;
    test.default_index_base = plan.data->batch().index_base;
    test.columns = plan.data->batch().columns;
    test.may_not_fit = true;
    plan.test = read_data(flags.test, test, stop);
  }
  if (stop.requested()) {
    note("stopped while reading the data");
    return stopped_exit_code();
  }
  if (!flags.quiet && plan.data->batch().new_labels.size() == 1) {
    note(fmt::format("{}: every example has the label {}", plan.data->name(), plan.data->batch().new_labels.front()));
  }
  if (plan.test) check_test(*plan.data, *plan.test, flags.quiet);
  fill_stream_lengths(list, plan);
  if (flags.tune) {
    LiveText live(!flags.quiet);
    tune_contestants(
        list, plan, [&](const Contestant& one) { live.draw(fmt::format("tuning {}\n", one.algorithm)); },
        [&] { return stop.requested(); });
    if (stop.requested()) {
      note("stopped while searching for settings");
      return stopped_exit_code();
    }
  }
  Comparison result;
  {
    LiveText live(!flags.quiet);
    const auto show = [&](const Comparison& so_far, std::size_t done, std::size_t total) {
      if (live.due())
        live.draw(fmt::format("{} of {} done\n\n", done, plural(total, "trial")) + comparison_text(list, so_far));
    };
    result = compare(list, plan, show, [&] { return stop.requested(); });
  }
  if (result.stopped && result.trials == 0) {
    note("stopped before every learner had finished one trial");
    return stopped_exit_code();
  }
  require_some_result(list, result);
  if (result.stopped) note(fmt::format("stopped: the result shows {} of each learner", plural(result.trials, "trial")));
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
  return result.stopped ? stopped_exit_code() : kSuccess;
}

}  // namespace kinglet::cli
