// The list of subcommands, and how their arguments are declared and parsed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kinglet::cli {

using Arguments = std::vector<std::string>;

inline constexpr int kSuccess = 0;
inline constexpr int kUserError = 2;

struct Command {
  std::string_view name;
  std::string_view summary;  // one line
  int (*run)(const Arguments& arguments);
};

int train_command(const Arguments& arguments);
int predict_command(const Arguments& arguments);
int eval_command(const Arguments& arguments);
int gen_command(const Arguments& arguments);
int info_command(const Arguments& arguments);
int data_command(const Arguments& arguments);
int algorithms_command(const Arguments& arguments);
int compare_command(const Arguments& arguments);
int paper_command(const Arguments& arguments);
int tune_command(const Arguments& arguments);
int export_command(const Arguments& arguments);
int compress_command(const Arguments& arguments);
int span_command(const Arguments& arguments);
int mix_command(const Arguments& arguments);

// Parses the arguments that `app` declares. Returns false if the user asked for help, which it printed. Throws Error
// with a one-line message if the arguments are wrong; for an unknown option it suggests the nearest known one.
bool parse(CLI::App& app, const Arguments& arguments);

// Adds an option that takes one of a few words. Its help lists them and the default, which is the present `value`.
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& value,
                        const std::vector<std::string>& choices, const std::string& description);

// A whole number within limits, written as 250000, 2.5e5 or 250K, of the option `name`; else throws Error.
struct CountLimits {
  std::uint64_t least;
  std::uint64_t most;
};
std::uint64_t checked_count(const std::string& name, const std::string& text, const CountLimits& limits);
// Adds an option that takes such a number.
CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint64_t& value, const CountLimits& limits,
                       const std::string& description);

// Throws Error if one of these options was given, because it has no effect on `what`.
void refuse_options(const CLI::App& app, const std::vector<std::string>& names, std::string_view what);

// Throws Error unless the argument was given.
void require_argument(const std::string& value, const CLI::App& app, std::string_view name);

}  // namespace kinglet::cli
