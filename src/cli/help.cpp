#include "cli/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <CLI/CLI.hpp>

#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kNameWidth = 21;
constexpr const char* kAll = "all";

struct Section {
  const char* name;
  const char* title;
};
constexpr Section kSections[] = {
    {kLearnerSection, "scaling, class weights, probabilities, output, seed"},
    {kRulesSection, "settings of update rules, budget rules and other learners"},
    {kKernelSection, "parameters of the kernels"},
    {kQuerySection, "active learning: learn from few labels"},
    {kDataSection, "file formats, columns and missing values"},
    {kRunSection, "how the command runs and what it prints"},
};

// The short name and the first long name; further long names are aliases, which the help does not show.
std::string option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  if (!option.get_snames().empty()) names.push_back("-" + option.get_snames().front());
  if (!option.get_lnames().empty()) names.push_back("--" + option.get_lnames().front());
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (option.get_items_expected_max() > 0 && !option.get_type_name().empty()) text += " " + option.get_type_name();
  return text;
}

// "  --name VALUE   description", wrapped; the description starts on the next line where the name is too long.
std::string help_line(const std::string& names, const std::string& description) {
  const std::string left = pad_right("  " + names, kNameWidth);
  const std::string gap = left.ends_with(' ') ? "" : "\n" + std::string(kNameWidth, ' ');
  return left + gap + wrap(description, kWidth - kNameWidth, kNameWidth) + "\n";
}

std::string options_of(const CLI::App& app, std::string_view section) {
  std::string lines;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() != section || option->get_positional()) continue;
    lines += help_line(option_names(*option), option->get_description());
  }
  return lines;
}

std::string with_title(const std::string& title, const std::string& lines) {
  return lines.empty() ? "" : fmt::format("\n{}:\n{}", capital(title), lines);
}

std::vector<Section> sections_of(const CLI::App& app) {
  std::vector<Section> sections;
  for (const Section& section : kSections) {
    if (!options_of(app, section.name).empty()) sections.push_back(section);
  }
  return sections;
}

std::string usage(const CLI::App& app) {
  std::string line = fmt::format("usage: {}", app.get_name());
  std::string arguments;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true, false);
    const std::string shown = name + (option->get_items_expected_max() > 1 ? "…" : "");
    const bool may_be_absent = option->get_items_expected_min() == 0 || option->get_type_name() == kOptionalArgument;
    line += may_be_absent ? " [" + shown + "]" : " " + shown;
    arguments += help_line(name, option->get_description());
  }
  return line + " [options]\n\n" + wrap(app.get_description(), kWidth, 0) + "\n" +
         (arguments.empty() ? "" : "\n" + arguments);
}

std::string list_of_sections(const CLI::App& app) {
  std::string lines;
  for (const Section& section : sections_of(app)) lines += help_line(section.name, section.title);
  if (lines.empty()) return "";
  return fmt::format("\nMore options, by section: {} --help SECTION\n", app.get_name()) + lines +
         help_line(kAll, "every option");
}

}  // namespace

std::optional<std::string> requested_help(const Arguments& arguments) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i].starts_with("--help=")) return arguments[i].substr(arguments[i].find('=') + 1);
    if (arguments[i] != "--help" && arguments[i] != "-h") continue;
    const bool is_followed = i + 1 < arguments.size() && !arguments[i + 1].starts_with("-");
    return is_followed ? arguments[i + 1] : "";
  }
  return std::nullopt;
}

std::string help_text(const CLI::App& app, const std::string& wanted) {
  const std::string main = with_title("options", options_of(app, kMainSection));
  const std::string examples = "\nExamples:\n" + app.get_footer();
  if (wanted.empty()) return usage(app) + main + list_of_sections(app) + examples;
  std::vector<std::string> names;
  std::string all;
  for (const Section& section : sections_of(app)) {
    const std::string text = with_title(section.title, options_of(app, section.name));
    if (wanted == section.name) return fmt::format("usage: {} … [options]\n", app.get_name()) + text;
    names.emplace_back(section.name);
    all += text;
  }
  if (wanted == kAll) return usage(app) + main + all + examples;
  names.emplace_back(kAll);
  const std::string hint = suggestion(wanted, names);
  throw Error(fmt::format("the help of {} has no section '{}'{}", app.get_name(), wanted,
                          hint.empty() ? fmt::format(": give {}", fmt::join(names, ", ")) : hint));
}

}  // namespace kinglet::cli
