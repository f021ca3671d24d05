// Decides what each column of a CSV file is: which column of the features, the label, the weight, the id, or one that
// is not read. For records, a "feature" is a column that is learned from; what it becomes, its schema says.
//
// For data of its own, a file is read in its order: the label is where the options say, every other column is a
// feature. For a model (SourceOptions::columns) the columns are found by name if both have names: in any order, with or
// without the model's label and weight columns and those that it left out. Otherwise the number of columns must fit,
// and the label is in the place where the model had it. Nothing is guessed: what the options and the model leave open
// is an error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

struct ColumnMap {
  // What a column is, if it is not a feature.
  static constexpr std::uint32_t kUnread = 0xFFFFFFFC;
  static constexpr std::uint32_t kId = 0xFFFFFFFD;
  static constexpr std::uint32_t kLabel = 0xFFFFFFFE;
  static constexpr std::uint32_t kWeight = 0xFFFFFFFF;

  std::vector<std::uint32_t> places;  // by column: the number of its feature, or one of the above
  std::uint32_t dimension = 0;        // number of features
  bool has_label = false;             // and is it read
  bool has_weight = false;
  bool has_id = false;
  std::shared_ptr<const Columns> columns;  // those of the model, or of this file

  static bool is_feature(std::uint32_t place) { return place < kUnread; }
};

// `names` is the header; empty: the file has none. `count` is the number of columns. Throws Error if the columns do not
// fit the options or the model. Columns for which `unread` is true (empty: none) are not read either.
ColumnMap map_columns(const std::vector<std::string>& names, std::size_t count, const SourceOptions& options,
                      const std::vector<bool>& unread = {});

// The column with this name, or number counted from 1, or "first" or "last". If there is none, throws Error, or returns
// nullopt if there `may_be_none`.
std::optional<std::size_t> find_column(const std::vector<std::string>& names, std::size_t count,
                                       const std::string& column, bool may_be_none);

// How an option can name this column: by its name, or by its number if that would be misunderstood.
std::string column_argument(const std::vector<std::string>& names, std::size_t column);

}  // namespace kinglet
