// A partly downloaded file. Until it is complete it is called NAME.part, and it stays if the transfer fails. A small
// file NAME.part.from records which version of the content it belongs to, so that the rest can be requested later. Only
// one process at a time can use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "data/byte_reader.hpp"

namespace kinglet {

class PartFile {
 public:
  // Opens or creates the part of `goal`. Throws Error if this fails or another process uses it.
  explicit PartFile(std::filesystem::path goal);
  ~PartFile();  // keeps the bytes received; removes an empty part
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  // The server's version (ETag or date) of the content received so far, if it came from `address`; empty: nothing to
  // resume from.
  std::string version_from(const std::string& address) const;

  void begin(const std::string& address, const std::string& version);  // discards earlier bytes
  void append(std::span<const char> bytes);
  void discard();  // removes the part
  void finish();   // renames the part to the goal

 private:
  [[noreturn]] void fail() const;
  std::filesystem::path note_path() const { return path_.string() + ".from"; }

  std::filesystem::path goal_;
  std::filesystem::path path_;
  Descriptor file_;
  std::uint64_t size_ = 0;
  bool gone_ = false;  // discarded or finished
};

}  // namespace kinglet
