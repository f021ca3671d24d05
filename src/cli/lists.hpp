// Comma-separated arguments: "100,500,1000".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kinglet::cli {

// Splits at commas; throws Error if a part is empty.
std::vector<std::string> parse_list(const std::string& text, const std::string& option);
// The same for whole numbers from 1, which may be written as 1K.
std::vector<std::uint64_t> parse_counts(const std::string& text, const std::string& option);

}  // namespace kinglet::cli
