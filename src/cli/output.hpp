// Output of a command: results on standard output, notes on standard error, and files that are written completely or
// not at all. A failed write throws Error. If the reader of a pipe goes away (| head), SIGPIPE ends the program
// quietly.
#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace kinglet::cli {

void print(std::string_view text);        // to standard output, unbuffered
void print_error(std::string_view text);  // to standard error; failures are ignored
void note(std::string_view text);         // "note: …" on standard error

// Throws Error unless a file can be created at `path`: its folder exists and is writable.
void require_writable(const std::string& path);

// Throws Error if `output` is one of the input files, which it would replace. An empty `output` means none; an input
// may be data:NAME in `folder`.
void require_no_input(const std::string& output, std::initializer_list<std::string> inputs,
                      const std::string& folder = {});

// PATH.partial, the file for the output of a run that did not complete.
std::string partial_path(const std::string& path);

// Writes to standard output (path "-" or "") or to a file. A file is written under a temporary name in the same folder
// and renamed by finish(); without finish() it is removed. Pipes and devices are written directly.
class Output {
 public:
  explicit Output(std::string path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void finish();
  // Instead of finish(), after an error or a stop: what complete calls of write() wrote becomes PATH.partial, and a
  // file PATH stays as it is.
  // Returns the name of the file; empty if everything went to its place directly.
  std::string finish_partial();
  const std::string& name() const { return name_; }
  bool appears_when_finished() const { return !temporary_.empty(); }
  bool has_written() const { return written_ > 0; }

 private:
  void finish_as(const std::string& path);
  [[noreturn]] void fail() const;

  std::string path_;
  std::string name_;       // for messages
  std::string temporary_;  // empty: written directly
  int file_ = -1;
  off_t written_ = 0;  // bytes of complete calls of write()
};

}  // namespace kinglet::cli
