// How errors of the data are worded: with their place, and on one line whatever the data holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinglet {

// Throws "file:line:column: message".
[[noreturn]] void fail_at(const std::string& file, std::uint64_t line, std::size_t column, const std::string& message);

// A piece of the data for a message: control characters as \x0a, and not long.
std::string printable(std::string_view text);

// The same in quotes.
std::string quoted(std::string_view text);

}  // namespace kinglet
