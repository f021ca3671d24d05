// What `train` reports when it is done.
#include "cli/train_result.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/describe.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "lab/peak_memory.hpp"

namespace kinglet::cli {
namespace {

double rate_of(const TrainingResult& training) {
  return training.seconds > 0 ? static_cast<double>(training.learned) / training.seconds : 0;
}

// A number as short as it can be told apart, other words as they are.
std::string brief(const std::string& value) {
  const Json number = Json::parse(value, nullptr, false);
  return number.is_number_float() ? fmt::format("{:.4g}", number.get<double>()) : value;
}

// Options that the data decided, and gamma in any case, by name.
Listing resolved_options(const Model& model) {
  Listing listing;
  for (const auto& [name, value] : model.options().all()) {
    if (name == "gamma" || model.asked().text(name) != value) listing.emplace_back(name, brief(value));
  }
  return listing;
}

}  // namespace

std::string result_text(const TrainFlags& flags, const Outcome& outcome, const Model& model) {
  const Facts facts = model.facts();
  const TrainingResult& training = outcome.training;
  Listing listing = {{"algorithm", algorithm_text(model.options())}};
  listing.emplace_back("examples", fmt::format("{} in {}, {}", count_text(model.progress().examples),
                                               seconds_text(training.seconds), rate_text(rate_of(training))));
  std::string baseline;
  if (training.majority_error) baseline = fmt::format("; majority class {}", fraction_text(*training.majority_error));
  listing.emplace_back("online error", fraction_text(model.progress().online_error()) + baseline);
  listing.emplace_back("support vectors", support_text(facts));
  listing.emplace_back("dimension", count_text(facts.dimension));
  listing.emplace_back("classes", labels_text(model.labels()));
  for (const auto& [name, value] : resolved_options(model)) listing.emplace_back(name, value);
  listing.emplace_back("memory", fmt::format("learner {}, process at most {}", bytes_text(facts.memory_bytes),
                                             bytes_text(peak_memory_bytes())));
  if (outcome.test) {
    listing.emplace_back(
        "test accuracy",
        fmt::format("{} on {}; majority class {}", fraction_text(outcome.test->accuracy()),
                    plural(outcome.test->examples, "example"), fraction_text(1 - outcome.test->majority_error())));
  }
  if (!flags.output.empty()) {
    std::error_code no_size;  // of a pipe, say
    const auto bytes = std::filesystem::file_size(flags.output, no_size);
    listing.emplace_back("model", no_size ? flags.output : fmt::format("{}, {}", flags.output, bytes_text(bytes)));
  }
  return "\n" + format_listing(listing);
}

Json result_json(const TrainFlags& flags, const Outcome& outcome, const Model& model) {
  const Facts facts = model.facts();
  const Options& options = model.options();
  Json json;
  add_parts(json, options);
  json["examples"] = model.progress().examples;
  json["passes"] = flags.passes;
  json["seconds"] = outcome.training.seconds;
  json["examples_per_second"] = rate_of(outcome.training);
  json["online_error"] = model.progress().online_error();
  if (outcome.training.majority_error) json["majority_error"] = *outcome.training.majority_error;
  json["support_vectors"] = facts.support_vectors;
  json["budget"] = budget_json(facts);
  json["dimension"] = facts.dimension;
  json["classes"] = facts.classes;
  json["gamma"] = options.has("gamma") && !options.is_auto("gamma") ? Json(options.real("gamma")) : Json(nullptr);
  json["memory_bytes"] = facts.memory_bytes;
  json["peak_rss_bytes"] = peak_memory_bytes();
  if (outcome.test) {
    json["test_accuracy"] = number_json(outcome.test->accuracy());
    json["test_examples"] = outcome.test->examples;
    json["test_majority_error"] = number_json(outcome.test->majority_error());
  }
  json["stopped"] = outcome.training.stopped;
  json["model"] = flags.output.empty() ? Json(nullptr) : Json(flags.output);
  json["options"] = options_json(options);
  return json;
}

}  // namespace kinglet::cli
