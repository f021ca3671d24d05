// kinglet compress: approximates a model by one with fewer support vectors.
#include "export/compress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <optional>

#include "cli/command.hpp"
#include "cli/data_flags.hpp"
#include "cli/describe.hpp"
#include "cli/help.hpp"
#include "cli/json.hpp"
#include "cli/model_flags.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/progress_bar.hpp"
#include "cli/stop.hpp"
#include "cli/table.hpp"
#include "export/open_model.hpp"
#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "lab/metrics.hpp"
#include "model/model_access.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kMostVectors = 1'000'000;
constexpr std::uint64_t kMostRounds = 100'000;
constexpr std::uint64_t kMostCompressThreads = 1024;

constexpr const char* kCompressExamples =
    "  kinglet compress model.kinglet --budget 100 -o small.kinglet\n"
    "  kinglet compress svm.model --budget 500 --test test.libsvm -o small.kinglet\n"
    "  kinglet export small.kinglet -o small.c --type int8\n";

struct CompressFlags {
  std::string model;
  std::string output;
  DataFlags data;
  std::uint64_t budget = 0;
  std::uint64_t rounds = kDefaultRounds;
  std::uint64_t threads = 0;
  bool quiet = false;
  bool json = false;
};

// The results of the original and of the small model on the same data.
struct Tested {
  Evaluation before;
  Evaluation after;
};

void declare(CLI::App& app, CompressFlags& flags) {
  app.add_option("MODEL", flags.model, "model file of kinglet or LIBSVM");
  const std::string group = kMainSection;
  app.add_option("-o,--output", flags.output, "write the small model to this file")->type_name("FILE")->group(group);
  add_count(app, "--budget", flags.budget, {1, kMostVectors}, "maximum number of support vectors in the small model")
      ->group(group);
  app.add_option("--test", flags.data.data, "evaluate both models on this labelled data")
      ->type_name("FILE")
      ->group(group);
  add_count(app, "--rounds", flags.rounds, {0, kMostRounds},
            fmt::format("rbf kernel: maximum number of rounds that move the vectors [{}]", kDefaultRounds))
      ->group(group);
  add_format_flags(app, flags.data);
  hide_feature_flags(app);
  app.add_flag("--json", flags.json, "print the result as JSON")->group(group);
  add_folder_flag(app, flags.data.folder, kDataSection);
  add_count(app, "--threads", flags.threads, {0, kMostCompressThreads}, "number of threads [0: one per core]")
      ->group(kRunSection);
  app.add_flag("-q,--quiet", flags.quiet, "print only the result and errors")->group(kRunSection);
  app.footer(kCompressExamples);
}

void check(const CompressFlags& flags, const CLI::App& app) {
  require_argument(flags.model, app, "MODEL");
  require_argument(flags.output, app, "-o FILE");
  refuse_feature_flags(app);
  if (flags.output == "-") throw Error("-o -: a model cannot go to standard output; give a file name");
  if (app.count("--budget") == 0) throw Error("--budget is missing: give the number of support vectors to keep");
  require_writable(flags.output);
  require_no_input(flags.output, {flags.model, flags.data.data}, flags.data.folder);
  if (!flags.data.data.empty()) return;
  if (!flags.data.folder.empty()) {
    throw Error("--data names the folder of data sets; to measure both models, give --test FILE");
  }
  for (const std::string& given : data_arguments(flags.data)) {
    if (given.starts_with("--"))
      throw Error(fmt::format("{} describes the test data: give --test FILE as well", given));
  }
}

Evaluation measure(const CompressFlags& flags, const Model& model, StopOnSignal& stop) {
  DataFlags data = flags.data;
  fit_to(model, data);
  data.threads = static_cast<unsigned>(flags.threads);
  const auto source = open_data(data.data, data);
  require_end(data.data, *source);
  stop.watch(*source);
  const auto fits = [&](const Batch& batch) { require_fitting(model, *source, batch); };
  Evaluation result = evaluate(
      model, *source, static_cast<unsigned>(flags.threads), [&] { return stop.requested(); }, fits);
  stop.look_away();
  if (result.examples == 0 && !result.stopped) throw Error(fmt::format("{} holds no examples", source->name()));
  return result;
}

std::string relative_text(const Compression& result, double distance) {
  if (result.norm == 0) return number_text(distance);
  return fraction_text(distance / result.norm);
}

std::string beginning_text(const Compression& result) {
  if (result.beginning == "none" && result.model.size() < result.before)
    return "one per function, which is exact (linear kernel)";
  if (result.beginning == "none") return "unchanged: the model is within the budget";
  return fmt::format("{}, distance{}: {} after choosing vectors, {} after refitting, {} after moving", result.beginning,
                     result.norm == 0 ? "" : " (relative to ‖f‖)", relative_text(result, result.begun),
                     relative_text(result, result.refitted), relative_text(result, result.distance));
}

