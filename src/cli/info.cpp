// kinglet info: describes a model file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/describe.hpp"
#include "cli/help.hpp"
#include "cli/json.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/probabilities.hpp"
#include "cli/schema_text.hpp"
#include "cli/standings.hpp"
#include "cli/table.hpp"
#include "core/fail_at.hpp"
#include "kinglet/model.hpp"
#include "kinglet/registry.hpp"
#include "model/model_access.hpp"
#include "report/model_blocks.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kInfoExamples =
    "  kinglet info model.kinglet\n"
    "  kinglet info model.kinglet --json\n";

struct InfoFlags {
  std::string model;
  bool json = false;
};

std::string maintenance_text(const LearnerStats& stats) {
  std::string steps = plural(stats.maintenance, "step");
  if (std::isnan(stats.maintenance_loss)) return steps;
  return fmt::format("{}, mean loss {:.3g} % of the added term", steps, 100 * stats.maintenance_loss);
}

// The state of a model that can still learn.
void add_learning(Listing& listing, const Model& model) {
  const LearnerStats stats = model.stats();
  listing.emplace_back("algorithm", algorithm_text(model.options()));
  add_settled(listing, model);
  listing.emplace_back("trained on", fmt::format("{}, of which {} changed the model", plural(stats.examples, "example"),
                                                 count_text(stats.updates)));
  add_labels(listing, model);
  if (start_of(model)) listing.emplace_back("start", fmt::format("{:016x}", *start_of(model)));
  add_online(listing, model, "");
  add_reliability(listing, "online", model.online_reliability());
  listing.emplace_back("support vectors", support_text(stats));
  add_kept(listing, stats);
  listing.emplace_back("maintenance", maintenance_text(stats));
}

constexpr std::size_t kMostImportant = 10;

// The most important features, and the sum of the others.
std::string importances_text(const Model& model) {
  if (!model.has_feature_importances()) return {};
  const std::vector<double> importances = model.feature_importances();
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  Listing listing;
  double rest = 1;
  for (const std::size_t feature : report::most_important(importances, kMostImportant)) {
    rest -= importances[feature];
    listing.emplace_back("  " + feature_name(model, feature), percent(importances[feature]));
  }
  if (importances.size() > kMostImportant) {
    listing.emplace_back(fmt::format("  {} others", count_text(importances.size() - kMostImportant)),
                         percent(std::max(0.0, rest)));
  }
  return "\nfeature importances\n" + format_listing(listing);
}

std::string info_text(const std::string& path, const Model& model) {
  const LearnerStats stats = model.stats();
  Listing listing = {{"model", fmt::format("{}, {}", path, bytes_text(std::filesystem::file_size(path)))}};
  if (stats.only_predicts) {
    listing.emplace_back("made from", model.options().text("origin"));
    listing.emplace_back("learning", "no, the model only predicts");
    listing.emplace_back("support vectors", count_text(stats.support_vectors));
  } else {
    add_learning(listing, model);
  }
  const auto names = model.feature_names();
  listing.emplace_back("features", names.empty() ? count_text(stats.dimension) : labels_text(names));
  if (model.columns() && model.columns()->label)
    listing.emplace_back("label column", printable(*model.columns()->label));
  add_classes(listing, model);
  listing.emplace_back("memory", bytes_text(stats.memory_bytes));
  Listing options;
  for (const auto& [name, value] : model.options().all()) options.emplace_back("  " + shown_name(name), value);
  const std::string schema = schema_text(model.columns().get(), true);
  return format_listing(listing) + (schema.empty() ? "" : "\n" + schema) + standings_text(model) +
         importances_text(model) + "\noptions\n" + format_listing(options);
}

// The columns of the training data; null where there are none or they are not known.
void add_columns(Json& json, const Model& model) {
  const Columns* columns = model.columns().get();
  const auto names = model.feature_names();
  json["feature_names"] = names.empty() ? Json(nullptr) : Json(std::vector<std::string>(names.begin(), names.end()));
  json["label_column"] = columns != nullptr && columns->label ? Json(*columns->label) : Json(nullptr);
  json["weight_column"] = columns != nullptr && !columns->weight.empty() ? Json(columns->weight) : Json(nullptr);
}

Json info_json(const std::string& path, const Model& model) {
  const LearnerStats stats = model.stats();
  Json json;
  json["model"] = path;
  json["file_bytes"] = std::filesystem::file_size(path);
  add_parts(json, model.options());
  json["only_predicts"] = stats.only_predicts;
  if (stats.only_predicts) json["origin"] = model.options().text("origin");
  if (start_of(model)) json["start"] = fmt::format("{:016x}", *start_of(model));
  json["examples"] = model.progress().examples;
  if (model.asks_for_labels()) json["labels_learned"] = model.progress().labels;
  json["updates"] = stats.updates;
  add_online(json, model);
  add_reliability(json, "online", model.online_reliability());
  if (model.online_reliability().examples > 0) json["online_reliability"] = bins_json(model.online_reliability());
  json["support_vectors"] = stats.support_vectors;
  json["budget"] = budget_json(stats);
  add_kept(json, stats);
  json["maintenance"] = stats.maintenance;
  json["maintenance_loss"] = number_json(stats.maintenance_loss);
  json["dimension"] = stats.dimension;
  add_columns(json, model);
  json["columns"] = schema_json(model.columns().get());
  json["feature_importances"] = model.has_feature_importances() ? Json(model.feature_importances()) : Json(nullptr);
  json["classes"] = stats.classes;
  json["labels"] = std::vector<std::string>(model.labels().begin(), model.labels().end());
  json["memory_bytes"] = stats.memory_bytes;
  add_standings(json, model);
  json["passes_completed"] = position_of(model).pass;
  json["row"] = position_of(model).row;
  json["options"] = options_json(model.options());
  return json;
}

}  // namespace

int info_command(const Arguments& arguments) {
  InfoFlags flags;
  CLI::App app("Describes a model file: how it was trained, its size and its options.", "kinglet info");
  app.add_option("MODEL", flags.model, "model file of kinglet");
  app.add_flag("--json", flags.json, "print the description as JSON")->group(kMainSection);
  app.footer(kInfoExamples);
  if (!parse(app, arguments)) return kSuccess;
  require_argument(flags.model, app, "MODEL");
  const Model model = Model::load(flags.model);
  if (flags.json) {
    print_json(info_json(flags.model, model));
  } else {
    print(info_text(flags.model, model));
  }
  return kSuccess;
}

}  // namespace kinglet::cli
