// What complete options say about the learner that they choose: its name, whether it has rules, what a full budget
// means, how many passes suit it, and advice.
#include <fmt/format.h>

#include "kinglet/error.hpp"
#include "learn/fixed_learner.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet {

bool has_rules(const Options& complete) { return complete.has("update") && learner_entry(complete) == nullptr; }

std::string algorithm_name(const Options& complete) {
  if (!has_rules(complete)) return complete.text("algo");
  const std::string& update = complete.text("update");
  const std::string& maintain = complete.text("maintain");
  std::string name;
  for (const Algorithm& each : algorithms()) {
    if (each.update != update || each.maintain != maintain) continue;
    if (each.name == complete.text("algo")) return each.name;
    if (name.empty()) name = each.name;
  }
  return name.empty() ? fmt::format("{} + {}", update, maintain) : name;
}

bool budget_is_limit(const Options& complete) {
  if (!has_rules(complete)) return false;
  const BudgetRuleEntry& rule = budget_rule_entry(complete.text("maintain"));
  const bool drops_new = rule.bounded && rule.fills_budget && rule.keeps_vectors;
  return rule.sizes_itself || (drops_new && update_rule_entry(complete.text("update")).samples);
}

bool keeps_examples(const Options& complete) {
  if (is_fixed(complete)) return false;
  const LearnerEntry* learner = learner_entry(complete);
  return learner != nullptr && learner->keeps_examples;
}

bool adds_up(const Options& complete) {
  if (is_fixed(complete)) return false;
  const LearnerEntry* learner = learner_entry(complete);
  return learner != nullptr && learner->adds_up;
}

std::string default_start_algorithm(const std::string& task) {
  for (const LearnerEntry* learner : learner_entries()) {
    if (!learner->adds_up) continue;
    const std::string& name = algorithm_of(learner->entry)->name;
    try {
      complete_options({{"algo", name}, {"task", task}});
      return name;
    } catch (const Error&) {
      continue;  // it does not learn this task
    }
  }
  return complete_options({{"task", task}}).text("algo");
}

std::uint64_t default_passes(const Options& complete, std::uint64_t rows) {
  constexpr std::uint64_t kEnough = 50'000;  // examples
  constexpr std::uint64_t kMost = 20;
  if (keeps_examples(complete) || rows >= kEnough) return 1;
  return rows * kMost <= kEnough ? kMost : (kEnough + rows - 1) / rows;
}

std::string why_only_predicting(const Options& complete) {
  if (is_fixed(complete)) return why_fixed(complete);
  const LearnerEntry* learner = learner_entry(complete);
  return learner == nullptr || learner->unavailable == nullptr ? "" : learner->unavailable();
}

std::vector<Message> advice(const Options& complete) {
  const LearnerEntry* learner = learner_entry(complete);
  const auto own = learner == nullptr ? update_rule_entry(complete.text("update")).advice : learner->advice;
  Message text = own == nullptr ? Message() : own(complete);
  return text.empty() ? std::vector<Message>{} : std::vector{std::move(text)};
}

}  // namespace kinglet
