// kinglet train: learns a model from a stream, with progressive validation, checkpoints and a clean stop.
#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

#include "cli/baseline.hpp"
#include "cli/checkpoint_folder.hpp"
#include "cli/command.hpp"
#include "cli/data_flags.hpp"
#include "cli/flag_text.hpp"
#include "cli/help.hpp"
#include "cli/keep_learned.hpp"
#include "cli/labeller.hpp"
#include "cli/learner_flags.hpp"
#include "cli/model_flags.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/passes.hpp"
#include "cli/problem.hpp"
#include "cli/report_file.hpp"
#include "cli/stop.hpp"
#include "cli/train_display.hpp"
#include "cli/train_events.hpp"
#include "cli/train_flags.hpp"
#include "cli/train_report.hpp"
#include "cli/train_result.hpp"
#include "core/compose.hpp"
#include "core/learner.hpp"
#include "core/option_texts.hpp"
#include "data/generator.hpp"
#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "kinglet/registry.hpp"
#include "lab/delayed_labels.hpp"
#include "lab/metrics.hpp"
#include "lab/stream_metrics.hpp"
#include "lab/stream_record.hpp"
#include "lab/training.hpp"
#include "model/memory.hpp"
#include "model/model_access.hpp"
#include "simd/isa.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kDefaultEvery = 100'000;
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
  add_count(app, "--delay", flags.delay, {0, kMostDelay},
            "a label is known only N rows after its row was predicted; judges predictions accordingly [0]")
      ->group(group);
  app.add_flag("--metrics", flags.metrics,
               "show how the predictions along the stream compare with simple ones, overall and for each class")
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

