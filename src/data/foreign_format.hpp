// Recognises files that are not data in a format that kinglet reads, by their first bytes.
#pragma once

#include <string>
#include <string_view>

namespace kinglet {

inline constexpr std::size_t kForeignBytes = 512;  // always enough to decide

// What the file is and how to convert it, to be appended to its name in a message; empty for text.
std::string foreign_format(std::string_view beginning);

}  // namespace kinglet
