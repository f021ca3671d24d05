// Text for people that mentions options and functions. The mentions are kept as data, because each caller spells them
// in its own way: the command writes --gamma and `kinglet span`, Python gamma= and kinglet.make_start(), C++ gamma and
// make_start(). A message becomes text where it leaves the program.
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

// A mention of a function of the interface, by its name in C++.
struct FunctionMention {
  std::string name;

  friend bool operator==(const FunctionMention&, const FunctionMention&) = default;
};

// function("make_start")
inline FunctionMention function(std::string name) { return {std::move(name)}; }

// How a caller spells an option and a function.
using OptionStyle = std::string (*)(const OptionMention& mention);
using FunctionStyle = std::string (*)(const FunctionMention& mention);

// The spelling of C++ and C: gamma, task=regress, make_start().
std::string plain_option(const OptionMention& mention);
std::string plain_function(const FunctionMention& mention);

class Message {
 public:
  using Piece = std::variant<std::string, OptionMention, FunctionMention>;

  Message() = default;
  Message(std::string text) { append(std::move(text)); }            // NOLINT(google-explicit-constructor)
  Message(const char* text) : Message(std::string(text)) {}         // NOLINT(google-explicit-constructor)
  Message(OptionMention mention) { append(std::move(mention)); }    // NOLINT(google-explicit-constructor)
  Message(FunctionMention mention) { append(std::move(mention)); }  // NOLINT(google-explicit-constructor)
  // {"needs ", option("memory"), " to know how much may be used"}
  Message(std::initializer_list<Piece> pieces);

  bool empty() const { return pieces_.empty(); }
  std::string text(OptionStyle option_style = plain_option, FunctionStyle function_style = plain_function) const;
  const std::vector<Piece>& pieces() const { return pieces_; }

  Message& operator+=(const Message& more);

  friend bool operator==(const Message&, const Message&) = default;

 private:
  void append(Piece piece);

  std::vector<Piece> pieces_;
};

}  // namespace kinglet
