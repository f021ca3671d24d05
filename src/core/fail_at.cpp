// Formats errors in data.
#include "core/fail_at.hpp"

#include <fmt/format.h>

#include "core/compose.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

void fail_at(const std::string& file, std::uint64_t line, std::size_t column, const Message& message) {
  throw Error(compose("{}:{}:{}: {}", file, line, column, message));
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string result;
  for (const char c : text.substr(0, kLongest)) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return text.size() > kLongest ? result + "..." : result;
}

std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

}  // namespace kinglet
