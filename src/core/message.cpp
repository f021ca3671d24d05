#include "kinglet/message.hpp"

namespace kinglet {

std::string plain_option(const OptionMention& mention) {
  return mention.value.empty() ? mention.name : mention.name + "=" + mention.value;
}

std::string plain_function(const FunctionMention& mention) { return mention.name + "()"; }

Message::Message(std::initializer_list<Piece> pieces) {
  for (const Piece& piece : pieces) append(piece);
}

std::string Message::text(OptionStyle option_style, FunctionStyle function_style) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    if (const auto* option = std::get_if<OptionMention>(&piece)) {
      text += option_style(*option);
    } else if (const auto* function = std::get_if<FunctionMention>(&piece)) {
      text += function_style(*function);
    } else {
      text += std::get<std::string>(piece);
    }
  }
  return text;
}

Message& Message::operator+=(const Message& more) {
  for (const Piece& piece : more.pieces_) append(piece);
  return *this;
}

// Equal messages have equal pieces: no piece is empty, and no text follows on another.
void Message::append(Piece piece) {
  auto* text = std::get_if<std::string>(&piece);
  if (text != nullptr && text->empty()) return;
  if (text != nullptr && !pieces_.empty()) {
    if (auto* last = std::get_if<std::string>(&pieces_.back())) {
      *last += *text;
      return;
    }
  }
  pieces_.push_back(std::move(piece));
}

}  // namespace kinglet
