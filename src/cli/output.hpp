// What a command writes: results on standard output, notes on standard error, files that appear complete or not at
// all. A failed write is an Error; a reader that went away (| head) ends the program quietly by SIGPIPE.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace kinglet::cli {

void print(std::string_view text);        // to standard output, at once
void print_error(std::string_view text);  // to standard error, as far as that goes
void note(std::string_view text);         // "note: …" on standard error

// Throws Error unless a file can be made under this name: its folder exists and may be written to.
void require_writable(const std::string& path);

// Throws Error where `output` (an option's value; empty: none) is one of the files that are read: it would be replaced.
// An input may be data:NAME, of this folder.
void require_no_input(const std::string& output, std::initializer_list<std::string> inputs,
                      const std::string& folder = {});

// When a file is there under its name: whole, by finish(), or from the first line on, for somebody who reads along.
enum class Appearance { whole, at_once };

// Lines on their way to standard output ("-" or nothing) or to a file. A file is written under a temporary name beside
// it and renamed by finish(); without finish() nothing is left. What is no ordinary file (a pipe, a device) is
// written directly.
class Output {
 public:
  explicit Output(std::string path, Appearance appearance = Appearance::whole);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void finish();
  const std::string& name() const { return name_; }

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::string name_;       // for messages
  std::string temporary_;  // empty: written directly
  int file_ = -1;
};

}  // namespace kinglet::cli
