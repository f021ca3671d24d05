// Finds out from the first rows what the columns of records are, and plans their features.
//
//   number    nearly all values are numbers; if they count the rows and other columns are no numbers: ignore
//   time      nearly all are dates or times in ISO 8601
//   text      most values differ and have several words
//   ignore    no value at all; or nearly all values differ: the column identifies rows, and says nothing about others
//   category  anything else
//
// "Nearly all" is 90 %, so that a typing error is reported as such. Codes that are numbers are numbers: a user who
// knows better says so. Seconds since 1970 are numbers, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinglet/schema.hpp"

namespace kinglet {

// How many features a column may become.
struct RecordLimits {
  std::uint32_t category_values = 100;  // slots of a category
  std::uint32_t text_features = 256;    // buckets of a text
};

// What the first rows show about a column.
class ColumnProfile {
 public:
  void add(std::string_view value);
  void add_missing(std::uint64_t count = 1) { missing_ += count; }

  // number, time, text, ignore or category.
  ColumnKind kind() const;
  bool is_empty() const { return count_ == 0; }   // not one value
  std::uint64_t count() const { return count_; }  // of values
  std::uint64_t different() const { return seen_.size(); }
  // Whether the values are numbers that grow by one from row to row.
  bool counts_rows() const;
  // A value, if nearly all are numbers in a notation that is not read, such as 1,5 or 1,234 or 0x1F; else nothing.
  std::optional<std::string> odd_number() const;
  bool has_missing() const { return missing_ > 0; }
  // The features of the column as this kind, which may be another than kind(), but not ignore. `indicates`: whether
  // missing values get a feature.
  ColumnPlan plan(ColumnKind kind, const RecordLimits& limits, bool indicates) const;

 private:
  bool nearly_all(std::uint64_t n) const { return 10 * n >= 9 * count_; }
  void plan_values(const RecordLimits& limits, ColumnPlan& plan) const;

  struct Seen {
    std::string value;
    std::uint64_t count = 0;
  };

  std::uint64_t count_ = 0;  // without missing values
  std::uint64_t missing_ = 0;
  std::uint64_t numbers_ = 0;
  std::uint64_t times_ = 0;
  std::uint64_t odd_numbers_ = 0;
  std::uint64_t steps_of_one_ = 0;  // from one number to the next
  std::uint64_t words_ = 0;
  double first_time_ = 0;      // the earliest one
  double first_number_ = 0;    // the smallest one
  double largest_number_ = 0;  // absolute
  double last_number_ = 0;
  std::vector<Seen> seen_;                              // different values in order of first appearance
  std::unordered_map<std::string, std::size_t> place_;  // in seen_
};

}  // namespace kinglet
