// Compares a result with that of a constant prediction: the most frequent class, or in regression the mean. A result
// that is no better is said out loud.
#pragma once

#include <optional>
#include <string>

#include "cli/json.hpp"
#include "kinglet/model.hpp"
#include "lab/metrics.hpp"
#include "lab/training.hpp"

namespace kinglet::cli {

struct AgainstBaseline {
  TaskKind task = TaskKind::classify;
  double error = 0;  // the share of mistakes, or the RMSE
  double baseline = 0;

  bool is_better() const { return error < baseline; }
};

// Nullopt where there is nothing to compare: in novelty detection, without labels, or if all labels are equal.
std::optional<AgainstBaseline> online_against_baseline(const Model& model, const TrainingResult& training);
std::optional<AgainstBaseline> against_baseline(const Evaluation& result);

// "the test error 0.51 is no better than …", and what to do; `when` is "online ", "test " or empty.
std::string baseline_note(const AgainstBaseline& compared, const std::string& when, const Model& model);
// True, false, or null where there is nothing to compare.
Json beats_baseline_json(const std::optional<AgainstBaseline>& compared);

}  // namespace kinglet::cli
