// A file on its way here. Until it is whole it is called NAME.part and stays there when the transfer breaks off; a small
// file NAME.part.from beside it tells which content it is the beginning of, so that the rest can be asked for later.
// One process at a time works on it.
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
  // Opens or makes the part of `goal`. Throws Error when that is not possible or somebody else is at it.
  explicit PartFile(std::filesystem::path goal);
  ~PartFile();  // what there is stays for another time; nothing stays of nothing
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  // What the server called the content that this is the beginning of (an ETag or a date), if it came from `address`;
  // empty: there is nothing to go on from.
  std::string version_from(const std::string& address) const;

  void begin(const std::string& address, const std::string& version);  // forgets what there was
  void append(std::span<const char> bytes);
  void discard();  // for good
  void finish();   // the part becomes the goal

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
