#include "papers/paper_settings.hpp"

#include <vector>

#include "core/assert.hpp"
#include "papers/paper.hpp"

namespace kinglet {
namespace {

constexpr std::string_view kSettings =
#include "paper_settings.inc"
    ;
constexpr std::string_view kReasons =
#include "paper_reasons.inc"
    ;

std::string_view next_part(std::string_view& text, char end) {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

// The lines of a table after its titles. The last of `columns` fields may contain commas.
std::vector<std::vector<std::string_view>> lines_of(std::string_view table, std::size_t columns) {
  std::vector<std::vector<std::string_view>> lines;
  next_part(table, '\n');
  while (!table.empty()) {
    std::string_view line = next_part(table, '\n');
    std::vector<std::string_view> fields;
    while (fields.size() + 1 < columns) fields.push_back(next_part(line, ','));
    fields.push_back(line);
    KINGLET_ASSERT(!fields.back().empty());
    lines.push_back(std::move(fields));
  }
  return lines;
}

// An empty field fits everything.
bool fits(std::string_view field, std::string_view value) { return field.empty() || field == value; }

}  // namespace

PaperSettings paper_settings(std::string_view paper, std::string_view row, std::string_view set,
                             std::string_view budget) {
  static const auto lines = lines_of(kSettings, 6);
  PaperSettings settings;
  for (const auto& line : lines) {
    if (line[0] != paper || !fits(line[1], row) || line[2] != set || !fits(line[3], budget)) continue;
    const Options found = options_of(line[4]);
    for (const auto& [name, value] : found.all()) settings.options.set(name, value);
    settings.origin = line[5];
  }
  return settings;
}

std::string paper_reason(std::string_view experiment, std::string_view row, std::string_view set,
                         std::string_view variant) {
  static const auto lines = lines_of(kReasons, 5);
  for (const auto& line : lines) {
    if (line[0] == experiment && fits(line[1], row) && fits(line[2], set) && fits(line[3], variant)) {
      return std::string(line[4]);
    }
  }
  return {};
}

}  // namespace kinglet
