// Arguments that are lists: "100,500,1000".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kinglet::cli {

// The parts between commas; Error where one is empty.
std::vector<std::string> parse_list(const std::string& text, const std::string& option);
// The same for whole numbers from 1, written as people do: 250, 1K.
std::vector<std::uint64_t> parse_counts(const std::string& text, const std::string& option);

}  // namespace kinglet::cli
