// Reads file descriptors. stop() interrupts every read, even one that blocks.
#include "data/byte_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "kinglet/error.hpp"

namespace kinglet {

Descriptor::~Descriptor() {
  if (owned_ && fd_ >= 0) ::close(fd_);
}

namespace {

struct PipeEnds {
  int ends[2];
  PipeEnds() {
    if (::pipe(ends) != 0) throw Error(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
    for (const int end : ends) {
      ::fcntl(end, F_SETFD, FD_CLOEXEC);
      ::fcntl(end, F_SETFL, O_NONBLOCK);
    }
  }
};

}  // namespace

Interrupt::Interrupt() : Interrupt(PipeEnds().ends) {}

void Interrupt::raise() {
  if (raised_.exchange(true)) return;
  const char byte = 0;
  while (::write(write_end_.get(), &byte, 1) < 0 && errno == EINTR) {
  }
}

DescriptorReader::DescriptorReader(std::string name, Descriptor fd, std::optional<std::uint64_t> size)
    : name_(std::move(name)), fd_(std::move(fd)), size_(size) {}

bool DescriptorReader::ready_now() const {
  pollfd item{.fd = fd_.get(), .events = POLLIN, .revents = 0};
  return !put_back_.empty() || ::poll(&item, 1, 0) > 0;
}

Supply DescriptorReader::read(std::span<char> room, bool wait, std::size_t& got) {
  if (!put_back_.empty()) {
    got = std::min(room.size(), put_back_.size());
    std::memcpy(room.data(), put_back_.data(), got);
    put_back_.erase(0, got);
    return Supply::ready;
  }
  for (;;) {
    std::array<pollfd, 2> items{{{.fd = fd_.get(), .events = POLLIN, .revents = 0},
                                 {.fd = interrupt_.descriptor(), .events = POLLIN, .revents = 0}}};
    const int changed = ::poll(items.data(), items.size(), wait ? -1 : 0);
    if (interrupt_.raised()) return Supply::stopped;
    if (changed == 0) return Supply::idle;
    if (changed < 0 || items[0].revents == 0) continue;  // interrupted by a signal
    const ssize_t n = ::read(fd_.get(), room.data(), room.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) throw Error(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
    if (n == 0) return Supply::end;
    got = static_cast<std::size_t>(n);
    position_ += got;
    return Supply::ready;
  }
}

void DescriptorReader::rewind() {
  put_back_.clear();
  position_ = 0;
  if (::lseek(fd_.get(), 0, SEEK_SET) < 0) {
    throw Error(fmt::format("{}: cannot read it a second time: {}", name_, std::strerror(errno)));
  }
}

std::optional<double> DescriptorReader::progress() const {
  if (!size_ || *size_ == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(position_ - put_back_.size()) / static_cast<double>(*size_));
}

FileCompression recognise_compression(std::string_view first_bytes, bool complete) {
  using namespace std::string_view_literals;
  static constexpr std::array kMagic = {"\x1F\x8B\x08"sv,
                                        "\xFD"
                                        "7zXZ\0"sv,
                                        "\x28\xB5\x2F\xFD"sv};
  bool unclear = first_bytes.empty();
  for (const auto magic : kMagic) {
    if (first_bytes.starts_with(magic)) return FileCompression::compressed;
    if (complete && first_bytes.size() >= 2 && magic.starts_with(first_bytes)) return FileCompression::compressed;
    unclear |= magic.starts_with(first_bytes);
  }
  // bzip2: "BZh", the block size, and the magic number of the first block (or of the end of an empty file). "BZh" alone
  // is not enough, as a label might begin with it.
  const std::string_view head = first_bytes.substr(0, 3);
  if ("BZh"sv.starts_with(head)) {
    if (first_bytes.size() < kMagicBytes) return FileCompression::unclear;
    const std::string_view mark = first_bytes.substr(4, 6);
    if (mark == "\x31\x41\x59\x26\x53\x59"sv || mark == "\x17\x72\x45\x38\x50\x90"sv)
      return FileCompression::compressed;
  }
  return unclear ? FileCompression::unclear : FileCompression::none;
}

}  // namespace kinglet
