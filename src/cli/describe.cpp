// The same words for the same things.
#include "cli/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/numbers.hpp"

namespace kinglet::cli {

std::string algorithm_text(const Options& options) {
  return fmt::format("{} ({} + {}, {} kernel)", options.text("algo"), options.text("update"), options.text("maintain"),
                     options.text("kernel"));
}

std::string labels_text(std::span<const std::string> labels) {
  constexpr std::size_t kShown = 8;
  const auto shown = labels.first(std::min(labels.size(), kShown));
  const char* more = labels.size() > kShown ? ", …" : "";
  return fmt::format("{} ({}{})", count_text(labels.size()), fmt::join(shown, ", "), more);
}

std::string support_text(const Facts& facts) {
  if (facts.budget == 0) return count_text(facts.support_vectors) + " (no budget)";
  return fmt::format("{} of {}", count_text(facts.support_vectors), count_text(facts.budget));
}

Json budget_json(const Facts& facts) { return facts.budget > 0 ? Json(facts.budget) : Json(nullptr); }

void add_parts(Json& json, const Options& options) {
  json["algorithm"] = options.text("algo");
  for (const char* part : {"update", "maintain", "kernel", "task"}) json[part] = options.text(part);
}

std::string error_name(TaskKind task) { return task == TaskKind::regress ? "RMSE" : "error"; }

std::string error_text(TaskKind task, double error) {
  return task == TaskKind::regress ? number_text(error) : fraction_text(error);
}

void add_online(Listing& listing, const Model& model, const std::string& baseline) {
  const Progress& progress = model.progress();
  if (model.task() == TaskKind::regress) {
    listing.emplace_back("online RMSE", number_text(progress.online_rmse()) + baseline);
    listing.emplace_back("online MAE", number_text(progress.online_mae()));
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
    json["online_error"] = progress.online_error();
  }
}

void add_classes(Listing& listing, const Model& model) {
  if (model.task() != TaskKind::regress) listing.emplace_back("classes", labels_text(model.labels()));
}

}  // namespace kinglet::cli