void add_tests(Listing& listing, const Model& model, const Tested& tested) {
  if (model.task() == TaskKind::regress) {
    listing.emplace_back(
        "RMSE", fmt::format("{} (before: {})", number_text(tested.after.rmse()), number_text(tested.before.rmse())));
    return;
  }
  const double after = tested.after.accuracy(), before = tested.before.accuracy();
  listing.emplace_back("accuracy", fmt::format("{} (before: {}; {:+.2f} points)", fraction_text(after),
                                               fraction_text(before), 100 * (after - before)));
}

std::string result_text(const CompressFlags& flags, const FlatModel& plain, const Compression& result,
                        const Model& model, const std::optional<Tested>& tested, double seconds) {
  Listing listing = {
      {"from", plain.origin},
      {"support vectors",
       fmt::format("{} (before: {})", count_text(model.stats().support_vectors), count_text(result.before))},
      {"approximation", beginning_text(result)},
  };
  if (tested) add_tests(listing, model, *tested);
  listing.emplace_back(
      "written", fmt::format("{}, {} (before: {})", flags.output, bytes_text(std::filesystem::file_size(flags.output)),
                             bytes_text(std::filesystem::file_size(flags.model))));
  listing.emplace_back("time", seconds_text(seconds));
  return format_listing(listing);
}

Json quality_json(const Model& model, const Evaluation& result) {
  Json json;
  if (model.task() == TaskKind::regress) {
    json["rmse"] = number_json(result.rmse());
  } else {
    json["accuracy"] = number_json(result.accuracy());
  }
  json["examples"] = result.examples;
  return json;
}

Json result_json(const CompressFlags& flags, const FlatModel& plain, const Compression& result, const Model& model,
                 const std::optional<Tested>& tested, double seconds) {
  Json json;
  json["model"] = flags.output;
  json["origin"] = plain.origin;
  json["support_vectors"] = model.stats().support_vectors;
  json["support_vectors_before"] = result.before;
  json["beginning"] = result.beginning;
  json["norm"] = result.norm;
  json["distance_begun"] = result.begun;
  json["distance_refitted"] = result.refitted;
  json["distance"] = result.distance;
  json["relative_distance"] = result.norm > 0 ? Json(result.distance / result.norm) : Json(nullptr);
  json["file_bytes"] = std::filesystem::file_size(flags.output);
  json["file_bytes_before"] = std::filesystem::file_size(flags.model);
  if (tested) {
    json["before"] = quality_json(model, tested->before);
    json["after"] = quality_json(model, tested->after);
  }
  json["seconds"] = seconds;
  return json;
}

Compression run(const CompressFlags& flags, const FlatModel& plain, const StopOnSignal& stop) {
  ProgressBar bar(!flags.quiet && !flags.json);
  CompressOptions options;
  options.budget = static_cast<std::size_t>(flags.budget);
  options.rounds = static_cast<std::size_t>(flags.rounds);
  options.threads = static_cast<unsigned>(flags.threads);
  options.stopped = [&] { return stop.requested(); };
  options.progress = [&](const std::string& what, double share) {
    if (bar.due()) bar.draw(fmt::format("{} {}", what, done_text(share)));
  };
  Compression result = compress(plain, options);
  bar.erase();
  return result;
}

}  // namespace

int compress_command(const Arguments& arguments) {
  CompressFlags flags;
  CLI::App app(
      "Approximates a model by one with at most --budget support vectors. The small model predicts and can be "
      "exported, "
      "but cannot learn.",
      "kinglet compress");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  check(flags, app);
  const FlatModel plain = open_model(flags.model);
  StopOnSignal stop;
  std::optional<Tested> tested;
  if (!flags.data.data.empty()) tested = Tested{measure(flags, fixed_model(plain), stop), {}};
  const auto begin = std::chrono::steady_clock::now();
  Compression result = run(flags, plain, stop);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (result.stopped) return stopped_with_nothing_written();
  result.model.origin = result.beginning == "none"
                            ? plain.origin
                            : fmt::format("{}, compressed to {}", plain.origin, result.model.size());
  const Model model = fixed_model(result.model);
  if (tested) tested->after = measure(flags, model, stop);
  if (stop.requested()) return stopped_with_nothing_written();
  model.save(flags.output);
  if (flags.json) {
    print_json(result_json(flags, plain, result, model, tested, seconds));
  } else {
    print(result_text(flags, plain, result, model, tested, seconds));
  }
  return kSuccess;
}

}  // namespace kinglet::cli
