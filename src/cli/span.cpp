// kinglet span: makes a start from a sample of the data, from which models learn apart, to be mixed later.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>

#include "cli/command.hpp"
#include "cli/data_flags.hpp"
#include "cli/describe.hpp"
#include "cli/flag_text.hpp"
#include "cli/help.hpp"
#include "cli/json.hpp"
#include "cli/learner_flags.hpp"
#include "cli/model_flags.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "cli/table.hpp"
#include "kinglet/error.hpp"
#include "kinglet/mix.hpp"
#include "kinglet/registry.hpp"
#include "lab/training.hpp"
#include "model/model_access.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kSpanExamples =
    "  kinglet span sample.csv --budget 500 -o start.kinglet\n"
    "  kinglet train part1.csv --from start.kinglet -o 1.kinglet\n"
    "  kinglet mix 1.kinglet 2.kinglet -o all.kinglet\n";

struct SpanFlags {
  DataFlags data;
  Options learner;
  std::string output;
  std::string again;  // the model whose coefficients the start keeps
  std::uint64_t threads = 0;
  bool json = false;
};

void declare(CLI::App& app, SpanFlags& flags) {
  const std::string group = kMainSection;
  app.add_option("-o,--start", flags.output, "write the start to this file")->type_name("START")->group(group);
  app.add_option(
         "--again", flags.again,
         "instead of DATA: prepare a second pass over the same data. Keeps the coefficients of this model but resets "
         "their certainty, so that no row counts twice")
      ->type_name("MODEL")
      ->group(group);
  add_learner_flags(app, flags.learner,
                    fmt::format("the algorithm (default {}; {} for --task novelty)",
                                default_start_algorithm("classify"), default_start_algorithm("novelty")));
  hide_query_flags(app);
  add_data_flags(app, flags.data);
  app.add_flag("--json", flags.json, "print the result as JSON")->group(group);
  add_threads_flag(app, flags.threads);
  app.footer(kSpanExamples);
}

void check(const SpanFlags& flags, const CLI::App& app) {
  if (flags.again.empty()) require_argument(flags.data.data, app, "DATA");
  if (!flags.again.empty() && (!flags.data.data.empty() || !flags.learner.all().empty())) {
    throw Error("--again takes everything from its model: give neither DATA nor options of the learner");
  }
  refuse_query_flags(flags.learner, "models of a start learn all labels");
  require_argument(flags.output, app, "-o START");
  if (flags.output == "-") throw Error("-o -: a start cannot go to standard output; give a file name");
  require_writable(flags.output);
  require_no_input(flags.output, {flags.data.data, flags.again}, flags.data.folder);
}

// Models of the default algorithm add up, but novelty detectors are averaged.
Options options_of(Options given) {
  if (given.has("algo") || given.has("update") || given.has("maintain")) return given;
  given.set("algo", default_start_algorithm(given.has("task") ? given.text("task") : "classify"));
  return given;
}

// A model that has learned the sample; nullopt after Ctrl-C.
std::optional<Model> learn_sample(SpanFlags& flags, StopOnSignal& stop) {
  const Options options = options_of(flags.learner);
  Model model(options);
  flags.data.numeric_labels = model.task() == TaskKind::regress;
  flags.data.labels_may_be_absent = model.task() == TaskKind::novelty;
  DataFlags data = flags.data;
  fit_to_learn(model, data);
  data.threads = static_cast<unsigned>(flags.threads);
  const auto source = open_data(data.data, data);
  require_end(data.data, *source);
  stop.watch(*source);
  model.use_threads(static_cast<unsigned>(flags.threads));
  TrainingEvents events;
  events.stopped = [&] { return stop.requested(); };
  events.notice = [&](const Message& text) { note(flag_text(text)); };
  const TrainingResult result = train(model, *source, {}, events);
  stop.look_away();
  if (result.stopped) return std::nullopt;
  return model;
}

std::string start_text(const Model& start) { return fmt::format("{:016x}", *start_of(start)); }

std::string result_text(const SpanFlags& flags, const Model& start, std::uint64_t rows) {
  Listing listing;
  if (rows > 0) listing.emplace_back("sample", plural(rows, "example"));
  listing.emplace_back("algorithm", algorithm_text(start.options()));
  listing.emplace_back("features", count_text(start.dimension()));
  if (start.task() == TaskKind::classify) listing.emplace_back("classes", count_text(start.labels().size()));
  listing.emplace_back("centres", count_text(start.stats().support_vectors));
  listing.emplace_back("start", start_text(start));
  listing.emplace_back("written",
                       fmt::format("{}, {}", flags.output, bytes_text(std::filesystem::file_size(flags.output))));
  return format_listing(listing);
}

Json result_json(const SpanFlags& flags, const Model& start, std::uint64_t rows) {
  Json json;
  json["start"] = flags.output;
  json["id"] = start_text(start);
  json["sample"] = rows;
  json["features"] = start.dimension();
  json["classes"] = start.labels().size();
  json["centres"] = start.stats().support_vectors;
  json["isa"] = isa_of_start(start);
  json["file_bytes"] = std::filesystem::file_size(flags.output);
  return json;
}

}  // namespace

int span_command(const Arguments& arguments) {
  SpanFlags flags;
  CLI::App app(
      "Creates a start, an untrained model, from a sample of the data: its scaling, metric and centres are fixed. "
      "Models "
      "trained from it (train --from) can be added up with kinglet mix. Without --algo, the algorithm is span "
      "(novelty: "
      "bnorma).",
      "kinglet span");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  check(flags, app);
  StopOnSignal stop;
  std::optional<Model> model;
  if (flags.again.empty()) {
    model = learn_sample(flags, stop);
  } else {
    model = Model::load(flags.again);
  }
  if (!model || stop.requested()) return stopped_with_nothing_written();
  const Model start = make_start(*model, !flags.again.empty());
  start.save(flags.output);
  const std::uint64_t rows = flags.again.empty() ? model->progress().examples : 0;
  if (flags.json) {
    print_json(result_json(flags, start, rows));
  } else {
    print(result_text(flags, start, rows));
  }
  return kSuccess;
}

}  // namespace kinglet::cli
