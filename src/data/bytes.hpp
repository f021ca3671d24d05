// The bytes of an input: a mapped file, a pipe, something compressed, or text in memory.
// Bytes shows a window of what has been read and not yet consumed; grow() makes the window longer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kinglet {

enum class Supply {
  ready,    // there is something new
  idle,     // a pipe has nothing right now
  end,      // there will never be more
  stopped,  // somebody called stop()
};

class Bytes {
 public:
  virtual ~Bytes() = default;

  virtual std::string_view window() const = 0;
  virtual void consume(std::size_t n) = 0;
  // Reads more; without `wait` it returns idle rather than block.
  virtual Supply grow(bool wait) = 0;
  // Whether kNumberSlack bytes after the window may be looked at (their content means nothing).
  virtual bool has_slack() const = 0;

  virtual bool can_rewind() const = 0;
  virtual void rewind() = 0;
  virtual std::optional<double> progress() const = 0;
  // From now on grow() returns stopped, and a blocked one does so at once. Callable from any thread, and from a
  // signal handler.
  virtual void stop() = 0;
};

// `path` is a file of any kind, or "-" for standard input. Compression is recognised by content (gz, bz2, xz, zst).
// Nothing is read yet, so this does not block.
std::unique_ptr<Bytes> open_bytes(const std::string& path);

// `text` must live as long as what is returned.
std::unique_ptr<Bytes> bytes_in_memory(std::string_view text);

}  // namespace kinglet
