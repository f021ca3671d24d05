#include "cli/checkpoint_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cli/output.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kCheckpointName = "checkpoint.kinglet";
constexpr const char* kLockName = "lock";

std::string inside(const std::string& folder, const char* name) {
  return (std::filesystem::path(folder) / name).string();
}

}  // namespace

CheckpointFolder::CheckpointFolder(std::string folder)
    : folder_(std::move(folder)), checkpoint_(inside(folder_, kCheckpointName)) {
  std::error_code problem;
  std::filesystem::create_directories(folder_, problem);
  if (problem) throw Error(fmt::format("cannot create the folder {}: {}", folder_, problem.message()));
  require_writable(checkpoint_);
  lock();
  remove_leftovers();
}

CheckpointFolder::~CheckpointFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void CheckpointFolder::lock() {
  const std::string path = inside(folder_, kLockName);
  lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) throw Error(fmt::format("cannot write to {}: {}", path, std::strerror(errno)));
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  ::close(std::exchange(lock_, -1));
  if (error == EWOULDBLOCK) {
    throw Error(
        fmt::format("another run is using the checkpoint folder {}: wait for it, or use another folder", folder_));
  }
  throw Error(fmt::format("cannot lock {}: {}; use a folder on another file system", path, std::strerror(error)));
}

// Removes the temporary files of runs that were killed while they wrote a checkpoint.
void CheckpointFolder::remove_leftovers() const {
  const std::string prefix = std::string(kCheckpointName) + ".tmp-";
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (entry.path().filename().string().starts_with(prefix)) std::filesystem::remove(entry.path());
  }
}

bool CheckpointFolder::has_checkpoint() const { return std::filesystem::exists(checkpoint_); }

void CheckpointFolder::discard_checkpoint() const { std::filesystem::remove(checkpoint_); }

}  // namespace kinglet::cli
