#include "cli/table.hpp"

#include <algorithm>

namespace kinglet::cli {
namespace {

constexpr std::string_view kGap = "  ";

std::string cell_text(const Column& column, const std::string& cell) {
  const std::size_t width = std::max(column.width, display_width(column.title));
  const std::size_t taken = display_width(cell);
  const std::string fill(width > taken ? width - taken : 0, ' ');
  return column.right ? fill + cell : cell + fill;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string pad_right(std::string text, std::size_t width) {
  const std::size_t taken = display_width(text);
  if (taken < width) text.append(width - taken, ' ');
  return text;
}

std::string format_row(const std::vector<Column>& columns, const Row& cells) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line += kGap;
    line += cell_text(columns[i], i < cells.size() ? cells[i] : "");
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string format_table(std::vector<Column> columns, const std::vector<Row>& rows) {
  Row titles;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    titles.push_back(columns[i].title);
    for (const Row& row : rows) {
      if (i < row.size()) columns[i].width = std::max(columns[i].width, display_width(row[i]));
    }
  }
  std::string text = format_row(columns, titles);
  for (const Row& row : rows) text += format_row(columns, row);
  return text;
}

std::string format_listing(const Listing& listing) {
  std::size_t width = 0;
  for (const auto& [name, value] : listing) width = std::max(width, display_width(name));
  std::string text;
  for (const auto& [name, value] : listing) text += pad_right(name, width + 3) + value + "\n";
  return text;
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t length = display_width(word);
    if (column > 0 && column + 1 + length > width) {
      out += '\n' + std::string(indent, ' ');
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
  }
  return out;
}

}  // namespace kinglet::cli
