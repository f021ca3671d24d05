#include "model/model_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "core/compose.hpp"
#include "core/model_magic.hpp"
#include "core/state.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr std::string_view kMagic = kModelMagic;
constexpr std::size_t kPreamble = kMagic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);
constexpr std::size_t kChecksum = sizeof(std::uint64_t);

std::uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t length_of(const SectionWriter& section) {
  std::uint64_t length = 0;
  StateWriter counter([&](std::string_view bytes) { length += bytes.size(); });
  section.write(counter);
  counter.flush();
  return length;
}

// The length stated in the preamble; throws Error if the preamble is invalid.
std::uint64_t check_preamble(std::string_view bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size()) || bytes.empty()) {
    throw Error("not a kinglet model");
  }
  if (bytes.size() < kPreamble) throw Error("the model is truncated: its beginning is missing");
  StateReader in(bytes.substr(kMagic.size()));
  const auto version = in.get<std::uint32_t>();
  if (version > kModelVersion) {
    throw Error(fmt::format(
        "the model has format version {}, but this kinglet reads only versions up to {}: use a newer kinglet", version,
        kModelVersion));
  }
  StateReader::require(version > 0, "format version 0 does not exist");
  return in.get<std::uint64_t>();
}

// --- files -----------------------------------------------------------------------------------------------------------

class File {
 public:
  File(const std::filesystem::path& path, int flags, mode_t mode = 0666)
      : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  bool close() { return descriptor_ < 0 || ::close(std::exchange(descriptor_, -1)) == 0; }

 private:
  int descriptor_;
};

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
  throw Error(fmt::format("{}: cannot {}: {}", path.string(), what, std::strerror(error)));
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, int error) {
  throw Error(fmt::format("cannot write to {}: {}", path.string(), std::strerror(error)));
}

// Appends up to `most` bytes, fewer at the end of the file.
void read_some(const File& file, const std::filesystem::path& path, std::size_t most, std::string& out) {
  while (most > 0) {
    // In steps, because the length stated in a damaged file may be huge.
    const std::size_t step = std::min<std::size_t>(most, std::max<std::size_t>(out.size(), 1u << 16));
    const std::size_t begin = out.size();
    out.resize(begin + step);
    const ssize_t n = ::read(file.descriptor(), out.data() + begin, step);
    const int error = errno;
    out.resize(begin + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0 && error == EINTR) continue;
    if (n < 0) fail(path, "read", error);
    if (n == 0) return;
    most -= static_cast<std::size_t>(n);
  }
}

// 0, or the error number.
int write_all(const File& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file.descriptor(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

// Writes all that is produced; 0, or the error number.
int write_all(const File& file, const Producer& produce) {
  int error = 0;
  produce([&](std::string_view bytes) {
    if (error == 0) error = write_all(file, bytes);
  });
  return error;
}

// Writes and syncs the temporary; 0, or the error number.
int write_temporary(const std::filesystem::path& path, const Producer& produce, std::optional<mode_t> mode) {
  File file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.is_open()) return errno;
  if (mode && ::fchmod(file.descriptor(), *mode) != 0) return errno;
  if (const int error = write_all(file, produce); error != 0) return error;
  if (::fsync(file.descriptor()) != 0) return errno;
  return file.close() ? 0 : errno;
}

// Syncs the folder, so that the new name survives a crash. Failure is ignored, as some file systems do not support
// this.
void sync_directory(const std::filesystem::path& directory) {
  const File file(directory.empty() ? "." : directory, O_RDONLY | O_DIRECTORY);
  if (file.is_open()) ::fsync(file.descriptor());
}

}  // namespace

