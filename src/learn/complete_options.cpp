// complete_options(): checks the options that a user gives, adds the defaults, and refuses what does not go together.
#include "kinglet/error.hpp"
#include "learn/fill_options.hpp"
#include "learn/option_conflicts.hpp"
#include "learn/refused_option.hpp"

namespace kinglet {
namespace {

// The metric of a learner that learns it by default wherever it can.
void settle_metric(const Options& given, Options& full) {
  if (given.has("metric")) return;
  full.set("metric", "learned");
  if (!metric_incompatibility(full).empty()) full.set("metric", "none");
}

Options completed(const Options& given, bool is_saved) {
  const Options keyed = with_keys(given);
  Options full;
  const SelectedParts parts = fill_options(keyed, full);
  for (const auto& [name, value] : keyed.all()) {
    const bool left_open = (name == "update" || name == "maintain") && value == "auto";
    if (!full.has(name) && !left_open) refuse_option(name, parts, keyed);
  }
  if (parts.learner != nullptr && parts.learner->prefers_metric) settle_metric(keyed, full);
  if (parts.learner != nullptr && parts.learner->settle != nullptr) parts.learner->settle(keyed, full);
  if (parts.update != nullptr && parts.update->settle != nullptr) parts.update->settle(keyed, full);
  if (parts.budget != nullptr && parts.budget->settle != nullptr) parts.budget->settle(keyed, full);
  // If only the preset asks for averaging and it is not possible, use the last function.
  if (!keyed.has("output") && !output_incompatibility(full).empty()) full.set("output", "last");
  Message reason = incompatibility(parts, full);
  if (reason.empty() && !is_saved) reason = objection(parts, keyed, full);
  if (!reason.empty()) throw Error(reason);
  if (parts.update != nullptr) parts.update->make(full);  // throws if the rule's options are inconsistent
  return full;
}

}  // namespace

Options complete_options(const Options& given) { return completed(given, false); }
Options complete_saved_options(const Options& saved) { return completed(saved, true); }

}  // namespace kinglet
