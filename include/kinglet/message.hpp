// Text for people that mentions options. The mentions are kept as data, because each caller spells an option in its own
// way: the command writes --gamma, Python gamma=, C++ and C gamma. A message becomes text where it leaves the program.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kinglet {

// A mention of an option, perhaps with a value: task, or task with the value "regress".
struct OptionMention {
  std::string name;
  std::string value{};  // empty: none

  friend bool operator==(const OptionMention&, const OptionMention&) = default;
};

// option("gamma"), option("task", "regress")
inline OptionMention option(std::string name, std::string value = {}) { return {std::move(name), std::move(value)}; }

// How a caller spells an option.
using OptionStyle = std::string (*)(const OptionMention& mention);

// The spelling of C++ and C: gamma, task=regress.
std::string plain_option(const OptionMention& mention);

class Message {
 public:
  using Piece = std::variant<std::string, OptionMention>;

  Message() = default;
  Message(std::string text) { append(std::move(text)); }          // NOLINT(google-explicit-constructor)
  Message(const char* text) : Message(std::string(text)) {}       // NOLINT(google-explicit-constructor)
  Message(OptionMention mention) { append(std::move(mention)); }  // NOLINT(google-explicit-constructor)
  // {"needs ", option("memory"), " to know how much may be used"}
  Message(std::initializer_list<Piece> pieces);

  bool empty() const { return pieces_.empty(); }
  std::string text(OptionStyle style = plain_option) const;
  const std::vector<Piece>& pieces() const { return pieces_; }

  Message& operator+=(const Message& more);

  friend bool operator==(const Message&, const Message&) = default;

 private:
  void append(Piece piece);

  std::vector<Piece> pieces_;
};

}  // namespace kinglet
