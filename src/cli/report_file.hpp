// The --report option: checks the path and writes the page.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "report/report.hpp"

namespace CLI {
class App;
}

namespace kinglet::cli {

void add_report_flag(CLI::App& app, std::string& path);

// Throws Error if a report cannot be written to `path`; call it before the work begins. An empty path means no report.
void check_report(const std::string& path);

// Writes the whole file or nothing.
void write_report(const std::string& path, const report::Report& page);

// Quotes a word for the shell, where it needs quotes.
std::string shell_quoted(const std::string& word);

// The command line that reproduces a run: kinglet train 'gen:waveform?n=1000' …
std::string command_text(const std::string& command, const Arguments& arguments);

}  // namespace kinglet::cli
