// The help of a subcommand. `--help` shows the options that most people need; the others stand in sections, which
// `--help SECTION` shows one at a time and `--help all` together. The section of an option is its CLI11 group.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace kinglet::cli {

// The options that `--help` shows.
inline constexpr const char* kMainSection = "main";
// The other sections; help.cpp holds their titles.
inline constexpr const char* kLearnerSection = "learner";
inline constexpr const char* kRulesSection = "rules";
inline constexpr const char* kKernelSection = "kernel";
inline constexpr const char* kQuerySection = "query";
inline constexpr const char* kDataSection = "data";
inline constexpr const char* kRunSection = "run";

// The type name of an argument that may be left out; the help shows it in brackets.
inline constexpr const char* kOptionalArgument = "optional";

// The word after --help or -h ("" if there is none); nothing where neither was given.
std::optional<std::string> requested_help(const Arguments& arguments);

// The main page for "", one section by its name, or "all". Throws Error for a section that `app` does not have.
std::string help_text(const CLI::App& app, const std::string& wanted);

}  // namespace kinglet::cli
