// The bytes of an input: a memory-mapped file, a pipe, compressed data, or text in memory.
// Bytes presents a window of bytes that have been read but not yet consumed; grow() extends the window.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kinglet {

enum class Supply {
  ready,    // there are new bytes
  idle,     // a pipe has no data right now
  end,      // there are no more bytes
  stopped,  // stop() was called
};

class Bytes {
 public:
  virtual ~Bytes() = default;

  virtual std::string_view window() const = 0;
  virtual void consume(std::size_t n) = 0;
  // Reads more bytes. Without `wait` it returns idle instead of blocking.
  virtual Supply grow(bool wait) = 0;
  // Whether the window always reaches to the end of the input, and its bytes stay where they are.
  virtual bool is_whole() const { return false; }
  // Whether kNumberSlack bytes after the window may be read (their content is undefined), and a last line without '\n'
  // gets one.
  virtual bool has_slack() const = 0;

  virtual bool can_rewind() const = 0;
  virtual void rewind() = 0;
  virtual std::optional<double> progress() const = 0;
  // Makes grow() return stopped from now on, also a call that is blocking. May be called from any thread and from a
  // signal handler.
  virtual void stop() = 0;
};

// `path` is a file of any kind, or "-" for standard input. Compression (gz, bz2, xz, zst) is recognised by content.
// Does not block, as nothing is read yet.
std::unique_ptr<Bytes> open_bytes(const std::string& path);

// `text` must outlive the result.
std::unique_ptr<Bytes> bytes_in_memory(std::string_view text);

}  // namespace kinglet
