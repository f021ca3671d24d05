// compose("{} needs {}", option("every"), "a folder"): a message. Mentions of options and functions, also those in
// other messages, are kept as mentions, not converted to text. Everything else is formatted by fmt. A number that needs
// a format of its own is formatted by the caller first.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <type_traits>

#include "kinglet/message.hpp"

namespace kinglet {

// A text with one {} for each argument, which is checked when it is compiled.
template <class... Args>
struct MessageFormat {
  template <std::size_t N>
  consteval MessageFormat(const char (&literal)[N]) : text(literal, N - 1) {  // NOLINT(google-explicit-constructor)
    std::size_t places = 0;
    for (std::size_t at = text.find("{}"); at != text.npos; at = text.find("{}", at + 2)) ++places;
    if (places != sizeof...(Args)) throw "a message needs one {} for each argument";
  }

  std::string_view text;
};

template <class T>
Message message_part(const T& value) {
  if constexpr (std::is_convertible_v<const T&, Message>) {
    return value;
  } else {
    return fmt::vformat("{}", fmt::make_format_args(value));
  }
}

template <class... Args>
Message compose(MessageFormat<std::type_identity_t<Args>...> format, const Args&... args) {
  Message message;
  std::string_view rest = format.text;
  const auto add = [&](const Message& part) {
    const std::size_t place = rest.find("{}");
    message += std::string(rest.substr(0, place));
    message += part;
    rest.remove_prefix(place + 2);
  };
  (add(message_part(args)), ...);
  return message += std::string(rest);
}

}  // namespace kinglet
