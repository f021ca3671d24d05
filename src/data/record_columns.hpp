// Decides what the columns of a source's own records are, from the options and from what their first rows show.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/column_map.hpp"
#include "records/detect.hpp"

namespace kinglet {

// The first rows that show what the columns are: at most kBatchRows, which end within so many bytes.
inline constexpr std::size_t kDetectBytes = 512u << 10;

// `map` says which columns are features; there is one profile for each column. A column without a value is left out,
// unless the options say how to fill in missing values: then it is a number. Returns the map without those that turn
// out to be of kind ignore. Its columns have a schema, unless all of them are plain numbers, and notes about what is
// odd. Throws Error if the options do not fit.
ColumnMap with_kinds(const ColumnMap& map, const std::vector<std::string>& names,
                     std::span<const ColumnProfile> profiles, const SourceOptions& options);

// That a column has the numbers of the rows, and how to leave it out.
Message row_numbers_note(const std::vector<std::string>& names, std::size_t column);

// For data that are read with the columns of a model: throws Error if SourceOptions::kinds says something else.
void require_same_kinds(const ColumnMap& map, const std::vector<std::string>& names, const SourceOptions& options);

}  // namespace kinglet
