// Decides whether the first row of a CSV file is a header.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

// It is a header if it contains the name of the label column, or the names of all features of the model, which may be
// numbers; or words and no numbers. A row of words is doubtful as a header (HeaderDoubt), unless the data are those of
// a model: if the columns of the model have no names, it is a header only where the model has numbers.
class FirstRow {
 public:
  explicit FirstRow(const SourceOptions& options);

  void add(std::string_view field);
  std::size_t columns() const { return columns_; }
  bool is_header() const { return is_known() || (has_word_ && !has_number_ && may_be_words_); }
  // Whether it is a header only because it has words.
  bool is_doubtful() const { return !has_model_ && is_header() && !is_known(); }

 private:
  bool is_known() const { return has_label_ || (knows_names_ && names_.empty()); }

  std::string label_;                           // empty: the label column has no name
  std::unordered_set<std::string_view> names_;  // of the features of the model that were not found yet
  bool knows_names_ = false;
  bool has_model_;
  bool may_be_words_ = true;
  std::size_t columns_ = 0;
  bool has_label_ = false;
  bool has_number_ = false;
  bool has_word_ = false;
};

// Compares a first row of words, taken as a header, with the rows below. It is a row like them if half of its fields
// are also values of their columns, or if some of its fields are equal, but not if it stands above a number.
class HeaderDoubt {
 public:
  explicit HeaderDoubt(std::vector<std::string> first);

  // Another row. Returns whether it leaves no doubt: the first row is a header.
  bool removes(const std::vector<std::string>& row);
  bool is_row() const { return rows_ > 0 && (has_equal_ || 2 * recurring() >= first_.size()); }
  // A column whose field recurs.
  std::optional<std::size_t> recurring_column() const;

 private:
  std::size_t recurring() const;

  std::vector<std::string> first_;
  std::vector<bool> recurs_;
  bool has_equal_ = false;
  std::size_t rows_ = 0;
};

}  // namespace kinglet
