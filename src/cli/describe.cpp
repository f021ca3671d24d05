// The same words for the same things.
#include "cli/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/numbers.hpp"
#include "core/fail_at.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "model/model_access.hpp"

namespace kinglet::cli {

std::string algorithm_text(const Options& options) {
  const std::string name = algorithm_name(options);
  if (!has_rules(options)) return fmt::format("{} ({} kernel)", name, options.text("kernel"));
  const std::string rules = fmt::format("{} + {}", options.text("update"), options.text("maintain"));
  const std::string& kernel = options.text("kernel");
  return name == rules ? fmt::format("{} ({} kernel)", rules, kernel)
                       : fmt::format("{} ({}, {} kernel)", name, rules, kernel);
}

std::string labels_text(std::span<const std::string> labels) {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> shown;
  for (const std::string& label : labels.first(std::min(labels.size(), kShown))) shown.push_back(printable(label));
  const char* more = labels.size() > kShown ? ", …" : "";
  return fmt::format("{} ({}{})", count_text(labels.size()), fmt::join(shown, ", "), more);
}

std::string support_text(const LearnerStats& stats) {
  if (stats.budget == 0) return count_text(stats.support_vectors) + " (no budget)";
  return fmt::format("{} of {}", count_text(stats.support_vectors), count_text(stats.budget));
}

void add_kept(Listing& listing, const LearnerStats& stats) {
  if (stats.stored_examples == 0) return;
  listing.emplace_back("stored examples", count_text(stats.stored_examples));
  if (stats.kernel_evaluations > 0) listing.emplace_back("kernel evaluations", count_text(stats.kernel_evaluations));
}

void add_kept(Json& json, const LearnerStats& stats) {
  if (stats.stored_examples == 0) return;
  json["stored_examples"] = stats.stored_examples;
  json["kernel_evaluations"] = stats.kernel_evaluations > 0 ? Json(stats.kernel_evaluations) : Json(nullptr);
}

Json budget_json(const LearnerStats& stats) { return stats.budget > 0 ? Json(stats.budget) : Json(nullptr); }

void add_parts(Json& json, const Options& options) {
  json["algorithm"] = algorithm_name(options);
  for (const char* part : {"update", "maintain", "kernel", "task"}) {
    json[part] = options.has(part) ? Json(options.text(part)) : Json(nullptr);
  }
}

void add_unknown(Listing& listing, const std::string& name, const Evaluation& result) {
  constexpr std::size_t kShown = 10;
  std::uint64_t unknown = 0;
  std::vector<std::string> names;
  for (const auto& [label, count] : result.unknown) {
    unknown += count;
    if (names.size() < kShown) names.push_back(label);
  }
  if (unknown == 0) return;
  listing.emplace_back(name,
                       fmt::format("{} with labels that the model has never seen: {}{}", plural(unknown, "example"),
                                   fmt::join(names, ", "), result.unknown.size() > names.size() ? ", …" : ""));
}

Json unknown_json(const Evaluation& result) {
  Json json = Json::object();
  for (const auto& [label, count] : result.unknown) json[label] = count;
  return json;
}

std::string f1_text(const Evaluation& result) {
  const auto positive = result.positive();
  return positive ? "class " + result.labels[*positive] : "mean of the classes";
}

std::string auc_text(const Ranking& ranking) {
  if (ranking.is_dropped()) return fmt::format("left out: there are more than {} scores", count_text(ranking.most()));
  const double auc = ranking.auc();
  return std::isnan(auc) ? "–" : fraction_text(auc);
}

std::string error_name(TaskKind task) { return task == TaskKind::regress ? "RMSE" : "error"; }

std::string error_text(TaskKind task, double error) {
  if (std::isnan(error)) return "";
  return task == TaskKind::regress ? number_text(error) : fraction_text(error);
}

void add_online(Listing& listing, const Model& model, const std::string& baseline) {
  const Progress& progress = model.progress();
  if (model.task() == TaskKind::regress) {
    listing.emplace_back("online RMSE", number_text(progress.online_rmse()) + baseline);
    listing.emplace_back("online MAE", number_text(progress.online_mae()));
  } else if (model.stats().learns_at_end) {
    listing.emplace_back("online error", "none, it learns at the end of a pass" + baseline);
  } else {
    listing.emplace_back("online error", fraction_text(progress.online_error()) + baseline);
  }
}

void add_online(Json& json, const Model& model) {
  const Progress& progress = model.progress();
  if (model.task() == TaskKind::regress) {
    json["online_rmse"] = number_json(progress.online_rmse());
    json["online_mae"] = number_json(progress.online_mae());
  } else {
    json["online_error"] = model.stats().learns_at_end ? Json(nullptr) : Json(progress.online_error());
  }
}

std::uint64_t answered_examples(const Model& model) { return model.progress().examples - (open_query(model) ? 1 : 0); }

void add_labels(Listing& listing, const Model& model) {
  if (!model.asks_for_labels()) return;
  listing.emplace_back("labels used", fmt::format("{} of {}", count_text(model.progress().labels),
                                                  plural(answered_examples(model), "example")));
}

void add_classes(Listing& listing, const Model& model) {
  if (model.task() != TaskKind::regress) listing.emplace_back("classes", labels_text(model.labels()));
}

std::string feature_name(const Model& model, std::size_t feature) {
  const auto names = model.feature_names();
  return feature < names.size() ? printable(names[feature]) : fmt::format("feature {}", feature + 1);
}

}  // namespace kinglet::cli
