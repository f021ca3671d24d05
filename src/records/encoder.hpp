// Encodes records: the fields of a record, in any order, become a row of features as the schema says.
//
//   RecordEncoder encoder(columns, RecordEncoder::NewValues::stay);
//   encoder.add_text(0, "39");  encoder.add_text(1, "cook");  encoder.append_to(batch);
//
// It knows nothing of files: readers of CSV and JSON hand it texts, the Python module columns of arrays. Rows are sparse.
// All numbers come first in each row, also those that are 0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "kinglet/source.hpp"
#include "records/category_values.hpp"
#include "records/time_fields.hpp"
#include "records/words.hpp"

namespace kinglet {

class RecordEncoder {
 public:
  // A category, the words of a text and the cycles of a time have this length (√2 this distance from another value), where a
  // number has a standard deviation of 1. On rows to train with of two files, 0.4 and 0.5 were better than 0.7.
  static constexpr float kUnit = 0.5F;

  // In learning, a new value of a category takes a free slot, and every time is taken as it is. In predicting, new
  // values are hashed, and new times count as learned ones (learned_times.hpp).
  enum class NewValues { stay, hash };

  // `columns` have a schema. `missing`: how missing numbers are filled in, as in SourceOptions.
  RecordEncoder(std::shared_ptr<const Columns> columns, NewValues new_values, std::optional<Missing> missing);

  std::size_t columns() const { return schema_->columns.size(); }

  // The next field of the record. A column that gets no field has a missing value. Throws Error if the field does not fit
  // the kind of its column. The message is only what is wrong with it, such as "is not a number": the caller says which field
  // of which column it is. Then the record must be begun again.
  void add_text(std::size_t column, std::string_view field);
  void add_number(std::size_t column, double value);  // NaN: missing
  void begin();                                       // forgets the fields so far

  // Ends the record and appends its features to a sparse batch: values, indices and offsets.
  void append_to(Batch& batch);

  // The columns with all values of categories and all times so far.
  const std::shared_ptr<const Columns>& snapshot();

  // In the records appended since the last clear_counts(), by column: missing values, and times that were not learned.
  std::span<const std::uint64_t> missing() const { return missing_counts_; }
  std::span<const std::uint64_t> new_times() const { return new_time_counts_; }
  void clear_counts();

 private:
  void set_number(const ColumnPlan& plan, float value) { numbers_[plan.scaled] = value; }
  void set_time(std::size_t column, const TimePoint& time);
  void set_time_text(std::size_t column, std::string_view field);
  void count_time(std::size_t column, double seconds);
  void set_category(std::size_t column, std::string_view value);
  void set_missing(std::size_t column);
  void add_entry(std::uint32_t feature, float value) { entries_.emplace_back(feature, value); }

  std::shared_ptr<const Columns> columns_;  // the last snapshot
  const Schema* schema_;                    // of columns_
  bool new_values_stay_;
  std::optional<Missing> missing_;
  std::vector<CategoryValues> categories_;  // by column; empty ones for other kinds
  HashedWords words_;
  std::vector<LearnedTimes> times_;  // by column, of those with ColumnPlan::learned
  std::vector<std::uint64_t> missing_counts_;
  std::vector<std::uint64_t> new_time_counts_;

  // The record.
  std::vector<float> numbers_;
  std::vector<std::pair<std::uint32_t, float>> entries_;   // the other features
  std::vector<bool> present_;                              // by column
  std::vector<std::pair<std::size_t, double>> new_times_;  // column and seconds of the times outside of `times_`
};

}  // namespace kinglet
