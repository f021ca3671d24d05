// kinglet tune: searches for the settings of a learner by racing candidates along the stream, and prints the command
// that trains with the best ones.
#include "lab/tune.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <exception>
#include <limits>

#include "cli/command.hpp"
#include "cli/data_flags.hpp"
#include "cli/describe.hpp"
#include "cli/help.hpp"
#include "cli/learner_flags.hpp"
#include "cli/lists.hpp"
#include "cli/model_flags.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/report_file.hpp"
#include "cli/schema_text.hpp"
#include "cli/stop.hpp"
#include "cli/table.hpp"
#include "cli/tune_report.hpp"
#include "cli/tune_result.hpp"
#include "core/learner.hpp"
#include "core/option_texts.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "lab/compare.hpp"
#include "lab/search_space.hpp"
#include "lab/training.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kDefaultRows = 1'000'000;
constexpr std::uint64_t kMostRows = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostTuneThreads = 10'000;

constexpr const char* kTuneExamples =
    "  kinglet tune data.libsvm.xz\n"
    "  kinglet tune data.csv --budget 100,500 --test test.csv -o model.kinglet\n"
    "  kinglet tune 'gen:checkerboard?n=100000' --memory 16K --latency 2us\n";

struct TuneFlags {
  DataFlags data;
  Options learner;
  std::string latency;
  std::string test;
  std::string model;
  std::string report;
  std::uint64_t rows = kDefaultRows;
  std::uint64_t threads = 0;
  bool in_order = false;
  bool json = false;
  bool quiet = false;
};

void declare(CLI::App& app, TuneFlags& flags) {
  const std::string group = kMainSection;
  app.add_option("-o,--model", flags.model, "train the winner and write its model to this file")
      ->type_name("MODEL")
      ->group(group);
  app.add_option("--test", flags.test, "train the winner and measure it on these labelled data")
      ->type_name("FILE")
      ->group(group);
  add_learner_flags(app, flags.learner);
  app.get_option("--algo")->description(several_algorithms_help());
  app.get_option("--budget")->description("comma-separated budgets to try [50,100,200,500,1000]");
  app.get_option("--memory")->description("limit on the memory of the learner, such as 64K or 2M");
  app.add_option("--latency", flags.latency,
                 "limit on the time of one prediction on this machine, such as 5us or 0.1ms")
      ->type_name("TIME")
      ->group(group);
  add_data_flags(app, flags.data);
  add_report_flag(app, flags.report);
  app.add_flag("--json", flags.json, "print every setting that was tried as JSON")->group(group);
  const std::string run = kRunSection;
  add_count(app, "--rows", flags.rows, {1, kMostRows}, fmt::format("use at most this many rows [{}]", kDefaultRows))
      ->group(run);
  app.add_flag("--in-order", flags.in_order,
               "do not shuffle: learn the rows in the order of the file, for drifting data")
      ->group(run);
  add_count(app, "--threads", flags.threads, {0, kMostTuneThreads},
            "number of settings to try in parallel [0: one per core]")
      ->group(run);
  app.add_flag("--quiet", flags.quiet, "print only the result and errors")->group(run);
  app.footer(kTuneExamples);
}

