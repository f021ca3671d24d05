// kinglet mix: combines models that were trained separately.
#include "kinglet/mix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <filesystem>

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
#include "kinglet/error.hpp"
#include "model/model_access.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kMostMixed = 1'000'000;

constexpr const char* kMixExamples =
    "  kinglet mix 1.kinglet 2.kinglet 3.kinglet -o all.kinglet\n"
    "  kinglet mix parts/*.kinglet --budget 500 -o all.kinglet\n";

struct MixFlags {
  std::vector<std::string> models;
  std::string output;
  std::uint64_t budget = 0;
  std::uint64_t rounds = 0;
  std::uint64_t threads = 0;
  bool quiet = false;
  bool json = false;
};

void declare(CLI::App& app, MixFlags& flags) {
  const std::string group = kMainSection;
  app.add_option("MODELS", flags.models, "model files, two or more");
  app.add_option("-o,--output", flags.output, "write the mixture to this file")->type_name("FILE")->group(group);
  add_count(app, "--budget", flags.budget, {1, kMostMixed},
            "when averaging: maximum number of support vectors [the largest budget of the models]")
      ->group(group);
  add_count(
      app, "--rounds", flags.rounds, {0, 100'000},
      fmt::format("when averaging, rbf kernel: maximum number of rounds that move the vectors [{}]", kDefaultRounds))
      ->group(group);
  app.add_flag("--json", flags.json, "print the result as JSON")->group(group);
  add_threads_flag(app, flags.threads);
  app.add_flag("-q,--quiet", flags.quiet, "print only the result and errors")->group(kRunSection);
  app.footer(kMixExamples);
}

void check(const MixFlags& flags, const CLI::App& app) {
  if (flags.models.empty()) require_argument("", app, "MODELS");
  if (flags.models.size() == 1) throw Error("one model is no mixture: give two or more");
  require_argument(flags.output, app, "-o FILE");
  if (flags.output == "-") throw Error("-o -: a model cannot go to standard output; give a file name");
  require_writable(flags.output);
  for (const std::string& model : flags.models) require_no_input(flags.output, {model});
}

std::string kind_text(const Mixture& mixture) {
  if (mixture.is_sum) return "sum of what they have learned from their shared start; it can go on learning";
  std::string text = "average of their functions; it only predicts";
  if (mixture.vectors_before <= mixture.model.stats().support_vectors) return text;
  return fmt::format(
      "{}; reduced from {} support vectors, distance {}", text, count_text(mixture.vectors_before),
      mixture.norm > 0 ? fraction_text(mixture.distance / mixture.norm) + " of ‖f‖" : number_text(mixture.distance));
}

std::string result_text(const MixFlags& flags, const Mixture& mixture) {
  Listing listing = {{"models", count_text(flags.models.size())}, {"mixture", kind_text(mixture)}};
  listing.emplace_back("trained on", plural(mixture.model.progress().examples, "example"));
  listing.emplace_back("support vectors", count_text(mixture.model.stats().support_vectors));
  listing.emplace_back("written",
                       fmt::format("{}, {}", flags.output, bytes_text(std::filesystem::file_size(flags.output))));
  return format_listing(listing);
}

Json result_json(const MixFlags& flags, const Mixture& mixture) {
  Json json;
  json["model"] = flags.output;
  json["models"] = flags.models.size();
  json["kind"] = mixture.is_sum ? "sum" : "average";
  json["examples"] = mixture.model.progress().examples;
  json["support_vectors"] = mixture.model.stats().support_vectors;
  if (!mixture.is_sum) {
    json["support_vectors_before"] = mixture.vectors_before;
    json["norm"] = mixture.norm;
    json["distance"] = mixture.distance;
  }
  json["file_bytes"] = std::filesystem::file_size(flags.output);
  return json;
}

}  // namespace

int mix_command(const Arguments& arguments) {
  MixFlags flags;
  CLI::App app(
      "Combines models that were trained separately. Models of --algo span that were trained from one start (kinglet "
      "span) add up; others are averaged as functions, and the average is reduced to a budget.",
      "kinglet mix");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  check(flags, app);
  StopOnSignal stop;
  std::vector<Model> models;
  for (const std::string& path : flags.models) {
    models.push_back(Model::load(path));
    if (stop.requested()) return stopped_with_nothing_written();
  }
  std::vector<const Model*> pointers(models.size());
  std::ranges::transform(models, pointers.begin(), [](const Model& model) { return &model; });
  ProgressBar bar(!flags.quiet && !flags.json);
  MixOptions options{.budget = static_cast<std::size_t>(flags.budget),
                     .threads = static_cast<unsigned>(flags.threads),
                     .names = flags.models};
  if (app.count("--rounds") > 0) options.rounds = static_cast<std::size_t>(flags.rounds);
  options.stopped = [&] { return stop.requested(); };
  options.progress = [&](const std::string& what, double share) {
    if (bar.due()) bar.draw(fmt::format("{} {}", what, done_text(share)));
  };
  const Mixture mixture = mix(pointers, options);
  bar.erase();
  if (mixture.stopped || stop.requested()) return stopped_with_nothing_written();
  mixture.model.save(flags.output);
  if (flags.json) {
    print_json(result_json(flags, mixture));
  } else {
    print(result_text(flags, mixture));
  }
  return kSuccess;
}

}  // namespace kinglet::cli
