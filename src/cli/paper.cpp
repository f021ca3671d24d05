// kinglet paper: repeats the experiments of the papers and prints the published numbers beside ours.
#include "papers/paper.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "catalogue/find_data.hpp"
#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/lists.hpp"
#include "cli/live_text.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/paper_report.hpp"
#include "cli/paper_result.hpp"
#include "cli/report_file.hpp"
#include "cli/stop.hpp"
#include "cli/table.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kMost = 10'000;

constexpr const char* kPaperExamples =
    "  kinglet paper list\n"
    "  kinglet paper bsgd-table3 --data sets --sets banana,letter\n"
    "  kinglet paper bogd-table3 --data sets --quick\n";

struct PaperFlags {
  std::string name;
  std::string data;
  std::string rows;
  std::string sets;
  std::string report;
  std::string keep;
  std::string revision;
  std::uint64_t runs = 0;
  std::uint64_t threads = 0;
  bool quick = false;
  bool tune = false;
  bool settings = false;
  bool only_kept = false;
  bool json = false;
  bool quiet = false;
};

void declare(CLI::App& app, PaperFlags& flags) {
  const std::string group = kMainSection;
  app.add_option("NAME", flags.name, "an experiment, or list to show them all");
  app.add_option("--data", flags.data, "folder of the data sets, as in kinglet data")->type_name("DIR")->group(group);
  app.add_option("--rows", flags.rows, "run only these rows of the table, separated by commas")
      ->type_name("NAMES")
      ->group(group);
  app.add_option("--sets", flags.sets, "run only these data sets, separated by commas")
      ->type_name("NAMES")
      ->group(group);
  add_count(app, "--runs", flags.runs, {1, kMost}, "runs per cell [as in the paper]")->group(group);
  add_count(app, "--threads", flags.threads, {0, kMost}, "number of runs in parallel [0: one per core]")->group(group);
  app.add_flag("--quick", flags.quick, "use small parts of the data, to check that everything works")->group(group);
  app.add_flag("--tune", flags.tune,
               "instead of running, search for the settings that the paper does not give, and print them")
      ->group(group);
  app.add_flag("--settings", flags.settings,
               "instead of running, print the settings of every cell and where they come from")
      ->group(group);
  app.add_option("--keep", flags.keep,
                 "folder in which finished runs are kept; those whose cell has not changed are not repeated")
      ->type_name("DIR")
      ->group(group);
  app.add_option("--revision", flags.revision, "note this revision of the source code with the runs that are kept")
      ->type_name("TEXT")
      ->group(group);
  app.add_flag("--only-kept", flags.only_kept, "run nothing: show the runs that are kept")->group(group);
  add_report_flag(app, flags.report);
  app.add_flag("--json", flags.json, "print the result as JSON")->group(group);
  app.add_flag("--quiet", flags.quiet, "print only the result and errors")->group(group);
  app.footer(kPaperExamples);
}

std::string experiments_text() {
  std::vector<Row> rows;
  for (const PaperExperiment* each : paper_experiments()) rows.push_back({each->name, each->title, each->source});
  return format_table({{"name", false}, {"title", false}, {"published in", false}}, rows);
}

// A line of src/papers/settings.csv.
std::string setting_line(const PaperExperiment& experiment, const FoundSettings& found) {
  std::string words;
  for (const auto& [name, value] : found.searched.all())
    words += fmt::format("{}{}={}", words.empty() ? "" : " ", name, value);
  const std::string paper = experiment.name.substr(0, experiment.name.find('-'));
  return fmt::format("{},{},{},{},{},race\n", paper, found.row, found.set, found.budget, words);
}

Json experiments_json() {
  Json list = Json::array();
  for (const PaperExperiment* each : paper_experiments()) {
    list.push_back({{"name", each->name},
                    {"title", each->title},
                    {"source", each->source},
                    {"protocol", each->protocol},
                    {"runs", each->runs}});
  }
  return {{"experiments", list}};
}

// Throws Error if the report would overwrite a data file.
void require_no_set(const std::string& report, const std::string& folder) {
  for (const PaperSet& set : paper_sets()) {
    for (const std::string& name : paper_files(set)) {
      if (const auto file = find_in_folder(name, folder)) require_no_input(report, {file->string()});
    }
  }
}

}  // namespace

int paper_command(const Arguments& arguments) {
  PaperFlags flags;
  CLI::App app(
      "Repeats the experiment behind a table or figure of a paper and shows the published numbers beside ours.",
      "kinglet paper");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  require_argument(flags.name, app, "NAME");
  check_report(flags.report);
  if (flags.name == "list") {
    refuse_options(app,
                   {"--data", "--rows", "--sets", "--runs", "--threads", "--quick", "--tune", "--settings", "--keep",
                    "--revision", "--only-kept", "--report", "--quiet"},
                   "kinglet paper list");
    flags.json ? print_json(experiments_json()) : print(experiments_text());
    return kSuccess;
  }
  if (flags.tune) {
    refuse_options(app, {"--runs", "--settings", "--keep", "--revision", "--only-kept", "--report", "--json"},
                   "--tune, which prints settings only");
  }
  const PaperExperiment& experiment = paper_experiment(flags.name);
  if (flags.settings) {
    refuse_options(app,
                   {"--data", "--rows", "--sets", "--runs", "--threads", "--quick", "--keep", "--revision",
                    "--only-kept", "--report", "--quiet"},
                   "--settings, which runs nothing");
    flags.json ? print_json(settings_json(experiment)) : print(settings_text(experiment));
    return kSuccess;
  }
  if (flags.only_kept) {
    refuse_options(app, {"--data", "--threads", "--quick", "--revision"}, "--only-kept, which runs nothing");
  }
  if (flags.keep.empty()) refuse_options(app, {"--revision", "--only-kept"}, "a run without --keep");
  if (flags.quick) refuse_options(app, {"--keep"}, "--quick, whose runs are no results");
  PaperPlan plan{.quick = flags.quick, .runs = flags.runs, .threads = static_cast<unsigned>(flags.threads)};
  plan.data_folder = data_folder(flags.data).string();
  plan.keep = flags.keep;
  plan.revision = flags.revision;
  plan.only_kept = flags.only_kept;
  require_no_set(flags.report, plan.data_folder);
  if (!flags.rows.empty()) plan.rows = parse_list(flags.rows, "--rows");
  if (!flags.sets.empty()) plan.sets = parse_list(flags.sets, "--sets");
  StopOnSignal stop;
  if (flags.tune) {
    tune_paper(
        experiment, plan, [&](const FoundSettings& found) { print(setting_line(experiment, found)); },
        [&] { return stop.requested(); });
    return stop.requested() ? stopped_exit_code() : kSuccess;
  }
  PaperResult result;
  {
    LiveText live(!flags.quiet);
    const auto show = [&](std::size_t done, std::size_t total) {
      if (live.due()) live.draw(fmt::format("{}: {} of {} done\n", experiment.name, done, plural(total, "run")));
    };
    result = run_paper(experiment, plan, show, [&] { return stop.requested(); });
  }
  if (result.outdated > 0) {
    note(fmt::format("{} run again: the program or the data have changed since", plural(result.outdated, "kept cell")));
  }
  if (result.stopped) note("stopped: unfinished cells are left out");
  if (flags.json) {
    print_json(paper_json(experiment, plan, result));
  } else {
    print(paper_text(experiment, plan, result));
  }
  if (!flags.report.empty()) {
    write_report(flags.report, paper_report(experiment, plan, result, command_text("paper", arguments)));
  }
  return result.stopped ? stopped_exit_code() : kSuccess;
}

}  // namespace kinglet::cli
