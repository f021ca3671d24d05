// Opens an input. Regular files are memory-mapped, everything else is read into a buffer. Compressed data, recognised
// by their first bytes, are decompressed.
#include "data/bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/number.hpp"
#include "data/byte_reader.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// Memory that is neither cleared nor, on most systems, copied when it grows.
class RawMemory {
 public:
  char* data() { return bytes_.get(); }
  const char* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  void grow(std::size_t size) {
    void* const grown = std::realloc(bytes_.get(), size);
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(bytes_.release());
    bytes_.reset(static_cast<char*>(grown));
    size_ = size;
  }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> bytes_;
  std::size_t size_ = 0;
};

// A file in memory. A last line without '\n' gets one, and kNumberSlack bytes after the text may be read.
struct Mapping {
  std::string_view text;
  std::size_t bytes;  // of memory
};

// Nullopt if the file cannot be mapped. The file itself is mapped for reading only, as memory for writing would have to
// be reserved; its last page and one page after it can be written.
std::optional<Mapping> map_file(int fd, std::size_t size) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t last_page = size / page * page;
  const std::size_t bytes = (size + page - 1) / page * page + page;
  void* const address = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return std::nullopt;
  char* const begin = static_cast<char*>(address);
  if (::mmap(begin, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED ||
      ::mprotect(begin + last_page, bytes - last_page, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(begin, bytes);
    return std::nullopt;
  }
  ::madvise(begin, size, MADV_SEQUENTIAL);
  if (begin[size - 1] == '\n') return Mapping{{begin, size}, bytes};
  begin[size] = '\n';
  return Mapping{{begin, size + 1}, bytes};
}

// Text in memory.
class MemoryBytes : public Bytes {
 public:
  explicit MemoryBytes(std::string_view text) : text_(text) {}
  std::string_view window() const override { return text_.substr(position_); }
  void consume(std::size_t n) override { position_ += n; }
  Supply grow(bool) override { return Supply::end; }
  bool is_whole() const override { return true; }
  bool has_slack() const override { return false; }
  bool can_rewind() const override { return true; }
  void rewind() override { position_ = 0; }
  std::optional<double> progress() const override {
    if (text_.empty()) return std::nullopt;
    return static_cast<double>(position_) / static_cast<double>(text_.size());
  }
  void stop() override {}  // never blocks

 protected:
  std::string_view text_;
  std::size_t position_ = 0;
};

// A memory-mapped file. Pages that have been read are released, so that a large file does not count as our memory.
// (If another program truncates the file while it is mapped, the process ends: a limitation of mmap.)
class MappedBytes final : public MemoryBytes {
 public:
  MappedBytes(const Mapping& mapping, std::size_t start)
      : MemoryBytes(mapping.text), start_(start), mapped_(mapping.bytes) {
    position_ = start;
  }
  ~MappedBytes() override { ::munmap(address(), mapped_); }
  bool has_slack() const override { return true; }

  void consume(std::size_t n) override {
    position_ += n;
    if (position_ - given_back_ < 2 * kKeep) return;
    const std::size_t upto = (position_ - kKeep) / kKeep * kKeep;
    ::madvise(address() + given_back_, upto - given_back_, MADV_DONTNEED);
    given_back_ = upto;
  }
  void rewind() override {
    position_ = start_;
    given_back_ = 0;
  }

 private:
  static constexpr std::size_t kKeep = 4u << 20;  // a multiple of any page size
  char* address() const { return const_cast<char*>(text_.data()); }
  std::size_t start_;
  std::size_t mapped_;
  std::size_t given_back_ = 0;
};

// A buffer in front of a ByteReader. Unread bytes move to the front when there is no room behind them. The buffer grows
// by a quarter when it is full, so that a long line takes little more than its length; the caller limits its size (see
// Lines).
class BufferedBytes final : public Bytes {
 public:
  explicit BufferedBytes(std::unique_ptr<DescriptorReader> input) : raw_(std::move(input)), stopper_(raw_.get()) {
    buffer_.grow(kFirstSize + kNumberSlack);
  }
  std::string_view window() const override { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t n) override { begin_ += n; }
  bool has_slack() const override { return true; }

  Supply grow(bool wait) override {
    if (!reader_) {
      const Supply recognised = recognise(wait);
      if (recognised != Supply::ready) return recognised;
    }
    make_room();
    std::size_t got = 0;
    const Supply supply = reader_->read({buffer_.data() + end_, room()}, wait, got);
    end_ += got;
    if (supply != Supply::end || begin_ == end_ || buffer_.data()[end_ - 1] == '\n') return supply;
    buffer_.data()[end_++] = '\n';
    return Supply::ready;
  }

  bool can_rewind() const override { return stopper_->can_rewind(); }
  void rewind() override {
    begin_ = end_ = 0;
    if (reader_) {
      reader_->rewind();
    } else {
      raw_->rewind();
    }
  }
  std::optional<double> progress() const override { return stopper_->progress(); }
  void stop() override { stopper_->stop(); }

 private:
  static constexpr std::size_t kFirstSize = 256u << 10;
  std::size_t room() const { return buffer_.size() - kNumberSlack - end_; }

  void make_room() {
    if (begin_ == end_) begin_ = end_ = 0;
    if (room() >= kFirstSize / 2) return;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (room() < kFirstSize / 2) buffer_.grow(buffer_.size() + std::max(kFirstSize, buffer_.size() / 4));
  }

  // Reads the first bytes into the empty buffer until it is clear whether they are compressed.
  Supply recognise(bool wait) {
    FileCompression compression = FileCompression::unclear;
    Supply supply = Supply::ready;
    while (compression == FileCompression::unclear && supply == Supply::ready) {
      std::size_t got = 0;
      supply = raw_->read({buffer_.data() + magic_, kMagicBytes - magic_}, wait, got);
      magic_ += got;
      compression = recognise_compression({buffer_.data(), magic_}, supply == Supply::end);
    }
    if (supply == Supply::idle || supply == Supply::stopped) return supply;
    raw_->put_back({buffer_.data(), magic_});
    if (compression == FileCompression::compressed) {
      reader_ = decompress(std::move(raw_));
    } else {
      reader_ = std::move(raw_);
    }
    return Supply::ready;
  }

  std::unique_ptr<DescriptorReader> raw_;  // until the compression is recognised
  std::unique_ptr<ByteReader> reader_;
  DescriptorReader* stopper_;  // owned by one of the two above
  std::size_t magic_ = 0;
  RawMemory buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

Descriptor open_file(const std::string& path) {
  // Non-blocking, so that opening a named pipe does not wait for a writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0) return Descriptor(fd);
  if (errno == ENOENT) throw Error(fmt::format("{}: no such file", path));
  if (errno == EACCES) throw Error(fmt::format("{}: no permission to read this file", path));
  throw Error(fmt::format("{}: cannot open: {}", path, std::strerror(errno)));
}

bool is_compressed(int fd, off_t start) {
  char magic[kMagicBytes];
  const ssize_t n = ::pread(fd, magic, sizeof magic, start);
  if (n <= 0) return false;
  const auto size = static_cast<std::size_t>(n);
  return recognise_compression({magic, size}, size < sizeof magic) == FileCompression::compressed;
}

}  // namespace

std::unique_ptr<Bytes> open_bytes(const std::string& path) {
  const bool standard_input = path == "-";
  const std::string name = standard_input ? "<stdin>" : path;
  Descriptor fd = standard_input ? Descriptor(STDIN_FILENO, false) : open_file(path);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw Error(fmt::format("{}: cannot read: {}", name, std::strerror(errno)));
  if (S_ISDIR(status.st_mode)) throw Error(fmt::format("{}: is a directory; name one of its files", name));
  const auto size = static_cast<std::size_t>(status.st_size);
  const off_t start = standard_input ? std::max<off_t>(0, ::lseek(fd.get(), 0, SEEK_CUR)) : 0;
  const bool regular = S_ISREG(status.st_mode);
  if (regular && status.st_size > start && !is_compressed(fd.get(), start)) {
    if (const auto mapping = map_file(fd.get(), size)) {
      return std::make_unique<MappedBytes>(*mapping, static_cast<std::size_t>(start));
    }
  }
  // If standard input is a file but not at its first byte, read it like a pipe.
  const auto known_size = regular && start == 0 ? std::optional<std::uint64_t>(size) : std::nullopt;
  return std::make_unique<BufferedBytes>(std::make_unique<DescriptorReader>(name, std::move(fd), known_size));
}

std::unique_ptr<Bytes> bytes_in_memory(std::string_view text) { return std::make_unique<MemoryBytes>(text); }

}  // namespace kinglet
