// The program: finds the subcommand, runs it, and turns every error of the user into one line and exit code 2.
#include <fmt/format.h>

#include <array>
#include <csignal>
#include <new>
#include <system_error>

#include "cli/command.hpp"
#include "cli/flag_text.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"
#include "yardstick/libsvm_solver.hpp"

namespace kinglet::cli {
namespace {

constexpr std::array kCommands = {
    Command{"train", "learn a model from a stream", train_command},
    Command{"predict", "label examples with a model", predict_command},
    Command{"eval", "measure a model on labelled examples", eval_command},
    Command{"compare", "run several learners on the same data and say how they compare", compare_command},
    Command{"paper", "make the tables and figures of the papers again", paper_command},
    Command{"tune", "find the settings of a learner and its budget", tune_command},
    Command{"compress", "make a model smaller, with fewer support vectors", compress_command},
    Command{"export", "write a model as C, ONNX or a LIBSVM model", export_command},
    Command{"gen", "write a generated data set", gen_command},
    Command{"data", "list and download public data sets", data_command},
    Command{"info", "show what a model file holds", info_command},
    Command{"algorithms", "list algorithms, rules and kernels with their options", algorithms_command},
};

void print_overview() {
  Listing commands;
  for (const Command& command : kCommands) commands.emplace_back("  " + std::string(command.name), command.summary);
  print(
      "kinglet learns kernel machines from endless streams in fixed memory.\n\n"
      "usage: kinglet COMMAND …\n\n" +
      format_listing(commands) +
      "\nkinglet COMMAND --help explains a command, kinglet --version names the version.\n\n"
      "Try it:\n"
      "  kinglet train 'gen:checkerboard?n=1000000' -o board.kinglet --budget 100 --gamma 8\n"
      "  kinglet eval 'gen:checkerboard?n=10000&seed=2' -m board.kinglet\n");
}

int run(const Arguments& arguments) {
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

// Errors of the user end here. Anything else is a bug of ours and ends the program by std::terminate.
int run_and_report(const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (const Error& error) {
    return report(flag_text(error.message()));
  } catch (const std::system_error& error) {
    return report(error.what());
  } catch (const std::bad_alloc&) {
    return report("out of memory; a smaller --budget or --memory needs less");
  }
}

}  // namespace
}  // namespace kinglet::cli

int main(int argc, char** argv) {
  // A reader that has seen enough (| head) ends us quietly, whatever the parent process does with SIGPIPE.
  std::signal(SIGPIPE, SIG_DFL);
  // A file that grows over the limit is an error of writing, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  kinglet::install_libsvm();
  return kinglet::cli::run_and_report({argv + (argc > 0), argv + argc});
}
