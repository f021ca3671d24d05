// A partly downloaded file.
#include "catalogue/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// False if the file was renamed or removed after it was opened.
bool is_file_at(const std::filesystem::path& path, int descriptor) {
  struct stat named = {};
  struct stat opened = {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino;
}

}  // namespace

PartFile::PartFile(std::filesystem::path goal)
    : goal_(std::move(goal)),
      path_(goal_.string() + ".part"),
      file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_.get() < 0) fail();
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 || !is_file_at(path_, file_.get())) {
    throw Error(fmt::format("{}: another process is downloading it", goal_.string()));
  }
  const off_t end = ::lseek(file_.get(), 0, SEEK_END);
  if (end < 0) fail();
  size_ = static_cast<std::uint64_t>(end);
}

PartFile::~PartFile() {
  if (!gone_ && size_ == 0) discard();
}

std::string PartFile::version_from(const std::string& address) const {
  std::ifstream note(note_path());
  std::string from;
  std::string version;
  const bool told = size_ > 0 && std::getline(note, from) && std::getline(note, version);
  return told && from == address ? version : "";
}

// In this order, so that the recorded version matches the bytes even if the process is killed in between.
void PartFile::begin(const std::string& address, const std::string& version) {
  if (::ftruncate(file_.get(), 0) != 0 || ::lseek(file_.get(), 0, SEEK_SET) < 0) fail();
  size_ = 0;
  std::ofstream note(note_path(), std::ios::trunc);
  note << address << '\n' << version << '\n';
  if (!note.flush()) fail();
}

void PartFile::append(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    size_ += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void PartFile::discard() {
  gone_ = true;
  ::unlink(path_.c_str());
  ::unlink(note_path().c_str());
}

void PartFile::finish() {
  if (::fsync(file_.get()) != 0) fail();
  if (std::rename(path_.c_str(), goal_.c_str()) != 0) fail();
  gone_ = true;
  ::unlink(note_path().c_str());
}

void PartFile::fail() const {
  throw Error(fmt::format("cannot write to {}: {}", path_.string(), std::strerror(errno)));
}

}  // namespace kinglet