void declare(CLI::App& app, TrainFlags& flags) {
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

unsigned threads_of(const TrainFlags& flags) { return static_cast<unsigned>(flags.threads); }

bool has_labeller(const TrainFlags& flags) { return !flags.query_out.empty(); }

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

void check(const TrainFlags& flags, const CLI::App& app) {
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

// The folder of --checkpoint, locked; nullopt without this flag.
void open_checkpoint(const TrainFlags& flags, std::optional<CheckpointFolder>& folder) {
  if (flags.checkpoint.empty()) return;
  folder.emplace(flags.checkpoint);
  if (folder->has_checkpoint() && !flags.resume && !flags.restart) {
    throw Error(fmt::format("{} is there already: give --resume to continue its run, or --restart to discard it",
                            folder->checkpoint()));
  }
}

void say(const TrainFlags& flags, std::string_view text) {
  if (!flags.quiet) note(text);
}

// Loads a model to go on with; the options given must not contradict its own. `flag` is --resume or --from.
Model load_to_learn(const std::string& path, std::string_view flag, TrainFlags& flags) {
  Model model = Model::load(path);
  if (model.stats().only_predicts) throw Error(fmt::format("{} cannot learn: it was made by kinglet compress", path));
  Options& given = flags.learner;
  if (const auto length = stream_length(model.requested_options())) given = with_stream_length(given, length->examples);
  complete_options(given);  // reports options that are wrong in any run
  require_same_options(flags.learner, model.requested_options(), path, flag);
  settle_passes(flags, model.options());
  say(flags, fmt::format("continuing from {} after {}", path, plural(model.progress().examples, "example")));
  return model;
}

// Models of one start are computed alike, bit for bit, where the machine can and nobody says otherwise.
void use_isa_of_start(const Model& model) {
  const std::string isa = isa_of_start(model);
  const char* const wanted = std::getenv("KINGLET_ISA");
  if (isa.empty() || (wanted != nullptr && *wanted != '\0')) return;
  const auto known = simd::available_isas();
  if (std::ranges::find(known, isa) != known.end()) simd::use_isa(isa);
}

Model start_model(TrainFlags& flags, const CheckpointFolder* folder) {
  if (flags.resume && folder->has_checkpoint()) {
    if (!flags.from.empty()) say(flags, "--from is not read again: the checkpoint goes on");
    return load_to_learn(folder->checkpoint(), "--resume", flags);
  }
  if (flags.resume) say(flags, folder->checkpoint() + " does not exist yet: starting from the beginning");
  if (!flags.from.empty()) {
    Model model = load_to_learn(flags.from, "--from", flags);
    use_isa_of_start(model);
    begin_other_data(model);
    return model;
  }
  if (flags.auto_passes) settle_passes(flags, complete_options(with_stream_length(flags.learner, 1)));
  fill_stream_length(flags);
  return Model(flags.learner);
}

// Opens --test for the model, with the format flags of DATA as far as they suit its format. Test data need labels, even if
// DATA does not.
std::unique_ptr<Source> open_test(const TrainFlags& flags, const Model& model) {
  DataFlags data = flags.data;
  fit_to(model, data);
  data.may_not_fit = true;
  data.skip_bad = 0;
  data.shuffle.reset();
  if (data.labels_may_be_absent && data.label_column == "none") data.label_column.reset();
  data.labels_may_be_absent = false;
  return open_data(flags.test, data);
}

// Reads the first batch of --test, to find problems as soon as the model knows its columns.
void require_usable_test(const TrainFlags& flags, const Model& model) {
  const auto source = open_test(flags, model);
  Batch batch;
  source->next(batch);
  if (batch.rows() == 0) throw Error(fmt::format("{} holds no examples to test on", source->name()));
  if (Batch more; batch.rows() < kBatchRows)
    source->next(more);  // throws the error of the row after them, if it has one
  require_labels(model.task(), batch, *source, 0);
  require_fitting(model, *source, batch);
}

// The accuracy on --test, read from its beginning. Nullopt after Ctrl-C.
std::optional<double> accuracy_now(const TrainFlags& flags, const Model& model, const StopOnSignal& stop) {
  const auto test = open_test(flags, model);
  const Evaluation result = evaluate(model, *test, threads_of(flags), [&] { return stop.requested(); });
  return result.stopped ? std::nullopt : std::optional(result.accuracy());
}

// Predicts a batch of one row.
std::function<Prediction(const Batch&)> one_by_one(const Model& model) {
  return [&model, predictions = std::vector<Prediction>()](const Batch& row) mutable {
    predict_into(model, row, predictions);
    return predictions[0];
  };
}

// Whether the query rule asks for some rows only.
bool chooses_rows(const Options& options) {
  return options.text("query") != "all" || options.integer("query-budget") > 0;
}

// With --delay: asks for the label of a row as soon as it arrives.
void ask_on_arrival(Labeller& labeller, DelayedLabels& delayed, const Model& model) {
  const std::uint64_t first = model.progress().examples - position_of(model).row + 1;  // the id of the pass's first row
  delayed.on_arrival([&, first](const Batch& row, std::uint64_t before, const std::optional<Prediction>& prediction) {
    labeller.ask_early(row, first + before, prediction);
  });
}

// Asks the labeller. The judge gets its answers with the predictions that the queries showed; `delayed` is null without --delay.
Oracle oracle_of(Labeller& labeller, StreamJudge* judge, DelayedLabels* delayed) {
  return [&labeller, judge, delayed](const Query& query) {
    if (delayed != nullptr && delayed->all_arrived()) labeller.end_early();
    std::optional<std::string> label = labeller(query);
    std::optional<Prediction> prediction = query.prediction;
    // The query that an earlier run left open has no prediction of its arrival.
    if (delayed != nullptr) prediction = labeller.has_asked_early(query.example) ? delayed->take() : std::nullopt;
    if (judge != nullptr && prediction && label && !label->empty()) judge->add(*prediction, *label);
    return label;
  };
}

TrainingPlan plan_of(const TrainFlags& flags, const CheckpointFolder* folder, const Oracle& oracle) {
  TrainingPlan plan;
  plan.passes = flags.passes;
  plan.oracle = oracle;
  if (folder != nullptr) {
    plan.checkpoint = folder->checkpoint();
    plan.every = flags.every > 0 ? flags.every : kDefaultEvery;
  }
  return plan;
}

// `check_test` checks that --test fits the model; it is empty if the test data can be read only once. `record` collects
// what --report shows, `judge` what --metrics shows; null without these. If the run fails, what was learned is kept.
TrainingResult run_training(const TrainFlags& flags, Model& model, Source& source, const StopOnSignal& stop,
                            const TrainingPlan& plan, const std::function<void()>& check_test, StreamRecord* record,
                            StreamJudge* judge) {
  const SurviveBrokenPipes survive;
  TrainDisplay display(flags, model, source);
  const std::uint64_t before = model.progress().examples;
  bool began = false;  // whether the command is right, as far as the first rows show
  const auto begin = [&] {
    if (check_test) check_test();
    check_report_image(flags.report_image, model.dimension());
    display.header();
    if (before == 0) display.doubt_label();
    began = true;
  };
  TrainingEvents events{.stopped = [&] { return stop.requested(); },
                        .started = begin,
                        .unsaved = [](bool is) { StopOnSignal::hurry(is); },
                        .notice = [&](const Message& text) { display.notice(text); },
                        .line =
                            [&](const ProgressLine& line) {
                              display.line(line);
                              if (flags.json_lines) print_event("progress", progress_json(line, model.task()));
                            },
                        .drift =
                            [&](const DriftAlarm& alarm) {
                              display.drift(alarm);
                              if (flags.json_lines) print_event("drift", drift_json(alarm));
                            },
                        .waiting = [&](std::optional<std::uint64_t> rows) { display.waiting(rows); },
                        .sorted = [&](const LabelOrder& order) { display.sorted(order); },
                        .batch = [&] { display.batch(); }};
  events.times_rows = record != nullptr;
  if (record != nullptr || judge != nullptr) {
    events.learned = [&](const LearnedPart& part) {
      if (record != nullptr) record->add(part);
      if (judge != nullptr) judge->add(part);
    };
  }
  if (flags.delay > 0) events.judged = [&] { return judge->judged(); };
  if (check_test) events.test = [&] { return accuracy_now(flags, model, stop); };
  try {
    if (before > 0) begin();
    TrainingResult result = train(model, source, plan, events);
    display.tell_skipped();
    return result;
  } catch (...) {
    const Message problem = current_problem();
    if (!began) throw Error(problem);
    keep_learned_and_fail(problem, flags.model, model.progress().examples - before, model);
  }
}

std::string stopped_text(const TrainFlags& flags, const Outcome& outcome, const Model& model) {
  const std::string after = fmt::format("stopped after {}", plural(model.progress().examples, "example"));
  if (model.progress().examples == 0) return "stopped before the first example; there is no model to save";
  if (model.stats().learns_at_end) {
    return fmt::format("{}; {} learns only at the end of a pass, so there is no model yet", after,
                       model.options().text("algo"));
  }
  if (flags.model.empty()) return after + "; the model was not saved, because -o was not given";
  if (outcome.model == flags.model) return fmt::format("{}; the model is saved in {}", after, flags.model);
  return fmt::format("{}; the model is saved in {}, because {} is there already", after, outcome.model, flags.model);
}

// Runs what comes after saving; an error then also says where the model is.
template <class Act>
void after_saving(const Outcome& outcome, const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    if (outcome.model.empty()) throw;
    throw Error(compose("{} (the model is saved in {})", error.message(), outcome.model));
  }
}

void measure(const TrainFlags& flags, Outcome& outcome, const Model& model, Source& test, StopOnSignal& stop) {
  stop.watch(test);
  const auto fits = [&](const Batch& batch) { require_fitting(model, test, batch); };
  if (!flags.report.empty()) outcome.test_record.emplace(model);
  outcome.test = evaluate(model, test, threads_of(flags), [&] { return stop.requested(); }, fits,
                          {.record = outcome.test_record ? &*outcome.test_record : nullptr});
  if (outcome.test->ignored_values > 0 && !flags.quiet) note_ignored(model, test);
  if (!outcome.training.curve.empty()) outcome.training.curve.back().test_accuracy = outcome.test->accuracy();
}

// Notes options that turned out to have no effect, or not the expected one.
void note_unused(const TrainFlags& flags, const Model& model) {
  const Options& asked = model.requested_options();
  if (asked.has("class-weight")) {
    for (const ClassWeight& item : parse_class_weights(asked.text("class-weight"))) {
      const auto labels = model.labels();
      const bool seen =
          std::any_of(labels.begin(), labels.end(), [&](const auto& label) { return same_label(label, item.label); });
      if (!seen) say(flags, fmt::format("--class-weight: no example has the label {}", item.label));
    }
  }
  for (const Message& text : advice(asked)) say(flags, flag_text(text));
  const std::uint64_t examples = model.progress().examples;
  const auto length = stream_length(asked);
  if (length && length->examples < examples) {
    say(flags, fmt::format("{} is {}, but the stream had {}: {}", flag_text(length->option),
                           count_text(length->examples), plural(examples, "example"), length->if_exceeded));
  }
}

// With test data, these decide: the online error includes the mistakes at the beginning.
void note_baseline(const TrainFlags& flags, const Outcome& outcome, const Model& model) {
  const auto compared =
      outcome.test ? against_baseline(*outcome.test) : online_against_baseline(model, outcome.training);
  if (compared && !compared->is_better()) say(flags, baseline_note(*compared, outcome.test ? "test " : "online "));
}

void note_end_of_labels(const TrainFlags& flags, const Model& model) {
  say(flags, fmt::format("training ended with the answers: {} for {}", plural(model.progress().labels, "label"),
                         plural(model.progress().examples, "example")));
}

// The file for the model: that of -o; for a run that was stopped, MODEL.partial if a MODEL of another run is there already.
// Empty: there is nothing to save, or no file to save it in.
std::string file_for_model(const TrainFlags& flags, const Model& model, bool stopped) {
  if (flags.model.empty() || model.progress().examples == 0) return {};
  if (stopped && model.stats().learns_at_end) return {};
  return stopped && std::filesystem::is_regular_file(flags.model) ? partial_path(flags.model) : flags.model;
}

void save_model(const std::string& path, const Model& model, const CheckpointFolder* folder) {
  try {
    model.save(path);
  } catch (const Error& error) {
    const bool kept = folder != nullptr && folder->has_checkpoint();
    throw Error(compose("{} (what was learned is {})", error.message(),
                        kept ? "in " + folder->checkpoint() : "lost: there is no checkpoint"));
  }
}

// Tests the model, which is saved if -o was given, and prints the result; returns the exit code. `write_page` writes the
// --report.
int finish(const TrainFlags& flags, Outcome& outcome, const Model& model, Source* test, StopOnSignal& stop,
           const std::function<void()>& write_page) {
  const bool learned = model.progress().examples > 0;
  if (outcome.training.stopped) {
    note(stopped_text(flags, outcome, model));
  } else if (flags.model.empty()) {
    say(flags, "the model was not saved, because -o was not given");
  }
  if (!learned) return stopped_exit_code();
  note_unused(flags, model);
  if (test != nullptr && !stop.requested()) {
    after_saving(outcome, [&] { measure(flags, outcome, model, *test, stop); });
  }
  note_baseline(flags, outcome, model);
  after_saving(outcome, write_page);
  if (flags.json) {
    print_json(result_json(flags, outcome, model));
  } else if (flags.json_lines) {
    print_event("result", result_json(flags, outcome, model));
  } else if (!flags.quiet) {
    const std::string text = result_text(flags, outcome, model);
    flags.query_out == "-" ? print_error(text) : print(text);
  }
  return stop.requested() ? stopped_exit_code() : kSuccess;
}

}  // namespace

