// What the error says about an option that is not taken.
#include "learn/refused_option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/compose.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

bool takes(const Entry* entry, std::string_view option) { return find_spec(entry->options, option) != nullptr; }

// "a or b"
Message joined(std::span<const Message> parts, const char* between) {
  Message text;
  for (const Message& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

// The selected parts in whose place others would have the option: "--update pegasos", "the rbf kernel", "task regress".
Message parts_without(const ListedOption& listed, const SelectedParts& parts, const Options& given) {
  const OptionSpec& spec = listed.spec;
  std::vector<Message> names;
  const auto any_takes = [&](auto entries) {
    return std::any_of(entries.begin(), entries.end(), [&](const Entry* entry) { return takes(entry, spec.name); });
  };
  const bool is_size = spec.name == "budget" || spec.name == "memory";
  if (const auto failed =
          find_spec(common_options(), spec.name) == nullptr ? std::nullopt : failed_condition(parts, given, spec)) {
    names.emplace_back(*failed);
  } else if (parts.learner != nullptr && !is_of_kernels(listed)) {
    names.emplace_back(parts.algorithm->name);
  } else {
    if (any_takes(update_rules()) || any_takes(whole_learners()))
      names.emplace_back(option("update", parts.update->entry.name));
    if (any_takes(budget_rules()) || is_size) names.emplace_back(option("budget-rule", parts.budget->entry.name));
  }
  if (any_takes(kernels())) names.emplace_back("the " + parts.kernel->name + " kernel");
  return joined(names, " or ");
}

// "norma takes it"; an option of nearly all budget rules: "every budget rule except none takes it".
Message users_text(const ListedOption& listed) {
  const auto& users = listed.users;
  if (!listed.spec.only_with.name.empty()) return {listed.spec.only_with, " takes it"};
  std::vector<std::string> exceptions;  // budget rules that do not take it
  for (const Entry* rule : budget_rules()) {
    if (std::find(users.begin(), users.end(), rule->name) == users.end()) exceptions.push_back(rule->name);
  }
  if (exceptions.size() > 1) {
    return fmt::format("{} {} it", fmt::join(users, ", "), users.size() == 1 ? "takes" : "take");
  }
  std::vector<std::string> others;  // than budget rules
  for (const std::string& user : users) {
    if (find_entry(budget_rules(), user) == nullptr) others.push_back(user);
  }
  return fmt::format("every budget rule{}{} takes it{}{}", exceptions.empty() ? "" : " except ",
                     fmt::join(exceptions, ", "),
                     others.empty()       ? ""
                     : others.size() == 1 ? ", and so does "
                                          : ", and so do ",
                     fmt::join(others, ", "));
}

}  // namespace

void refuse_option(const std::string& name, const SelectedParts& parts, const Options& given) {
  std::vector<std::string> names;
  for (const ListedOption& listed : all_options()) {
    names.push_back(listed.spec.shown_name());
    if (listed.spec.name != name) continue;
    if (name == "metric") {
      throw Error(compose("{} is not an option of {}, whose features have no weights but those of the scaling",
                          listed.spec.mention(), parts.algorithm->name));
    }
    if (name == "update" || name == "maintain" || name == "output") {
      throw Error(compose("{} is not an option of {}, which has no update and budget rules", listed.spec.mention(),
                          parts.algorithm->name));
    }
    throw Error(compose("{} is not an option of {}; {}", listed.spec.mention(), parts_without(listed, parts, given),
                        users_text(listed)));
  }
  const std::string similar = nearest(name, names);
  throw Error(compose("unknown option {}{}", option(name),
                      similar.empty() ? Message() : compose(" (did you mean {}?)", option(similar))));
}

}  // namespace kinglet
