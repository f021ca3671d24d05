// The checksum of gzip (RFC 1952), computed eight bytes at a time.
#include "data/gzip_check.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace kinglet {
namespace {

using Table = std::array<std::uint32_t, 256>;

// tables[k][b] is the contribution of byte b to the checksum if k more bytes follow it.
constexpr std::array<Table, 8> make_tables() {
  std::array<Table, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t crc = tables[k - 1][byte];
      tables[k][byte] = crc >> 8 ^ tables[0][crc & 0xFF];
    }
  }
  return tables;
}

constexpr std::array<Table, 8> kTables = make_tables();
constexpr std::string_view kMemberStart = "\x1F\x8B\x08";
constexpr std::size_t kTrailer = 8;

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little);
  crc = ~crc;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    word ^= crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= kTables[7 - k][word >> (8 * k) & 0xFF];
  }
  for (const char c : bytes) crc = crc >> 8 ^ kTables[0][(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

void GzipCheck::compressed(std::string_view bytes) {
  const std::string joint = tail_ + std::string(bytes.substr(0, kTrailer));
  const std::size_t first = began_ ? 0 : 1;  // skip the start of the first member
  may_have_more_members_ |=
      joint.find(kMemberStart, first) != std::string::npos || bytes.find(kMemberStart, first) != std::string_view::npos;
  began_ |= !bytes.empty();
  tail_ += bytes.substr(bytes.size() - std::min(bytes.size(), kTrailer));
  if (tail_.size() > kTrailer) tail_.erase(0, tail_.size() - kTrailer);
}

void GzipCheck::decompressed(std::string_view bytes) {
  crc_ = crc32(crc_, bytes);
  length_ += static_cast<std::uint32_t>(bytes.size());
}

bool GzipCheck::holds() const {
  if (may_have_more_members_) return true;
  if (tail_.size() < kTrailer) return false;
  return little_endian(tail_) == crc_ && little_endian(std::string_view(tail_).substr(4)) == length_;
}

}  // namespace kinglet
