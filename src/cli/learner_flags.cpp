// The learner's options as flags of `train`.
#include "cli/learner_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <CLI/CLI.hpp>
#include <optional>

#include "cli/flag_text.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kGroup = "Learner";

const char* value_name(OptionKind kind) {
  switch (kind) {
    case OptionKind::real:
      return "X";
    case OptionKind::integer:
      return "N";
    case OptionKind::choice:
      return "NAME";
    case OptionKind::text:
      return "TEXT";
    case OptionKind::flag:
      return "";
  }
  return "";
}

// "step size (> 0) [0.5]; for norma, mp"
std::string description(const ListedOption& option) {
  const OptionSpec& spec = option.spec;
  std::string text = flag_text(spec.help);
  if (spec.kind != OptionKind::text && spec.kind != OptionKind::flag) text += fmt::format(" ({})", spec.range());
  if (!spec.default_value.empty()) text += fmt::format(" [{}]", spec.default_value);
  if (!spec.only_with.name.empty()) text += "; for " + flag_text(spec.only_with);
  if (!option.users.empty()) text += fmt::format("; for {}", fmt::join(option.users, ", "));
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

void add_learner_flags(CLI::App& app, Options& given) {
  for (const ListedOption& option : all_options()) {
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
    added->group(kGroup);
  }
}

void require_same_options(const Options& given, const Options& kept, const std::string& checkpoint) {
  for (const auto& [name, value] : given.all()) {
    if (kept.has(name) && same_value(value, kept.text(name))) continue;
    const std::string flag = flag_name(name);
    const std::string was = kept.has(name) ? fmt::format("with {} {}", flag, kept.text(name)) : "without it";
    throw Error(fmt::format("{} {}: {} was trained {}; give the same options or start anew without --resume", flag,
                            value, checkpoint, was));
  }
}

}  // namespace kinglet::cli
