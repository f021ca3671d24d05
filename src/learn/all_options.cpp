// Every option of the registry once: the common ones, then those of rules, learners and kernels, and who takes each.
#include <algorithm>

#include "core/compose.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet {
namespace {

ListedOption first_of(const OptionSpec& spec) {
  return {.spec = spec, .help = spec.help, .ranges = spec.range(), .defaults = spec.default_value};
}

// Notes what differs in a part that has an option of the same name.
void add_user(ListedOption& listed, const std::string& user, const OptionSpec& own) {
  listed.users.push_back(user);
  if (own.own_meaning) listed.help += compose("; {}: {}", user, own.help);
  if (own.range() != listed.spec.range()) listed.ranges += "; " + user + ": " + own.range();
  if (own.default_value != listed.spec.default_value) listed.defaults += compose("; {}: {}", user, own.default_value);
}

// Presets and learners also replace defaults of options that others have.
void add_defaults_of_algorithms(ListedOption& listed) {
  for (const Algorithm& algorithm : algorithms()) {
    const auto add = [&](const std::string& value) {
      listed.defaults += compose("; {}: {}", option("algo", algorithm.name), value);
    };
    if (algorithm.settings.has(listed.spec.name)) add(algorithm.settings.text(listed.spec.name));
    for (const LearnerEntry* learner : learner_entries()) {
      const bool prefers = learner->entry.name == algorithm.learner && learner->prefers_metric;
      if (prefers && listed.spec.name == "metric") add("learned where possible");
    }
  }
}

std::vector<ListedOption> make_all_options() {
  std::vector<ListedOption> list;
  for (const OptionSpec& spec : common_options()) list.push_back(first_of(spec));
  for (ListedOption& listed : list) {  // those that are not for all
    const OptionSpec* spec = &listed.spec;
    while (spec != nullptr && !spec->only_with.name.empty()) {
      if (spec->only_with.name == "task") listed.task = spec->only_with.value;
      spec = find_spec(common_options(), spec->only_with.name);
    }
    if (listed.spec.name != "budget" && listed.spec.name != "memory") continue;
    for (const BudgetRuleEntry* rule : budget_rule_entries()) {
      if (rule->bounded) listed.users.push_back(rule->entry.name);
    }
    for (const LearnerEntry* learner : learner_entries()) {
      if (learner->bounded) listed.users.push_back(name_for_users(learner->entry));
    }
  }
  for (const auto entries : {update_rules(), budget_rules(), whole_learners(), kernels()}) {
    for (const Entry* entry : entries) {
      for (const OptionSpec& spec : entry->options) {
        auto known = std::find_if(list.begin(), list.end(), [&](const auto& l) { return l.spec.name == spec.name; });
        if (known == list.end()) known = list.insert(list.end(), first_of(spec));
        add_user(*known, name_for_users(*entry), spec);
      }
    }
  }
  std::ranges::for_each(list, add_defaults_of_algorithms);
  return list;
}

}  // namespace

std::span<const ListedOption> all_options() {
  static const auto list = make_all_options();
  return list;
}

}  // namespace kinglet
