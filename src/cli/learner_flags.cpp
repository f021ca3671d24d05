// The options of the learners as flags of train, compare and tune.
#include "cli/learner_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <CLI/CLI.hpp>
#include <optional>

#include "cli/flag_text.hpp"
#include "cli/help.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "lab/search_space.hpp"

namespace kinglet::cli {
namespace {

// In this order on the main page of the help, where they have one line each if possible: no range of numbers, no users.
constexpr std::array kMainOptions = {"algo", "task", "budget", "memory", "kernel", "gamma"};
constexpr std::array kQueryOptions = {"query", "query-budget", "query-window"};
constexpr std::size_t kMostListed = 10;  // names in a help text

bool is_any_of(std::string_view name, const auto& names) { return std::ranges::find(names, name) != names.end(); }

bool is_common(const std::string& name) {
  return std::ranges::any_of(common_options(), [&](const OptionSpec& spec) { return spec.name == name; });
}

const char* section_of(const ListedOption& option) {
  const std::string& name = option.spec.name;
  if (is_any_of(name, kMainOptions)) return kMainSection;
  if (name.starts_with("query")) return kQuerySection;
  if (name == "update" || name == "maintain") return kRulesSection;
  if (is_common(name)) return kLearnerSection;
  const auto is_user = [&](const Entry* kernel) { return is_any_of(kernel->name, option.users); };
  return std::ranges::any_of(kernels(), is_user) ? kKernelSection : kRulesSection;
}

const char* value_name(OptionKind kind) {
  switch (kind) {
    case OptionKind::real:
      return "X";
    case OptionKind::integer:
      return "N";
    case OptionKind::choice:
      return "NAME";
    case OptionKind::text:
      return "VALUE";
    case OptionKind::flag:
      return "";
  }
  return "";
}

std::string range_text(const ListedOption& option) {
  const OptionSpec& spec = option.spec;
  if (spec.kind == OptionKind::text || spec.kind == OptionKind::flag) return "";
  if (spec.kind != OptionKind::choice)
    return is_any_of(spec.name, kMainOptions) ? "" : fmt::format(" ({})", option.ranges);
  if (spec.choices.size() > kMostListed) return "; kinglet algorithms lists them";
  return fmt::format(" ({}{})", fmt::join(spec.choices, ", "), spec.may_be_auto ? ", auto" : "");
}

// "step size (> 0) [0.5]; for norma, mp"
std::string description(const ListedOption& option) {
  const OptionSpec& spec = option.spec;
  std::string text = flag_text(option.help) + range_text(option);
  const bool help_has_default = spec.name == "algo";  // it depends on other options
  if (!spec.default_value.empty() && spec.kind != OptionKind::flag && !help_has_default)
    text += fmt::format(" [{}]", flag_text(option.defaults));
  if (section_of(option) == kMainSection) return text;
  if (!spec.only_with.name.empty()) text += "; for " + flag_text(spec.only_with);
  if (!option.users.empty() && option.users.size() <= kMostListed) {
    text += fmt::format("; for {}", fmt::join(option.users, ", "));
  }
  return text;
}

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

bool same_value(const std::string& a, const std::string& b) {
  const auto number = as_number(a);
  return a == b || (number && number == as_number(b));
}

}  // namespace

void add_learner_flags(CLI::App& app, Options& given, const std::string& algorithm_help) {
  const auto all = all_options();
  std::vector<ListedOption> options(all.begin(), all.end());
  for (ListedOption& option : options) {
    if (option.spec.name == "algo" && !algorithm_help.empty()) option.help = algorithm_help;
  }
  const auto rank = [](const ListedOption& option) {
    return std::ranges::find(kMainOptions, option.spec.name) - kMainOptions.begin();
  };
  std::ranges::stable_sort(options, {}, rank);  // the others follow in their own order
  for (const ListedOption& option : options) {
    const std::string name = option.spec.name;
    std::string flag = flag_name(name);
    if (flag != "--" + name) flag += ",--" + name;  // both names work, and the help shows the first
    CLI::Option* added = nullptr;
    if (option.spec.kind == OptionKind::flag) {
      added = app.add_flag_function(
          flag, [&given, name](std::int64_t times) { given.set(name, times > 0 ? "true" : "false"); },
          description(option));
    } else {
      added = app.add_option_function<std::string>(
          flag, [&given, name](const std::string& value) { given.set(name, value); }, description(option));
      added->type_name(value_name(option.spec.kind));
    }
    added->group(section_of(option));
  }
}

std::string several_algorithms_help() {
  const auto searched = [](const char* task) { return algorithm_to_search({{"task", task}}); };
  return fmt::format(
      "comma-separated algorithms, budgeted (all that have a budget) or all; kinglet algorithms lists them "
      "[{}; regress: {}, novelty: {}]",
      searched("classify"), searched("regress"), searched("novelty"));
}

void hide_query_flags(CLI::App& app) {
  for (const char* name : kQueryOptions) app.get_option(flag_name(name))->group("");
}

void refuse_query_flags(const Options& given, std::string_view reason) {
  for (const char* name : kQueryOptions) {
    if (given.has(name)) throw Error(fmt::format("{} is an option of train only: {}", flag_name(name), reason));
  }
}

void require_same_options(const Options& given, const Options& kept, const std::string& model, std::string_view flag) {
  for (const auto& [name, value] : given.all()) {
    if (kept.has(name) && same_value(value, kept.text(name))) continue;
    const std::string option = flag_name(name);
    const std::string was = kept.has(name) ? fmt::format("with {} {}", option, kept.text(name)) : "without it";
    throw Error(fmt::format("{} {}: {} was trained {}; give the same options, or start a new run {}", option, value,
                            model, was, flag == "--resume" ? "with --restart" : fmt::format("without {}", flag)));
  }
}

}  // namespace kinglet::cli
