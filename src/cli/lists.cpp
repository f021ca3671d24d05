#include "cli/lists.hpp"

#include <fmt/format.h>

#include "data/generator.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {

std::vector<std::string> parse_list(const std::string& text, const std::string& option) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    if (parts.back().empty()) throw Error(fmt::format("{} '{}': a part of the list is empty", option, text));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::uint64_t> parse_counts(const std::string& text, const std::string& option) {
  std::vector<std::uint64_t> counts;
  for (const std::string& part : parse_list(text, option)) {
    const auto count = parse_count(part);
    if (!count || *count == 0) throw Error(fmt::format("{}: '{}' is not a positive whole number", option, part));
    counts.push_back(*count);
  }
  return counts;
}

}  // namespace kinglet::cli
