// The program: runs a subcommand, and turns each user error into a one-line message and exit code 2.
#include <fmt/format.h>

#include <array>
#include <csignal>
#include <utility>

#include "cli/command.hpp"
#include "cli/flag_text.hpp"
#include "cli/output.hpp"
#include "cli/problem.hpp"
#include "cli/table.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"
#include "reference/libsvm_solver.hpp"

namespace kinglet::cli {
namespace {

constexpr std::array kCommands = {
    Command{"train", "learn a model from a stream", train_command},
    Command{"predict", "predict labels or numbers with a model", predict_command},
    Command{"eval", "measure a model on labelled examples", eval_command},
    Command{"compare", "train several learners on the same data and compare them", compare_command},
    Command{"paper", "repeat the experiments of the papers", paper_command},
    Command{"tune", "search for the settings of a learner and its budget", tune_command},
    Command{"span", "prepare a shared start for models of parts of the data", span_command},
    Command{"mix", "combine models that were trained separately", mix_command},
    Command{"compress", "approximate a model with fewer support vectors", compress_command},
    Command{"export", "write a model as C, ONNX or a LIBSVM model", export_command},
    Command{"gen", "write generated data", gen_command},
    Command{"data", "list and download public data sets", data_command},
    Command{"info", "describe a model file", info_command},
    Command{"algorithms", "list algorithms, rules and kernels with their options", algorithms_command},
};

void print_overview() {
  Listing commands;
  for (const Command& command : kCommands) commands.emplace_back("  " + std::string(command.name), command.summary);
  print(
      "kinglet learns kernel machines from endless streams in fixed memory.\n\n"
      "usage: kinglet COMMAND …\n\n" +
      format_listing(commands) +
      "\nkinglet COMMAND --help explains a command; kinglet --version prints the version.\n\n"
      "Try it:\n"
      "  kinglet train 'gen:checkerboard?n=1M' -o board.kinglet --budget 100 --gamma 8\n"
      "  kinglet eval 'gen:checkerboard?n=10000&seed=2' -m board.kinglet\n");
}

int run(Arguments arguments) {
  if (arguments.size() > 1 && arguments[0] == "help") {  // kinglet help COMMAND SECTION
    std::swap(arguments[0], arguments[1]);
    arguments[1] = "--help";
  }
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_overview();
    return kSuccess;
  }
  const std::string& name = arguments[0];
  if (name == "--version") {
    print("kinglet " KINGLET_VERSION "\n");
    return kSuccess;
  }
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (name == command.name) return command.run({arguments.begin() + 1, arguments.end()});
    names.emplace_back(command.name);
  }
  const std::string hint = suggestion(name, names);
  throw Error(fmt::format("unknown {} {}{}", name.starts_with("-") ? "option" : "command", name,
                          hint.empty() ? " (see kinglet --help)" : hint));
}

int report(std::string_view what) {
  print_error(fmt::format("kinglet: {}\n", what));
  return kUserError;
}

// Reports errors of the user. Any other exception is a bug and ends the program through std::terminate.
int run_and_report(const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (...) {
    return report(flag_text(current_problem()));
  }
}

}  // namespace
}  // namespace kinglet::cli

int main(int argc, char** argv) {
  // End quietly when the reader of a pipe goes away (as in | head), even if the parent process ignores SIGPIPE.
  std::signal(SIGPIPE, SIG_DFL);
  // A file that exceeds the size limit is a write error to report, not a reason to be killed.
  std::signal(SIGXFSZ, SIG_IGN);
  kinglet::install_libsvm();
  return kinglet::cli::run_and_report({argv + (argc > 0), argv + argc});
}
