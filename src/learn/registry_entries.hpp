// Internal view of the registry: entries with the functions that build a rule. kinglet/registry.hpp is the public part.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "budget/budget_rule.hpp"
#include "core/learner_entry.hpp"
#include "rules/update_rule.hpp"

namespace kinglet {

std::span<const BudgetRuleEntry* const> budget_rule_entries();
std::span<const LearnerEntry* const> learner_entries();

// Finds an entry by the name in complete options; an unknown name is a bug. Update rules: rules/update_rule.hpp.
const BudgetRuleEntry& budget_rule_entry(std::string_view name);
// The whole learner that complete options select; null if they select an update rule and a budget rule.
const LearnerEntry* learner_entry(const Options& options);

// The algorithm that is this whole learner, the one of the same name first; null if the entry is no whole learner.
const Algorithm* algorithm_of(const Entry& entry);
// The name by which users choose an entry: for a whole learner, that of its algorithm.
const std::string& name_for_users(const Entry& entry);

// An entry or an option of a list by its name; null if there is none.
const Entry* find_entry(std::span<const Entry* const> entries, std::string_view name);
const OptionSpec* find_spec(std::span<const OptionSpec> specs, std::string_view name);

// Why complete options cannot have the option `metric` = learned; empty if they can, or do not have it.
Message metric_incompatibility(const Options& options);
// Whether complete options select an update rule and a budget rule: not a whole learner, nor a model that only
// predicts.
bool has_rules(const Options& complete);
// Whether the rules of complete options decide by themselves how many support vectors there are, so that a full budget
// takes away from what they would keep.
bool budget_is_limit(const Options& complete);
// Why a model with these complete options predicts but does not learn in this program; empty: it learns.
std::string why_only_predicting(const Options& complete);
// complete_options() for the options of a saved model: also those with which no new model may be made.
Options complete_saved_options(const Options& saved);

}  // namespace kinglet
