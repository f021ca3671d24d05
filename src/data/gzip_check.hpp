// Verifies the checksum of gzip files. libarchive does not compare the checksum at the end of a gzip member, so a
// damaged file might silently give wrong numbers. This check covers files with a single member, which nearly all are.
// (Boundaries between members are not visible from outside the decompressor.)
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace kinglet {

// CRC-32 as in gzip, continued from `crc` (initially 0).
std::uint32_t crc32(std::uint32_t crc, std::string_view bytes);

class GzipCheck {
 public:
  void compressed(std::string_view bytes);
  void decompressed(std::string_view bytes);
  // Call at the end: false if the data are certainly damaged.
  bool holds() const;

 private:
  std::string tail_;  // the last bytes of the compressed data: checksum and length
  bool began_ = false;
  bool may_have_more_members_ = false;
  std::uint32_t crc_ = 0;
  std::uint32_t length_ = 0;  // modulo 2^32, as in gzip
};

}  // namespace kinglet
