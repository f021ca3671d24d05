// How a parser says where something is wrong.
#include "data/row_parser.hpp"

#include <fmt/format.h>

#include "kinglet/error.hpp"

namespace kinglet {

void fail_at(const std::string& file, std::uint64_t line, std::size_t column, const std::string& message) {
  throw Error(fmt::format("{}:{}:{}: {}", file, line, column, message));
}

std::string quoted(std::string_view token) {
  constexpr std::size_t kLongest = 40;
  std::string text = "'";
  for (const char c : token.substr(0, kLongest)) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + (token.size() > kLongest ? "...'" : "'");
}

}  // namespace kinglet
