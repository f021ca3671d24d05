// Declares the flags of `train` and checks them.
#include "cli/train_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/learner_flags.hpp"
#include "cli/model_flags.hpp"
#include "cli/output.hpp"
#include "cli/passes.hpp"
#include "cli/report_file.hpp"
#include "cli/train_report.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kMostDelay = 10'000'000;  // rows, which are kept in memory

constexpr const char* kTrainExamples =
    "  kinglet train data.libsvm.xz -o model.kinglet --test test.libsvm.xz\n"
    "  kinglet train data.csv --label-column last -o model.kinglet --budget 1000\n"
    "  producer | kinglet train - -o model.kinglet --memory 256K --checkpoint state\n";

void declare_run(CLI::App& app, TrainFlags& flags) {
  const std::string group = kRunSection;
  add_count(app, "--every", flags.every, {1, kMostExamples},
            fmt::format("number of examples between checkpoints [{}]", kDefaultEvery))
      ->group(group);
  app.add_flag(
         "--resume", flags.resume,
         "continue from the checkpoint, if there is one; DATA may have grown by then, and the new rows are learned")
      ->group(group);
  app.add_flag("--restart", flags.restart, "start from the beginning and discard the checkpoint, if there is one")
      ->group(group);
  app.add_option("--from", flags.from, "go on with this model: learn DATA in addition to what it has learned")
      ->type_name("MODEL")
      ->group(group);
  add_shuffle_flag(app, flags, group);
  add_count(app, "--skip-bad", flags.data.skip_bad, {0, kMostExamples},
            "skip up to N rows that have errors, such as a bad number; one more ends the run [0]")
      ->group(group);
  app.add_option("--report-image", flags.report_image,
                 "with --report: draw support vectors as pictures of width x height pixels, stored row by row; none "
                 "draws no pictures [guessed for square pictures]")
      ->type_name("WxH|none")
      ->group(group);
  add_count(app, "--delay", flags.delay, {0, kMostDelay}, "evaluate as if each label arrived N rows after its row [0]")
      ->group(group);
  app.add_flag("--metrics", flags.metrics,
               "compare the predictions along the stream with trivial baselines (Kappa, Kappa-M, Kappa-T), also for "
               "each class")
      ->group(group);
  app.add_flag("--json-lines", flags.json_lines,
               "print progress, drift alarms and the result as lines of JSON, as they happen")
      ->group(group);
  add_threads_flag(app, flags.threads);
  app.add_flag("--quiet", flags.quiet, "print only errors, and what --json or --json-lines print")->group(group);
}

void declare_labeller(CLI::App& app, TrainFlags& flags) {
  const std::string group = kQuerySection;
  app.add_option("--query-out", flags.query_out,
                 "ask for labels while training: write each query to this file as one line of JSON (- for standard "
                 "output); labels in DATA are ignored")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--labels-in", flags.labels_in,
                 "read the answers from this file, one line 'ID LABEL' or {\"id\":ID,\"label\":LABEL} per query (- for "
                 "standard input)")
      ->type_name("FILE")
      ->group(group);
}

// Checks that queries and answers use streams that nothing else uses.
void check_labeller(const TrainFlags& flags) {
  if (flags.query_out.empty() != flags.labels_in.empty()) {
    throw Error("--query-out and --labels-in must be given together");
  }
  if (!has_labeller(flags)) return;
  if (flags.labels_in == "-" && flags.data.data == "-")
    throw Error("DATA and --labels-in cannot both be standard input");
  if (flags.labels_in == "-" && flags.test == "-") throw Error("--test and --labels-in cannot both be standard input");
  if (flags.query_out == "-" && flags.json) throw Error("--query-out - and --json cannot both go to standard output");
  if (flags.query_out == "-" && flags.json_lines)
    throw Error("--query-out - and --json-lines cannot both go to standard output");
  if (flags.passes > 1 || flags.auto_passes)
    throw Error("--passes: with --query-out there is only one pass, because each label is asked for once");
}

void check_delay(const TrainFlags& flags) {
  if (flags.delay == 0) return;
  if (flags.passes > 1 || flags.auto_passes) throw Error("--passes: with --delay there is only one pass");
}

void check_checkpoint(const TrainFlags& flags) {
  if (flags.resume && flags.restart) throw Error("give --resume or --restart, not both");
  if (!flags.checkpoint.empty()) return;
  if (flags.every > 0) throw Error("--every needs --checkpoint DIR");
  if (flags.resume) throw Error("--resume needs --checkpoint DIR");
  if (flags.restart) throw Error("--restart needs --checkpoint DIR");
}

}  // namespace

void declare_train_flags(CLI::App& app, TrainFlags& flags) {
  const std::string group = kMainSection;
  app.add_option("-o,--model", flags.model, "write the model to this file")->type_name("MODEL")->group(group);
  app.add_option("--test", flags.test, "evaluate the trained model on this labelled data")
      ->type_name("FILE")
      ->group(group);
  add_learner_flags(app, flags.learner);
  add_data_flags(app, flags.data);
  add_passes_flag(app, flags, group);
  app.add_option("--checkpoint", flags.checkpoint, "save the state of the run in this folder, for --resume")
      ->type_name("DIR")
      ->group(group);
  add_report_flag(app, flags.report);
  app.add_flag("--json", flags.json, "print the result as JSON")->group(group);
  declare_run(app, flags);
  declare_labeller(app, flags);
  app.footer(kTrainExamples);
}

void check_train_flags(const TrainFlags& flags, const CLI::App& app) {
  require_argument(flags.data.data, app, "DATA");
  if (flags.model == "-") throw Error("-o -: a model cannot go to standard output; give a file name");
  if (!flags.model.empty()) {
    require_writable(flags.model);
    require_no_input(partial_path(flags.model), {flags.data.data, flags.test, flags.labels_in, flags.from},
                     flags.data.folder);
  }
  for (const std::string& output : {flags.model, flags.report, flags.query_out}) {
    require_no_input(output, {flags.data.data, flags.test, flags.labels_in}, flags.data.folder);
  }
  if (!flags.report.empty() && flags.report == flags.model) throw Error("-o and --report name the same file");
  if (!flags.query_out.empty() && (flags.query_out == flags.model || flags.query_out == flags.report))
    throw Error("--query-out names the same file as -o or --report");
  check_report(flags.report);
  check_report_image(flags.report_image);
  if (flags.report.empty() && !flags.report_image.empty()) throw Error("--report-image needs --report FILE");
  if (flags.json && flags.json_lines)
    throw Error("give --json or --json-lines, not both: the last line of --json-lines is the result");
  check_labeller(flags);
  check_delay(flags);
  if (flags.data.data == "-" && flags.test == "-") throw Error("DATA and --test cannot both be standard input");
  check_checkpoint(flags);
  if (!flags.from.empty()) refuse_feature_flags(app);
}

void say(const TrainFlags& flags, std::string_view text) {
  if (!flags.quiet) note(text);
}

}  // namespace kinglet::cli
