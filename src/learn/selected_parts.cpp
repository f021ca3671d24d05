// Which parts options select, and which common options apply to them.
#include "learn/selected_parts.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// The algorithm if none is given. An update rule and a budget rule that are both given are an algorithm; then it does
// not matter which preset they replace the rules of.
std::string default_algorithm(const OptionSpec& spec, const Options& given) {
  for (const Algorithm& algorithm : algorithms()) {
    const auto& conditions = algorithm.default_for.all();
    const auto holds = [&](const auto& item) { return given.has(item.first) && given.text(item.first) == item.second; };
    if (!conditions.empty() && std::ranges::all_of(conditions, holds)) return algorithm.name;
  }
  const auto is_chosen = [&](const char* rule) { return given.has(rule) && given.text(rule) != "auto"; };
  return is_chosen("update") && is_chosen("maintain") ? "bpegasos" : spec.default_value;
}

// The value that an option has or will have; empty if these parts do not have it.
std::string value_in(const SelectedParts& parts, const Options& given, std::string_view name) {
  const auto value = [&](const OptionSpec& spec) { return given_or_default(spec, given, parts.algorithm); };
  if (name == "task") return parts.task;
  if (const OptionSpec* common = find_spec(common_options(), name)) {
    return failed_condition(parts, given, *common) ? "" : value(*common);
  }
  for (const Entry* entry : parts.entries()) {
    if (const OptionSpec* own = find_spec(entry->options, name)) return value(*own);
  }
  return {};
}

}  // namespace

void check_value(const OptionSpec& spec, std::string_view value) {
  Message problem = spec.problem(value);
  if (problem.empty()) return;
  if (spec.kind == OptionKind::choice) {
    constexpr std::size_t kMostNamed = 12;
    const std::string hint = suggestion(value, spec.choices, "");
    if (spec.choices.size() > kMostNamed) {
      throw Error(compose("unknown value '{}' for {}{}", value, spec.mention(),
                          hint.empty() ? compose("; {} lists them", function("algorithms")) : hint));
    }
    problem += hint;
  }
  throw Error(problem);
}

const std::string& given_or_default(const OptionSpec& spec, const Options& given, const Algorithm* algorithm) {
  if (given.has(spec.name)) return given.text(spec.name);
  const bool is_set = algorithm != nullptr && algorithm->settings.has(spec.name);
  return is_set ? algorithm->settings.text(spec.name) : spec.default_value;
}

SelectedParts select_parts(const Options& given, Options& full) {
  const Algorithm* algorithm = nullptr;
  for (const char* name : {"algo", "update", "maintain", "kernel", "task"}) {
    const OptionSpec& spec = *find_spec(common_options(), name);
    std::string value = given_or_default(spec, given, algorithm);
    if (algorithm == nullptr && !given.has("algo")) value = default_algorithm(spec, given);
    check_value(spec, value);
    full.set(name, value);
    if (algorithm == nullptr) algorithm = &*std::ranges::find(algorithms(), value, &Algorithm::name);
  }
  SelectedParts parts{.algorithm = algorithm};
  parts.kernel = find_entry(kernels(), full.text("kernel"));
  parts.task = full.text("task");
  parts.learner = learner_entry(full);
  if (parts.learner != nullptr) {
    for (const char* rule : {"update", "maintain"}) {
      if (!parts.learner->passes_on || full.is_auto(rule)) full.unset(rule);
    }
    return parts;
  }
  if (full.is_auto("update")) full.set("update", algorithm->update);
  if (full.is_auto("maintain")) full.set("maintain", algorithm->maintain);
  parts.update = &update_rule_entry(full.text("update"));
  parts.budget = &budget_rule_entry(full.text("maintain"));
  return parts;
}

std::optional<OptionMention> failed_condition(const SelectedParts& parts, const Options& given,
                                              const OptionSpec& spec) {
  if (!spec.only_with.name.empty()) {
    const OptionSpec* condition = find_spec(common_options(), spec.only_with.name);
    KINGLET_ASSERT(condition != nullptr);
    const std::string value = value_in(parts, given, spec.only_with.name);
    if (value.empty()) return failed_condition(parts, given, *condition);
    if (value != spec.only_with.value) return option(spec.only_with.name, value);
  }
  if (!spec.not_with.name.empty() && value_in(parts, given, spec.not_with.name) == spec.not_with.value) {
    return spec.not_with;
  }
  return std::nullopt;
}

bool is_of_kernels(const ListedOption& listed) {
  const auto is_kernel = [](const std::string& user) { return find_entry(kernels(), user) != nullptr; };
  return !listed.users.empty() && std::ranges::all_of(listed.users, is_kernel);
}

bool applies(const SelectedParts& parts, const Options& given, const OptionSpec& spec) {
  if (spec.name == "budget" || spec.name == "memory") return parts.bounded();
  if (spec.name == "update" || spec.name == "maintain") return parts.learner == nullptr;
  if (spec.name == "output") return parts.learner == nullptr || (parts.learner->passes_on && given.has(spec.name));
  if (spec.name == "epsilon" && parts.learner != nullptr && parts.learner->squared_loss) return false;
  if (spec.name == "metric") return parts.learner == nullptr || parts.learner->learns_metric;
  return !failed_condition(parts, given, spec);
}

}  // namespace kinglet
