// The parts that the options a user gives select: an update rule and a budget rule, or a whole learner, and a kernel.
// They decide which options there are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "learn/registry_entries.hpp"

namespace kinglet {

struct SelectedParts {
  const Algorithm* algorithm = nullptr;
  const UpdateRuleEntry* update = nullptr;
  const BudgetRuleEntry* budget = nullptr;
  const LearnerEntry* learner = nullptr;
  const Entry* kernel = nullptr;
  std::string task{};

  bool bounded() const { return learner != nullptr ? learner->bounded : budget->bounded; }
  std::vector<const Entry*> entries() const {
    if (learner != nullptr) return {&learner->entry, kernel};
    return {&update->entry, &budget->entry, kernel};
  }
};

// Chooses the parts for the options `given` and sets in `full` what selects them: algo, update, maintain, kernel, task.
SelectedParts select_parts(const Options& given, Options& full);

// Throws Error for a value that the option does not allow.
void check_value(const OptionSpec& spec, std::string_view value);

// The value given by the user, or the default of the algorithm, or else that of the option.
const std::string& given_or_default(const OptionSpec& spec, const Options& given, const Algorithm* algorithm);

// The setting that makes an option meaningless, such as "task regress" for an option of classification. Empty if there
// is none. The option that `only_with` names must be a common one.
std::optional<OptionMention> failed_condition(const SelectedParts& parts, const Options& given, const OptionSpec& spec);
// Whether only kernels have the option.
bool is_of_kernels(const ListedOption& listed);
// Whether a common option applies to these parts.
bool applies(const SelectedParts& parts, const Options& given, const OptionSpec& spec);

}  // namespace kinglet