const ModelSection* ModelFile::find(std::string_view name) const {
  const auto found = std::find_if(sections.begin(), sections.end(), [&](const auto& s) { return s.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

void write_model(std::string_view header, std::span<const SectionWriter> sections, const StateWriter::Sink& sink) {
  constexpr std::uint64_t kLength = sizeof(std::uint64_t);
  std::uint64_t length = kPreamble + kLength + header.size() + kLength + kChecksum;
  std::vector<std::uint64_t> lengths;
  for (const SectionWriter& section : sections) {
    lengths.push_back(length_of(section));
    length += kLength + section.name.size() + kLength + lengths.back();
  }
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hash(XXH3_createState(), XXH3_freeState);
  if (hash == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(hash.get());
  StateWriter out([&](std::string_view bytes) {
    XXH3_64bits_update(hash.get(), bytes.data(), bytes.size());
    sink(bytes);
  });
  out.put_bytes(kMagic);
  out.put<std::uint32_t>(kModelVersion);
  out.put(length);
  out.put_text(header);
  out.put<std::uint64_t>(sections.size());
  for (std::size_t i = 0; i < sections.size(); ++i) {
    out.put_text(sections[i].name);
    out.put(lengths[i]);
    sections[i].write(out);
  }
  out.flush();
  StateWriter sum;
  sum.put<std::uint64_t>(XXH3_64bits_digest(hash.get()));
  sink(sum.bytes());
}

std::string pack_model(const ModelFile& file) {
  std::vector<SectionWriter> sections;
  for (const ModelSection& section : file.sections) {
    sections.push_back({section.name, [&](StateWriter& out) { out.put_bytes(section.bytes); }});
  }
  std::string bytes;
  write_model(file.header, sections, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

void seal_model(std::string& bytes) {
  if (bytes.size() < kPreamble + kChecksum) return;
  StateWriter length;
  length.put<std::uint64_t>(bytes.size());
  bytes.replace(kPreamble - sizeof(std::uint64_t), sizeof(std::uint64_t), length.bytes());
  StateWriter sum;
  sum.put(checksum(std::string_view(bytes).substr(0, bytes.size() - kChecksum)));
  bytes.replace(bytes.size() - kChecksum, kChecksum, sum.bytes());
}

ModelFile unpack_model(std::string_view bytes) {
  const std::uint64_t length = check_preamble(bytes);
  if (bytes.size() < length) {
    throw Error(fmt::format("the model is truncated: it has only {} of {} bytes", bytes.size(), length));
  }
  StateReader::require(bytes.size() == length && length >= kPreamble + kChecksum, "its length is wrong");
  StateReader stated(bytes.substr(bytes.size() - kChecksum));
  bytes.remove_suffix(kChecksum);
  StateReader::require(stated.get<std::uint64_t>() == checksum(bytes), "its checksum is wrong");

  StateReader in(bytes.substr(kPreamble));
  ModelFile file;
  file.header = in.get_text();
  const std::size_t sections = in.get_count(2 * sizeof(std::uint64_t));
  for (std::size_t i = 0; i < sections; ++i) {
    std::string name = in.get_text();
    file.sections.push_back({std::move(name), in.get_text()});
  }
  StateReader::require(in.at_end(), "it is longer than stated");
  return file;
}

std::string read_model_bytes(const std::filesystem::path& path) {
  const File file(path, O_RDONLY);
  if (!file.is_open() && errno == ENOENT) throw Error(fmt::format("{}: no such file", path.string()));
  if (!file.is_open()) fail(path, "open", errno);
  std::string bytes;
  read_some(file, path, kPreamble, bytes);
  std::uint64_t length = 0;
  try {
    length = check_preamble(bytes);
  } catch (const Error& error) {
    throw Error(compose("{}: {}", path.string(), error.message()));
  }
  // Read one byte more than stated, to detect a file that is too long.
  if (length >= kPreamble) read_some(file, path, length - kPreamble + 1, bytes);
  return bytes;
}

void write_file_atomically(const std::filesystem::path& path, const Producer& produce) {
  std::error_code ignored;
  // If the path is a symbolic link, replace the file, not the link.
  const bool is_link = std::filesystem::is_symlink(path, ignored);
  const auto target = is_link ? std::filesystem::weakly_canonical(path, ignored) : path;
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail_to_write(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    const File file(target, O_WRONLY);
    const int error = file.is_open() ? write_all(file, produce) : errno;
    if (error != 0) fail_to_write(path, error);
    return;
  }
  const std::filesystem::path temporary = fmt::format("{}.tmp-{}", target.string(), ::getpid());
  int error = 0;
  try {
    error = write_temporary(temporary, produce, exists ? std::optional(status.st_mode & 07777) : std::nullopt);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail_to_write(path, error);
  }
  sync_directory(target.parent_path());
}

}  // namespace kinglet
