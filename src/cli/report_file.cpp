// The --report option: checks the path and writes the page.
#include "cli/report_file.hpp"

#include <CLI/CLI.hpp>

#include "cli/help.hpp"
#include "cli/output.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+-@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

void add_report_flag(CLI::App& app, std::string& path) {
  app.add_option("--report", path, "write an HTML page with charts and tables")->type_name("FILE")->group(kMainSection);
}

void check_report(const std::string& path) {
  if (path.empty()) return;
  if (path == "-") throw Error("--report -: a report cannot go to standard output; give a file name");
  if (!report::can_render()) throw Error("--report: this program was built without reports");
  require_writable(path);
}

void write_report(const std::string& path, const report::Report& page) {
  Output out(path);
  out.write(report::render(page));
  out.finish();
}

std::string command_text(const std::string& command, const Arguments& arguments) {
  std::string text = "kinglet " + command;
  for (const std::string& argument : arguments) text += " " + shell_quoted(argument);
  return text;
}

}  // namespace kinglet::cli
