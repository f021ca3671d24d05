// The report of a command, as a file.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "report/report.hpp"

namespace CLI {
class App;
}

namespace kinglet::cli {

void add_report_flag(CLI::App& app, std::string& path, const std::string& group);

// Throws Error, before the work begins, when a report cannot be written there. An empty path is none.
void check_report(const std::string& path);

// Written whole or not at all.
void write_report(const std::string& path, const report::Report& page);

// A word as a shell reads it back.
std::string shell_quoted(const std::string& word);

// The command as one would type it in a shell: kinglet train 'gen:waveform?n=1000' …
std::string command_text(const std::string& command, const Arguments& arguments);

}  // namespace kinglet::cli
