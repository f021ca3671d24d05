// Writes and reads the state of a learner as bytes: little-endian, each array preceded by its length. The reader checks
// every length against the remaining bytes, so a damaged file gives an Error and never a huge allocation. The model
// file (docs/model-format.md) adds a header and a checksum.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kinglet/error.hpp"

namespace kinglet {

template <class T>
concept Plain = std::is_arithmetic_v<T>;

// Converts numbers to and from little-endian; does nothing on most machines.
template <Plain T>
T little_endian(T value) {
  if constexpr (std::endian::native == std::endian::little || sizeof(T) == 1) return value;
  auto bytes = std::bit_cast<std::array<unsigned char, sizeof(T)>>(value);
  for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  return std::bit_cast<T>(bytes);
}

class StateWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  StateWriter() = default;  // keeps all bytes
  // Passes the bytes on in pieces, so that a large state takes little memory. Call flush() at the end.
  explicit StateWriter(Sink sink) : sink_(std::move(sink)) {}

  template <Plain T>
  void put(T value) {
    const T image = little_endian(value);
    put_bytes({reinterpret_cast<const char*>(&image), sizeof image});
  }
  template <Plain T>
  void put_array(std::span<const T> values) {
    put<std::uint64_t>(values.size());
    if constexpr (std::endian::native == std::endian::little || sizeof(T) == 1) {
      put_bytes({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    } else {
      for (const T value : values) put(value);
    }
  }
  template <Plain T>
  void put_array(const std::vector<T>& values) {
    put_array(std::span<const T>(values));
  }
  void put_text(std::string_view text) {
    put<std::uint64_t>(text.size());
    put_bytes(text);
  }
  void put_bytes(std::string_view bytes) {
    if (sink_ && bytes_.size() + bytes.size() > kPiece) flush();
    if (sink_ && bytes.size() > kPiece) {
      sink_(bytes);
    } else {
      bytes_.append(bytes);
    }
  }
  void flush() {
    sink_(bytes_);
    bytes_.clear();
  }
  const std::string& bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kPiece = 1u << 16;

  Sink sink_;
  std::string bytes_;
};

class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}

  template <Plain T>
  T get() {
    T image;
    std::memcpy(&image, take(sizeof image).data(), sizeof image);
    return little_endian(image);
  }
  // Reads the number of items, which must fit into the rest of the file at `item_bytes` or more each.
  std::size_t get_count(std::size_t item_bytes) {
    const auto count = get<std::uint64_t>();
    if (item_bytes != 0 && count > rest_.size() / item_bytes) throw Error("the model is truncated or damaged");
    return static_cast<std::size_t>(count);
  }
  template <Plain T>
  std::vector<T> get_array() {
    std::vector<T> values(get_count(sizeof(T)));
    if (values.empty()) return values;
    std::memcpy(values.data(), take(values.size() * sizeof(T)).data(), values.size() * sizeof(T));
    for (T& value : values) value = little_endian(value);
    return values;
  }
  std::string get_text() { return std::string(get_bytes()); }
  // The same without a copy; valid as long as the input of the reader.
  std::string_view get_bytes() { return take(get_count(1)); }
  // Throws unless `holds`; for values that later code relies on.
  static void require(bool holds, const char* what) {
    if (!holds) throw Error(std::string("the model is damaged: ") + what);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take(std::size_t n) {
    if (n > rest_.size()) throw Error("the model is truncated or damaged");
    const auto part = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return part;
  }
  std::string_view rest_;
};

}  // namespace kinglet
