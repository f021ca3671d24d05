// The conflicts between options, with the reasons that users read.
#include "learn/option_conflicts.hpp"

#include <fmt/ranges.h>

#include "core/compose.hpp"
#include "core/kernel.hpp"
#include "learn/metric.hpp"

namespace kinglet {
namespace {

std::string budget_rule_names(bool (*wanted)(const BudgetRuleEntry& rule)) {
  std::vector<std::string> names;
  for (const BudgetRuleEntry* rule : budget_rule_entries()) {
    if (wanted(*rule)) names.push_back(rule->entry.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// For update rules that support only classification.
Message task_incompatibility(const UpdateRuleEntry& update, const std::string& task) {
  if (!update.classes_only || task == "classify") return {};
  std::vector<std::string> names;
  for (const UpdateRuleEntry* rule : update_rule_entries()) {
    if (!rule->classes_only) names.push_back(rule->entry.name);
  }
  return compose("{} supports only classification; for {} use another {}: {}", update.entry.name, option("task", task),
                 option("update"), fmt::join(names, ", "));
}

}  // namespace

Message output_incompatibility(const Options& options) {
  if (!options.has("output") || options.text("output") == "last") return {};
  const OptionMention average = option("output", "average");
  if (options.text("task") == "novelty")
    return compose("{} cannot be combined with {}", average, option("task", "novelty"));
  if (budget_rule_entry(options.text("maintain")).keeps_vectors) return {};
  return compose("{} needs a {} that never removes a vector: {}", average, option("budget-rule"),
                 budget_rule_names([](const BudgetRuleEntry& rule) { return rule.keeps_vectors; }));
}

// The weights of features are learned from gradients of radial kernels.
Message metric_incompatibility(const Options& options) {
  if (!learns_metric(options)) return {};
  const OptionMention learned = option("metric", "learned");
  if (!is_radial(options)) {
    return compose("{} needs the Gaussian or the Laplacian kernel: give {}, or {}", learned, option("kernel", "rbf"),
                   option("metric", "none"));
  }
  if (options.text("scale") == "unit") {
    return compose("{} cannot be combined with {}: weighted rows would not keep the length 1; give another {}", learned,
                   option("scale", "unit"), option("scale"));
  }
  if (options.has("maintain") && budget_rule_entry(options.text("maintain")).needs_fixed_metric) {
    return compose("{} cannot be combined with {}, which keeps the inverse of the kernel matrix: give another {}: {}",
                   learned, option("budget-rule", options.text("maintain")), option("budget-rule"),
                   budget_rule_names([](const BudgetRuleEntry& rule) { return !rule.needs_fixed_metric; }));
  }
  return {};
}

Message incompatibility(const SelectedParts& parts, const Options& full) {
  const auto ask = [&](Message (*part)(const Options&)) { return part == nullptr ? Message() : part(full); };
  Message reason = metric_incompatibility(full);
  if (!reason.empty()) return reason;
  if (parts.learner != nullptr) return ask(parts.learner->incompatibility);
  reason = task_incompatibility(*parts.update, parts.task);
  if (reason.empty()) reason = ask(parts.update->incompatibility);
  if (reason.empty()) reason = ask(parts.budget->incompatibility);
  if (reason.empty()) reason = output_incompatibility(full);
  return reason;
}

Message objection(const SelectedParts& parts, const Options& given, const Options& full) {
  if (parts.learner != nullptr) return {};
  Message reason = parts.update->objection == nullptr ? Message() : parts.update->objection(given, full);
  if (!reason.empty() || parts.budget->objection == nullptr) return reason;
  return parts.budget->objection(given, full);
}

}  // namespace kinglet
