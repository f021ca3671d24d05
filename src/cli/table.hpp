// Aligned text for people: a table with a header line, and a list of names with values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinglet::cli {

struct Column {
  std::string title;
  bool right = true;      // numbers to the right, names to the left
  std::size_t width = 0;  // at least this wide
};

using Row = std::vector<std::string>;
using Listing = std::vector<std::pair<std::string, std::string>>;

// One line of a table whose columns have their final widths.
std::string format_row(const std::vector<Column>& columns, const Row& cells);
// The header and all rows, as wide as the widest cell of each column.
std::string format_table(std::vector<Column> columns, const std::vector<Row>& rows);
// "name   value" lines with the values in one column.
std::string format_listing(const Listing& listing);

// Lines of at most `width` columns, all but the first indented.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);
// How many columns a text takes on a terminal: its code points.
std::size_t display_width(std::string_view text);
std::string pad_right(std::string text, std::size_t width);

}  // namespace kinglet::cli
