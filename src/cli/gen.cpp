// kinglet gen: writes generated data as LIBSVM or CSV text.
#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/flag_text.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "cli/table.hpp"
#include "data/generator.hpp"
#include "data/writer.hpp"
#include "kinglet/error.hpp"
#include "kinglet/source.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kGenExamples =
    "  kinglet gen --list\n"
    "  kinglet gen checkerboard -n 10000 --seed 2 -o board.libsvm\n"
    "  kinglet gen 'gen:waveform?n=5000&noise=0.1' --format csv > waveform.csv\n"
    "  kinglet gen gauss | kinglet train - -o gauss.kinglet\n";

struct GenFlags {
  std::string name;
  std::string rows;
  std::string seed;
  std::string format = "libsvm";
  std::string output;
  bool list = false;
};

void declare(CLI::App& app, GenFlags& flags) {
  app.add_option("NAME", flags.name, "a generator (see --list), also with parameters: gen:NAME?n=1000&seed=1");
  const std::string group = kMainSection;
  app.add_option("-n", flags.rows, "number of examples, such as 5000 or 1M [endless]")->type_name("N")->group(group);
  app.add_option("--seed", flags.seed, "random seed [1]")->type_name("S")->group(group);
  add_choice(app, "--format", flags.format, {"libsvm", "csv"}, "output format")->group(group);
  app.add_option("-o,--output", flags.output, "write to this file [standard output]")->type_name("FILE")->group(group);
  app.add_flag("--list", flags.list, "list the generators and their parameters")->group(group);
  app.footer(kGenExamples);
}

std::string parameter_text(const GeneratorParameter& parameter, double default_value) {
  return fmt::format("{} [{}]: {}", parameter.name, default_value, parameter.summary);
}

std::string generators_text() {
  std::vector<Row> rows;
  for (const GeneratorEntry& entry : generators()) {
    std::vector<double> values;
    for (const GeneratorParameter& parameter : entry.parameters) values.push_back(parameter.default_value);
    rows.push_back({std::string(entry.name), fmt::format("{}", entry.dimension),
                    entry.classes == nullptr ? "numbers" : fmt::format("{}", entry.classes(values).size()),
                    flag_text(entry.summary)});
    if (const auto best = best_error(entry, values, entry.noise)) {
      rows.push_back({"", "", "", fmt::format("  best error {:.4g}", *best)});
    }
    if (entry.noise > 0) rows.push_back({"", "", "", fmt::format("  noise [{}]", entry.noise)});
    for (const GeneratorParameter& parameter : entry.parameters) {
      rows.push_back({"", "", "", "  " + parameter_text(parameter, parameter.default_value)});
    }
  }
  std::string text = format_table({{"name", false}, {"features"}, {"classes"}, {"", false}}, rows);
  text += "\nParameters are given in the name, as in 'gen:sea?drift=3000'. The best error holds for their defaults.\n";
  text += "\nparameters of every generator\n";
  Listing common;
  for (const GeneratorParameter& parameter : common_generator_parameters()) {
    common.emplace_back("  " + std::string(parameter.name), parameter.summary);
  }
  return text + format_listing(common);
}

bool is_parameter(std::string_view name) {
  const auto has_it = [&](const auto& parameters) {
    return std::ranges::any_of(parameters, [&](const GeneratorParameter& parameter) { return parameter.name == name; });
  };
  return has_it(common_generator_parameters()) ||
         std::ranges::any_of(generators(), [&](const GeneratorEntry& entry) { return has_it(entry.parameters); });
}

// Refuses a parameter that is given like an option: --drift 3.
void refuse_parameters(const CLI::App& app, const Arguments& arguments) {
  const auto is_option = [](const std::string& argument) { return argument.starts_with("-"); };
  const auto generator = std::ranges::find_if(arguments, [](const std::string& argument) {
    return std::ranges::any_of(generators(), [&](const GeneratorEntry& entry) { return entry.name == argument; });
  });
  for (auto each = arguments.begin(); each != arguments.end() && *each != "--"; ++each) {
    const std::size_t end = std::min(each->find('='), each->size());
    const std::string option = each->substr(0, end);
    const std::string name = option.substr(std::min(option.find_first_not_of('-'), option.size()));
    if (!is_option(*each) || !is_parameter(name) || app.get_option_no_throw(option) != nullptr) continue;
    const bool has_next = each + 1 != arguments.end() && !is_option(each[1]);
    const std::string value = end < each->size() ? each->substr(end + 1) : has_next ? each[1] : "VALUE";
    throw Error(fmt::format("unknown option {}: parameters belong to the name of the generator, as in 'gen:{}?{}={}'",
                            option, generator == arguments.end() ? "NAME" : *generator, name, value));
  }
}

// gen:NAME?… with the flags appended: the last value of a parameter counts.
std::string spec_of(const GenFlags& flags) {
  std::string spec = flags.name.starts_with("gen:") ? flags.name : "gen:" + flags.name;
  const auto append = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) spec += fmt::format("{}{}={}", spec.find('?') == std::string::npos ? '?' : '&', key, value);
  };
  append("n", flags.rows);
  append("seed", flags.seed);
  return spec;
}

void write_all(const GenFlags& flags, Source& source, Output& output, const StopOnSignal& stop) {
  Batch batch;
  std::vector<std::string> labels;
  std::string text;
  for (bool first = true; !stop.requested() && source.next(batch); first = false) {
    labels.insert(labels.end(), batch.new_labels.begin(), batch.new_labels.end());
    text.clear();
    if (flags.format == "csv") {
      if (first) text = csv_header(batch, labels);
      write_csv(text, batch, labels);
    } else {
      write_libsvm(text, batch, labels);
    }
    output.write(text);
  }
}

}  // namespace

int gen_command(const Arguments& arguments) {
  GenFlags flags;
  CLI::App app("Writes generated data, as LIBSVM or CSV text.", "kinglet gen");
  declare(app, flags);
  refuse_parameters(app, arguments);
  if (!parse(app, arguments)) return kSuccess;
  if (flags.list) {
    print(generators_text());
    return kSuccess;
  }
  require_argument(flags.name, app, "NAME");
  const std::string spec = spec_of(flags);
  const auto source = open_source(spec, {});
  const bool endless = spec.find("?n=") == std::string::npos && spec.find("&n=") == std::string::npos;
  if (endless && !flags.output.empty() && flags.output != "-")
    throw Error("an endless data set does not fit into a file: give -n N");
  Output output(flags.output);
  StopOnSignal stop;
  stop.watch(*source);
  write_all(flags, *source, output, stop);
  if (stop.requested()) return stopped_exit_code();
  output.finish();
  return kSuccess;
}

}  // namespace kinglet::cli
