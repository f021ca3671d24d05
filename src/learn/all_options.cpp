// Every option of the registry once: the common ones, then those of rules, learners and kernels, and who takes each.
#include <algorithm>

#include "learn/registry_entries.hpp"

namespace kinglet {
namespace {

std::vector<ListedOption> make_all_options() {
  std::vector<ListedOption> list;
  for (const OptionSpec& spec : common_options()) list.push_back({spec, {}, {}});
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
      if (learner->bounded) listed.users.push_back(learner->entry.name);
    }
  }
  for (const auto entries : {update_rules(), budget_rules(), whole_learners(), kernels()}) {
    for (const Entry* entry : entries) {
      for (const OptionSpec& spec : entry->options) {
        auto known = std::find_if(list.begin(), list.end(), [&](const auto& l) { return l.spec.name == spec.name; });
        if (known == list.end()) known = list.insert(list.end(), {spec, {}, {}});
        known->users.push_back(entry->name);
      }
    }
  }
  return list;
}

}  // namespace

std::span<const ListedOption> all_options() {
  static const auto list = make_all_options();
  return list;
}

}  // namespace kinglet
