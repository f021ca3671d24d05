#include "cli/baseline.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/describe.hpp"

namespace kinglet::cli {
namespace {

std::optional<AgainstBaseline> compared(TaskKind task, double error, double baseline) {
  const bool comparable = task != TaskKind::novelty && std::isfinite(error) && baseline > 0;  // false for NaN
  return comparable ? std::optional(AgainstBaseline{task, error, baseline}) : std::nullopt;
}

}  // namespace

std::optional<AgainstBaseline> online_against_baseline(const Model& model, const TrainingResult& training) {
  const Progress& progress = model.progress();
  if (progress.judged() == 0 || model.stats().learns_at_end) return std::nullopt;
  if (model.task() == TaskKind::regress) {
    return compared(TaskKind::regress, progress.online_rmse(), training.baseline_rmse.value_or(0));
  }
  return compared(model.task(), progress.online_error(), training.majority_error.value_or(0));
}

std::optional<AgainstBaseline> against_baseline(const Evaluation& result) {
  if (result.task == TaskKind::regress) return compared(result.task, result.rmse(), result.baseline_rmse());
  return compared(result.task, 1 - result.accuracy(), result.majority_error());
}

// A committee has tried several learners and kernel widths already, so that tune would not find much.
std::string baseline_note(const AgainstBaseline& compared, const std::string& when, const Model& model) {
  const bool is_committee = !model.standings().members.empty();
  return fmt::format("the {}{} {} is no better than that of predicting the {}, {}: {}", when, error_name(compared.task),
                     error_text(compared.task, compared.error),
                     compared.task == TaskKind::regress ? "mean" : "most frequent class",
                     error_text(compared.task, compared.baseline),
                     is_committee ? "check that the label column is right and that the features can tell the label"
                                  : "kinglet tune looks for better options");
}

Json beats_baseline_json(const std::optional<AgainstBaseline>& compared) {
  return compared ? Json(compared->is_better()) : Json(nullptr);
}

}  // namespace kinglet::cli
