// Whether decompressed bytes are those that were compressed. libarchive does not compare the checksum at the end of a
// gzip member, so a damaged file might give wrong numbers without a word; this does it for files of a single member,
// which nearly all are. (Where several members meet cannot be seen from outside of the decompressor.)
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace kinglet {

// CRC-32 as in gzip, continued from `crc` (0 to begin with).
std::uint32_t crc32(std::uint32_t crc, std::string_view bytes);

class GzipCheck {
 public:
  void compressed(std::string_view bytes);
  void decompressed(std::string_view bytes);
  // At the end: false when the data is certainly damaged.
  bool holds() const;

 private:
  std::string tail_;  // the last bytes of the compressed data: checksum and length
  bool began_ = false;
  bool may_have_more_members_ = false;
  std::uint32_t crc_ = 0;
  std::uint32_t length_ = 0;  // modulo 2^32, as gzip has it
};

}  // namespace kinglet
