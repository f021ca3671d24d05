// Parsing of a subcommand's arguments.
#include "cli/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <CLI/CLI.hpp>

#include "cli/help.hpp"
#include "cli/output.hpp"
#include "core/suggestion.hpp"
#include "data/generator.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

// `given` are all arguments; those after a -- are no options.
[[noreturn]] void refuse_extra(const CLI::App& app, const Arguments& extra, const Arguments& given) {
  const auto end_of_options = std::ranges::find(given, "--");
  const auto is_option = [&](const std::string& word) {
    return word.starts_with("-") && std::find(given.begin(), end_of_options, word) != end_of_options;
  };
  const auto option = std::ranges::find_if(extra, is_option);
  if (option == extra.end())
    throw Error(fmt::format("unexpected argument '{}' (see {} --help)", extra[0], app.get_name()));
  std::vector<std::string> known;
  for (const CLI::Option* each : app.get_options()) {
    known.insert(known.end(), each->get_lnames().begin(), each->get_lnames().end());
  }
  const std::string name = option->substr(0, option->find('='));
  const std::string hint = suggestion(name.substr(std::min(name.find_first_not_of('-'), name.size())), known, "--");
  throw Error(
      fmt::format("unknown option {}{}", name, hint.empty() ? fmt::format(" (see {} --help)", app.get_name()) : hint));
}

// As users know it: by its short name, if it has one.
std::string spelled(const CLI::Option& option) {
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  return option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
}

// An option without its value, or a flag with one. `what` begins with its name.
[[noreturn]] void refuse_mismatch(const CLI::App& app, const std::string& what) {
  std::string name = what.substr(0, what.find_first_of(": "));
  if (!name.starts_with("-")) name.insert(0, name.size() == 1 ? "-" : "--");
  if (const CLI::Option* option = app.get_option_no_throw(name); option != nullptr) name = spelled(*option);
  const bool is_flag = what.find("override") != std::string::npos;
  throw Error(fmt::format("{} {} (see {} --help)", name, is_flag ? "takes no value" : "needs a value", app.get_name()));
}

void refuse_repeated(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() != 1 || option->count() < 2) continue;
    throw Error(fmt::format("{} is given {} times; it takes one value", spelled(*option), option->count()));
  }
}

// An unset shell variable makes an empty file name, which must not pass for an option that was not given.
void refuse_no_name(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string kind = option->get_type_name();
    if (kind != "FILE" && kind != "MODEL" && kind != "DIR") continue;
    for (const std::string& name : option->results()) {
      if (name.empty())
        throw Error(fmt::format("{} needs a {} name", spelled(*option), kind == "DIR" ? "folder" : "file"));
    }
  }
}

}  // namespace

bool parse(CLI::App& app, const Arguments& arguments) {
  app.set_help_flag("-h,--help", "show this page")->group(kMainSection);
  if (const auto section = requested_help(arguments)) {
    print(help_text(app, *section));
    return false;
  }
  app.allow_extras();
  for (CLI::Option* option : app.get_options({})) {
    if (option->get_items_expected_max() == 0) option->disable_flag_override();
    if (option->get_items_expected_max() == 1) option->take_last();  // refuse_repeated() has the better message
  }
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {  // among short flags written together, as in -qh
    print(help_text(app, ""));
    return false;
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_mismatch(app, error.what());
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{} (see {} --help)", error.what(), app.get_name()));
  }
  Arguments extra = app.remaining();
  std::erase(extra, "--");  // it only ends the options
  if (!extra.empty()) refuse_extra(app, extra, arguments);
  refuse_repeated(app);
  refuse_no_name(app);
  return true;
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& value,
                        const std::vector<std::string>& choices, const std::string& description) {
  const std::string words = fmt::format("{}", fmt::join(choices, ", "));
  const auto problem = [choices, words](const std::string& given) {
    const bool known = std::find(choices.begin(), choices.end(), given) != choices.end();
    return known ? std::string() : fmt::format("'{}' is not one of {}", given, words);
  };
  const std::string help = fmt::format("{} ({}) [{}]", description, words, value);
  return app.add_option(name, value, help)->check(problem)->type_name("WORD");
}

std::uint64_t checked_count(const std::string& name, const std::string& text, const CountLimits& limits) {
  const auto count = parse_count(text);
  if (!count) throw Error(fmt::format("{} must be a whole number, not '{}'", name, text));
  if (*count < limits.least) throw Error(fmt::format("{} must be at least {}, not {}", name, limits.least, text));
  if (*count > limits.most) throw Error(fmt::format("{} must be at most {}, not {}", name, limits.most, text));
  return *count;
}

CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint64_t& value, const CountLimits& limits,
                       const std::string& description) {
  const auto set = [name, limits, &value](const std::string& text) { value = checked_count(name, text, limits); };
  return app.add_option_function<std::string>(name, set, description)->type_name("N");
}

void refuse_options(const CLI::App& app, const std::vector<std::string>& names, std::string_view what) {
  for (const std::string& name : names) {
    if (app.count(name) > 0) throw Error(fmt::format("{} has no effect on {}", name, what));
  }
}

void require_argument(const std::string& value, const CLI::App& app, std::string_view name) {
  if (value.empty()) throw Error(fmt::format("{} is missing (see {} --help)", name, app.get_name()));
}

}  // namespace kinglet::cli
