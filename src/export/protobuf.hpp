// Writes the wire format of Protocol Buffers: a message is a sequence of fields, each consisting of a key (the number
// of the field and how its value is stored) and a value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinglet {

class ProtobufMessage {
 public:
  void integer(std::uint32_t field, std::int64_t value) {
    key(field, kVarint);
    varint(static_cast<std::uint64_t>(value));
  }
  void bytes(std::uint32_t field, std::string_view value) {
    key(field, kLength);
    varint(value.size());
    bytes_.append(value);
  }
  void message(std::uint32_t field, const ProtobufMessage& value) { bytes(field, value.bytes_); }

  const std::string& str() const { return bytes_; }

 private:
  enum Wire : std::uint32_t { kVarint = 0, kLength = 2 };

  void key(std::uint32_t field, Wire wire) { varint(std::uint64_t{field} << 3 | wire); }
  // Seven bits per byte, lowest first; the eighth bit means that more follow.
  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>((value & 127) | 128);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace kinglet
