#include "cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "catalogue/find_data.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

// Writes all of `text`; returns false with errno set if that fails.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::filesystem::path folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

// Whether the path exists but is not a regular file: a pipe or a device.
bool is_special(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

void print(std::string_view text) {
  if (!write_all(STDOUT_FILENO, text)) {
    throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

void print_error(std::string_view text) { (void)write_all(STDERR_FILENO, text); }

void note(std::string_view text) { print_error(fmt::format("note: {}\n", text)); }

void require_writable(const std::string& path) {
  const auto folder = folder_of(path);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error(fmt::format("{} is a folder; give a file name", path));
  if (is_special(path)) return;
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw Error(fmt::format("cannot write to {}: the folder {} does not exist", path, folder.string()));
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Error(fmt::format("cannot write to {}: folder {}: {}", path, folder.string(), std::strerror(errno)));
  }
}

void require_no_input(const std::string& output, std::initializer_list<std::string> inputs, const std::string& folder) {
  if (output.empty()) return;
  for (const std::string& input : inputs) {
    std::error_code not_there;
    const bool same = !input.empty() && std::filesystem::equivalent(output, find_data(input, folder), not_there);
    if (same && !is_special(output))
      throw Error(fmt::format("{} is an input file and would be replaced; choose another output file", output));
  }
}

std::string partial_path(const std::string& path) { return path + ".partial"; }

Output::Output(std::string path) : path_(std::move(path)), name_(path_) {
  if (path_.empty() || path_ == "-") {
    name_ = "standard output";
    file_ = STDOUT_FILENO;
    return;
  }
  require_writable(path_);
  if (is_special(path_)) {
    file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = fmt::format("{}.tmp-{}", path_, ::getpid());
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (file_ < 0) fail();
}

Output::~Output() {
  if (file_ > STDERR_FILENO) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Output::write(std::string_view text) {
  if (!write_all(file_, text)) fail();
  written_ += static_cast<off_t>(text.size());
}

void Output::finish() { finish_as(path_); }

std::string Output::finish_partial() {
  if (!appears_when_finished()) return {};
  if (::ftruncate(file_, written_) != 0) fail();
  std::string path = partial_path(path_);
  finish_as(path);
  return path;
}

void Output::finish_as(const std::string& path) {
  if (file_ == STDOUT_FILENO) return;
  const bool synced = temporary_.empty() || ::fsync(file_) == 0;
  const bool closed = ::close(file_) == 0;
  file_ = -1;
  if (!synced || !closed) fail();
  if (!temporary_.empty() && std::rename(temporary_.c_str(), path.c_str()) != 0) fail();
  temporary_.clear();
}

void Output::fail() const { throw Error(fmt::format("cannot write to {}: {}", name_, std::strerror(errno))); }

}  // namespace kinglet::cli
