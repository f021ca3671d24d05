// Formats errors in data: with their position, and on one line whatever the data contain.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kinglet/message.hpp"

namespace kinglet {

// Throws "file:line:column: message".
[[noreturn]] void fail_at(const std::string& file, std::uint64_t line, std::size_t column, const Message& message);

// A piece of the data for a message: shortened, control characters as \x0a.
std::string printable(std::string_view text);

// The same in quotes.
std::string quoted(std::string_view text);

}  // namespace kinglet
