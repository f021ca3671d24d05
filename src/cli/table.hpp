// Aligned text: tables with a header line, and lists of names with values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinglet::cli {

struct Column {
  std::string title;
  bool right = true;      // alignment: right for numbers, left for names
  std::size_t width = 0;  // at least this wide
};

using Row = std::vector<std::string>;
using Listing = std::vector<std::pair<std::string, std::string>>;

// One line of a table whose column widths are already set.
std::string format_row(const std::vector<Column>& columns, const Row& cells);
// The header and all rows; each column is as wide as its widest cell.
std::string format_table(std::vector<Column> columns, const std::vector<Row>& rows);
// "name   value" lines with the values in one column.
std::string format_listing(const Listing& listing);

// Breaks a text into lines of at most `width` columns; all but the first are indented.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);
// The number of terminal columns of a text: its code points.
std::size_t display_width(std::string_view text);
std::string pad_right(std::string text, std::size_t width);

}  // namespace kinglet::cli
