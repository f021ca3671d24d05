#include "kinglet/error.hpp"

#include <fmt/format.h>

namespace kinglet {
namespace {

std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return line;
}

std::shared_ptr<const Message> one_line(const Message& message) {
  Message line;
  for (const Message::Piece& piece : message.pieces()) {
    if (const auto* mention = std::get_if<OptionMention>(&piece)) {
      line += option(one_line(mention->name), one_line(mention->value));
    } else if (const auto* text = std::get_if<std::string>(&piece)) {
      line += one_line(*text);
    } else {
      line += std::get<FunctionMention>(piece);
    }
  }
  return std::make_shared<const Message>(std::move(line));
}

}  // namespace

Error::Error(const Message& message) : Error(one_line(message)) {}

Error::Error(std::shared_ptr<const Message> one_line)
    : std::runtime_error(one_line->text()), message_(std::move(one_line)) {}

}  // namespace kinglet