int train_command(const Arguments& arguments) {
  TrainFlags flags;
  CLI::App app("Learns a model from a stream, predicting each example before learning from it.", "kinglet train");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  check(flags, app);
  std::optional<CheckpointFolder> checkpoint;
  open_checkpoint(flags, checkpoint);
  const CheckpointFolder* const folder = checkpoint ? &*checkpoint : nullptr;
  flags.data.labels_may_be_absent = has_labeller(flags);
  Model model = start_model(flags, folder);
  model.use_threads(threads_of(flags));
  flags.data.threads = threads_of(flags);
  if (has_labeller(flags) && model.task() != TaskKind::classify) {
    throw Error("--query-out works with --task classify only");
  }
  if (has_labeller(flags) && flags.delay > 0 && chooses_rows(model.options())) {
    throw Error("--delay: with --query-out it asks for the label of every row; leave --query and --query-budget out");
  }
  flags.data.labels_may_be_absent = has_labeller(flags) || model.asks_for_labels();
  flags.data.skip_unlabelled = !flags.data.labels_may_be_absent;
  if (!flags.shuffle.empty()) flags.data.shuffle = shuffle_options(flags, model);
  DataFlags learned = flags.data;
  fit_to_learn(model, learned);
  const auto source = open_data(learned.data, learned);
  check_passes(flags, model, *source);
  std::function<void()> check_test;
  if (!flags.test.empty() && can_reopen(flags.test, flags.data)) {
    check_test = [&] { require_usable_test(flags, model); };
  }
  std::optional<Labeller> labeller;
  if (has_labeller(flags)) {
    labeller.emplace(flags.query_out, flags.labels_in, model);
  }
  StopOnSignal stop;
  stop.watch(*source);
  if (labeller) stop.watch(labeller->interrupt());
  std::optional<StreamRecord> record;
  if (!flags.report.empty()) record.emplace(model);
  std::optional<DelayedLabels> delayed;
  if (flags.delay > 0) delayed.emplace(*source, flags.delay, position_of(model).row, one_by_one(model));
  std::optional<StreamJudge> judge;
  if (delayed || flags.metrics) judge.emplace(model, flags.delay, delayed && !labeller ? &*delayed : nullptr);
  if (labeller && delayed) ask_on_arrival(*labeller, *delayed, model);
  const Oracle oracle =
      labeller ? oracle_of(*labeller, judge ? &*judge : nullptr, delayed ? &*delayed : nullptr) : Oracle();
  if (flags.restart) folder->discard_checkpoint();
  Outcome outcome;
  outcome.training = run_training(flags, model, delayed ? *delayed : *source, stop, plan_of(flags, folder, oracle),
                                  check_test, record ? &*record : nullptr, judge ? &*judge : nullptr);
  if (judge) outcome.stream = {judge->metrics(), judge->judged()};
  outcome.skipped = source->skipped().count;
  outcome.gaps = source->gaps();
  if (labeller && !labeller->problem().empty()) {
    keep_learned_and_fail(labeller->problem(), flags.model, outcome.training.learned, model);
  }
  outcome.model = file_for_model(flags, model, outcome.training.stopped);
  if (!outcome.model.empty()) save_model(outcome.model, model, folder);
  const auto test = flags.test.empty() ? nullptr : open_test(flags, model);
  if (outcome.training.labels_ended) note_end_of_labels(flags, model);
  const auto write_page = [&] {
    if (!record) return;
    const std::string command = command_text("train", arguments);
    write_report(flags.report, train_report(flags, outcome, model, *record, command));
  };
  return finish(flags, outcome, model, test.get(), stop, write_page);
}

}  // namespace kinglet::cli