// "5us", "0.2ms", "1s" in seconds.
double parse_seconds(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {
      {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = fast_float::from_chars(text.data(), end, number);
  const std::string_view unit(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  for (const auto& [name, seconds] : kUnits) {
    if (parsed.ec == std::errc() && unit == name && number > 0 && number < 1e9) return number * seconds;
  }
  throw Error(fmt::format("--latency must be a time such as 5us, 0.1ms or 1s, not '{}'", text));
}

void check(const TuneFlags& flags) {
  if (flags.data.data == "-" && flags.test == "-") throw Error("DATA and --test cannot both be standard input");
  if (flags.model == "-") throw Error("-o -: a model cannot go to standard output; give a file name");
  if (!flags.model.empty()) require_writable(flags.model);
  check_report(flags.report);
  for (const std::string& output : {flags.model, flags.report}) {
    require_no_input(output, {flags.data.data, flags.test}, flags.data.folder);
  }
  if (!flags.report.empty() && flags.report == flags.model) throw Error("-o and --report name the same file");
}

// algo, budget and memory are lists or limits here, so they leave the options of the learner.
TunePlan plan_of(TuneFlags& flags) {
  TunePlan plan{.in_order = flags.in_order, .threads = static_cast<unsigned>(flags.threads)};
  Options& given = flags.learner;
  if (given.has("algo")) {
    const std::vector<std::string> words = parse_list(given.text("algo"), "--algo");
    plan.algorithms = algorithm_names(words);
    // A committee has nothing to tune; `all` and `budgeted` leave it out, and who names it gets that reason.
    if (std::ranges::find(words, "auto") == words.end()) std::erase(plan.algorithms, "auto");
  }
  if (given.has("budget")) {
    for (const std::uint64_t budget : parse_counts(given.text("budget"), "--budget")) {
      plan.budgets.push_back(static_cast<std::int64_t>(budget));
    }
  }
  if (given.has("memory")) plan.memory_limit = parse_memory(given.text("memory"));
  for (const char* name : {"algo", "budget", "memory"}) given.unset(name);
  if (plan.algorithms.empty()) plan.algorithms = {algorithm_to_search(given)};
  if (!flags.latency.empty()) plan.latency_limit = parse_seconds(flags.latency);
  if (given.has("seed"))
    plan.seed = static_cast<std::uint64_t>(complete_options({{"seed", given.text("seed")}}).integer("seed"));
  plan.learner = given;
  return plan;
}

// Reports wrong options, including the budgets of each algorithm, before the data are read.
TaskKind check_options(const TunePlan& plan) {
  TaskKind task = TaskKind::classify;
  for (const std::string& name : plan.algorithms) {
    Options given = plan.learner;
    given.set("algo", name);
    given = with_stream_length(given, 1);
    const Options full = complete_options(given);
    task = task_kind(full);
    if (full.has("budget")) {
      for (const std::int64_t budget : plan.budgets) {
        given.set("budget", std::to_string(budget));
        complete_options(given);
      }
    } else if (plan.budgets.size() + plan.algorithms.size() == 2) {
      given.set("budget", "1");
      complete_options(given);  // throws: this algorithm has no budget
    }
  }
  return task;
}

std::shared_ptr<const Dataset> read_data(const TuneFlags& flags, StopOnSignal& stop) {
  const auto source = open_data(flags.data.data, flags.data);
  stop.watch(*source);
  auto data = std::make_shared<const Dataset>(Dataset::read(
      *source, [&] { return stop.requested(); }, static_cast<std::size_t>(flags.rows)));
  Batch more;
  if (!flags.quiet && data->rows() == flags.rows && !stop.requested() && source->next(more)) {
    note(fmt::format("using the first {}; --rows changes the number", plural(data->rows(), "row")));
  }
  stop.look_away();
  note_gaps(source->gaps(), data->batch().columns.get());
  return data;
}

// Checks --test before the search, which may take long. Standard input can be read only once, so it is not checked.
void check_test(const TuneFlags& flags, const Dataset& data) {
  if (flags.test.empty() || flags.test == "-") return;
  DataFlags like = flags.data;
  like.may_not_fit = true;
  like.columns = data.batch().columns;
  const auto test = open_data(flags.test, like);
  require_end(flags.test, *test);
  Batch first;
  if (!test->next(first)) throw Error(fmt::format("{} holds no examples to test on", flags.test));
  if (!first.sparse && first.dimension < data.dimension()) {
    throw Error(fmt::format("{} has {}, but {} has {}", flags.test, plural(first.dimension, "feature"), data.name(),
                            count_text(data.dimension())));
  }
}

// Prints one line after each rung (round) of each race.
class RungTable {
 public:
  explicit RungTable(TaskKind task)
      : task_(task),
        columns_{{.title = "algorithm", .right = false, .width = 12},
                 {.title = "budget", .width = 7},
                 {.title = "rows", .width = 10},
                 {.title = "settings left"},
                 {.title = task == TaskKind::regress ? "RMSE" : "error", .width = 8},
                 {.title = "best settings", .right = false}} {}

  void line(const RungReport& report) {
    Row titles;
    for (const Column& column : columns_) titles.push_back(column.title);
    if (!std::exchange(begun_, true)) print_error(format_row(columns_, titles));
    const std::string budget = report.budget ? count_text(static_cast<std::uint64_t>(*report.budget)) : "–";
    print_error(format_row(columns_, {report.algorithm, budget, count_text(report.rows), count_text(report.left),
                                      error_text(task_, report.error), flags_text(report.best)}));
  }

 private:
  TaskKind task_;
  std::vector<Column> columns_;
  bool begun_ = false;
};

// Warns if the order of the file harms training, for example if it is sorted by class.
void note_order(const TuneFlags& flags, const Model& model, const Tuned& best,
                const std::shared_ptr<const Dataset>& data) {
  if (flags.in_order || flags.quiet || model.task() != TaskKind::classify || model.stats().learns_at_end) return;
  const double error = 1 - evaluate(model, *read_rows(data, all_rows(*data)), 0, {}).accuracy();
  if (error < 1.5 * *best.error + 0.02) return;
  note(
      fmt::format("trained in the order of {}, the winner has an error of {} on these rows instead of {}: shuffle the "
                  "file before training, or tune with --in-order",
                  flags.data.data, fraction_text(error), fraction_text(*best.error)));
}

std::unique_ptr<Source> open_test(const TuneFlags& flags, const Model& model) {
  DataFlags data = flags.data;
  fit_to(model, data);
  data.may_not_fit = true;
  return open_data(flags.test, data);
}

// Trains the winner as `train` would, saves and tests it. Nullopt after Ctrl-C.
std::optional<TunedModel> train_winner(const TuneFlags& flags, const Tuned& best,
                                       const std::shared_ptr<const Dataset>& data, StopOnSignal& stop) {
  Model model(best.options);
  const auto source = read_rows(data, all_rows(*data));
  const TrainingResult training = train(model, *source, {}, {.stopped = [&] { return stop.requested(); }});
  if (training.stopped) return std::nullopt;
  if (!flags.model.empty()) model.save(flags.model);
  TunedModel result{.progress = model.progress()};
  note_order(flags, model, best, data);
  if (flags.test.empty()) return result;
  const auto test = open_test(flags, model);
  stop.watch(*test);
  const auto fits = [&](const Batch& batch) { require_fitting(model, *test, batch); };
  result.test = evaluate(
      model, *test, 0, [&] { return stop.requested(); }, fits);
  stop.look_away();
  return result;
}

[[noreturn]] void refuse_limits(const TuneResult& result) {
  const Tuned& smallest = result.learners.front();
  throw Error(fmt::format("no learner meets the limits: {} {} {}", smallest.algorithm,
                          smallest.budget ? fmt::format("with budget {}", *smallest.budget) : "", smallest.left_out));
}

}  // namespace

int tune_command(const Arguments& arguments) {
  TuneFlags flags;
  CLI::App app(
      "Searches for gamma, the other settings of a learner and its budget: candidates race along the stream and the "
      "worst drop out. Options you set are not searched.",
      "kinglet tune");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  require_argument(flags.data.data, app, "DATA");
  check(flags);
  const TunePlan plan = plan_of(flags);
  const TaskKind task = check_options(plan);
  flags.data.numeric_labels = task == TaskKind::regress;
  flags.data.threads = static_cast<unsigned>(flags.threads);
  flags.data.skip_unlabelled = true;
  StopOnSignal stop;
  const auto data = read_data(flags, stop);
  if (stop.requested()) {
    note("stopped while reading the data");
    return stopped_exit_code();
  }
  check_test(flags, *data);
  std::exception_ptr failure;
  TuneOutcome outcome{.result = {}, .trained = {}, .model = flags.model, .command = {}};
  RungTable table(task);
  TuneEvents events{.stopped = [&] { return stop.requested(); }, .rung = {}};
  if (!flags.quiet) events.rung = [&](const RungReport& report) { table.line(report); };
  outcome.result = tune(data, plan, events);
  if (!outcome.result.best && !outcome.result.stopped) refuse_limits(outcome.result);
  if (outcome.result.best) {
    const Tuned& best = outcome.result.learners[*outcome.result.best];
    outcome.command = train_command_line(flags.data, flags.model, best.options);
    try {
      if (!outcome.result.stopped) outcome.trained = train_winner(flags, best, data, stop);
    } catch (const Error&) {  // print the result of the search first
      failure = std::current_exception();
      outcome.model.clear();
    }
  }
  if (stop.requested()) {
    note(outcome.command.empty() ? "stopped before there was a result"
                                 : "stopped: these are the best settings so far; no model was trained");
  }
  if (flags.json) {
    print_json(tune_json(outcome));
  } else if (!outcome.command.empty()) {
    print(tune_text(outcome));
  }
  if (!flags.report.empty() && outcome.result.best) {
    write_report(flags.report, tune_report(outcome, data->name(), command_text("tune", arguments)));
  }
  if (failure) std::rethrow_exception(failure);
  return stop.requested() ? stopped_exit_code() : kSuccess;
}

}  // namespace kinglet::cli
