// Decides whether the first row of a CSV file is a header.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "kinglet/source.hpp"

namespace kinglet {

// It is a header if it contains words and no numbers, or the name of the label column, or the names of all features of the
// model, which may be numbers.
class FirstRow {
 public:
  explicit FirstRow(const SourceOptions& options);

  void add(std::string_view field);
  std::size_t columns() const { return columns_; }
  bool is_header() const { return has_label_ || (knows_names_ && names_.empty()) || (has_word_ && !has_number_); }

 private:
  std::string label_;                           // empty: the label column has no name
  std::unordered_set<std::string_view> names_;  // of the features of the model that were not found yet
  bool knows_names_ = false;
  std::size_t columns_ = 0;
  bool has_label_ = false;
  bool has_number_ = false;
  bool has_word_ = false;
};

}  // namespace kinglet
