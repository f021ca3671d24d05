// Byte streams that are read piece by piece: file descriptors and decompressors.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "data/bytes.hpp"

namespace kinglet {

class ByteReader {
 public:
  virtual ~ByteReader() = default;
  // Reads at least one byte into `room` and sets `got` if it returns ready.
  virtual Supply read(std::span<char> room, bool wait, std::size_t& got) = 0;
  virtual bool can_rewind() const = 0;
  virtual void rewind() = 0;
  virtual std::optional<double> progress() const = 0;
  virtual void stop() = 0;
};

// A file descriptor that is closed automatically.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1, bool owned = true) : fd_(fd), owned_(owned) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_), owned_(other.owned_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();
  int get() const { return fd_; }

 private:
  int fd_;
  bool owned_;
};

// A stop signal: a flag and a descriptor that becomes readable for poll(). Once raised it stays raised.
class Interrupt {
 public:
  Interrupt();
  void raise();
  bool raised() const { return raised_.load(std::memory_order_relaxed); }
  int descriptor() const { return read_end_.get(); }

 private:
  explicit Interrupt(const int (&ends)[2]) : read_end_(ends[0]), write_end_(ends[1]) {}
  Descriptor read_end_;
  Descriptor write_end_;
  std::atomic<bool> raised_ = false;
};

// Reads a descriptor. Bytes can be put back once, so that the content can be recognised by its first bytes.
class DescriptorReader final : public ByteReader {
 public:
  // `size` is the size of a regular file, nullopt for pipes and devices.
  DescriptorReader(std::string name, Descriptor fd, std::optional<std::uint64_t> size);
  Supply read(std::span<char> room, bool wait, std::size_t& got) override;
  void put_back(std::string_view bytes) { put_back_ = bytes; }
  bool ready_now() const;  // a read would not block

  bool can_rewind() const override { return size_.has_value(); }
  void rewind() override;
  std::optional<double> progress() const override;
  void stop() override { interrupt_.raise(); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  Descriptor fd_;
  std::optional<std::uint64_t> size_;
  std::uint64_t position_ = 0;
  std::string put_back_;
  Interrupt interrupt_;
};

enum class FileCompression { none, compressed, unclear };  // unclear: more bytes are needed to decide
// `complete`: the input has no more bytes. A file that consists of the beginning of a magic number is then a truncated
// one.
FileCompression recognise_compression(std::string_view first_bytes, bool complete = false);
inline constexpr std::size_t kMagicBytes = 10;  // always enough to decide

// Decompresses `input` (gz, bz2, xz, zst).
std::unique_ptr<ByteReader> decompress(std::unique_ptr<DescriptorReader> input);

}  // namespace kinglet
