// Turns the fields of records into rows of a batch: what readers of CSV and of JSON lines share.
//
// If every column is a plain number, rows are dense. Otherwise the encoder makes sparse rows of them
// (records/encoder.hpp). The columns of a model say which it is; without them, the first rows do
// (data/record_columns.hpp).
//
// A reader calls begin_row, then add for each column in any order, then end_row. Errors say what is wrong with the
// value of which column; the reader adds the place.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/column_map.hpp"
#include "data/label_ids.hpp"
#include "data/row_parser.hpp"
#include "kinglet/source.hpp"
#include "records/detect.hpp"
#include "records/encoder.hpp"
#include "records/missing.hpp"

namespace kinglet {

// Whether the text is a number, perhaps one that is too large.
bool looks_like_number(std::string_view text);

class RowBuilder {
 public:
  // Whether columns have an order, so that messages give their numbers.
  enum class Order { numbered, none };

  RowBuilder(const SourceOptions& options, Order order);

  // --- columns ------------------------------------------------------------------------------------------------------

  // First the columns by name (none: there is no header) or number. Then, if needs_first_rows(), look_at() all fields
  // of the first rows. Then settle() decides what the columns are; without a row, they are numbers. Both throw Error if
  // the columns do not fit the options or the model.
  void map_columns(std::vector<std::string> names, std::size_t count);
  bool needs_first_rows() const { return !options_.columns && map_.dimension > 0; }
  void look_at(std::size_t column, std::string_view text);
  void look_at_missing(std::size_t column, std::uint64_t count);
  void settle();
  // For Columns::notes, before settle().
  void add_note(Message note) { notes_.push_back(std::move(note)); }
  // Notes that a column has the numbers of the rows.
  void note_row_numbers(std::size_t column);

  bool is_ready() const { return is_ready_; }  // settle() was called
  const ColumnMap& columns() const { return map_; }
  const std::vector<std::string>& names() const { return names_; }
  bool has_looked() const { return has_looked_; }  // at a field
  bool encodes() const { return encoder_.has_value(); }
  std::string column_name(std::size_t column) const;

  // --- rows ---------------------------------------------------------------------------------------------------------

  void begin_batch(Batch& batch) const;
  void end_batch(Batch& batch);

  void begin_row(Batch& batch);
  void add(std::size_t column, std::string_view text, Batch& batch);
  void end_row(Batch& batch);  // leaves the row out if it has no label and need not have one

  // Dense rows: the number that `text` is or stands for, and the numbers of the row that was begun. A reader that is in
  // a hurry fills in numbers itself.
  float number_of(std::size_t column, std::string_view text);
  float* numbers(Batch& batch) const { return batch.values.data() + batch.rows() * map_.dimension; }

  // --- passes and parts ---------------------------------------------------------------------------------------------

  void rewind();
  const DataGaps& gaps() const { return gaps_; }
  // For a part of the text (row_parser.hpp): labels and gaps begin anew, and batches have any number of rows.
  void begin_part();
  bool accepts(const PartRows& part) const { return labels_.has_room_for(part.batch.new_labels.size()); }
  // The same as RowParser::append.
  bool append(PartRows& part, Batch& batch);
  std::size_t most_rows() const { return most_rows_; }  // in a batch

 private:
  // What a row has besides its features.
  struct Specials {
    std::uint32_t label = kNoLabel;
    float target = 0;
    float weight = 1;
    std::string id;
    bool is_unlabelled = false;  // and is left out therefore
  };

  void add_feature(std::size_t column, std::string_view text);
  void add_label(std::string_view text, Batch& batch);
  void require_value(std::size_t column) const;
  void require_label(std::string_view text) const;
  bool is_gap(std::string_view text) const { return is_missing(text, null_words_); }
  bool has_no_label(std::string_view text) const;
  void doubt_label() const;
  std::uint32_t label_of(std::string_view text, Batch& batch);
  [[noreturn]] static void refuse_label(std::string_view text);
  void make_room(std::size_t rows, Batch& batch) const;
  Message hint_for_kind(std::size_t column, std::string_view text) const;

  SourceOptions options_;
  Order order_;
  std::vector<std::string> names_;  // of all columns, if they have names
  ColumnMap map_;
  std::vector<ColumnProfile> profiles_;  // by column
  std::vector<Message> notes_;
  bool has_looked_ = false;
  bool null_words_;  // are missing values
  bool is_ready_ = false;
  bool has_targets_ = false;
  std::optional<RecordEncoder> encoder_;  // for records
  LabelIds labels_;
  DataGaps gaps_;
  Specials specials_;
  std::size_t most_rows_ = kBatchRows;
};

// Inline, because rows of few numbers are read in little more time than these take.

inline void RowBuilder::begin_row(Batch& batch) {
  specials_.label = kNoLabel;
  specials_.is_unlabelled = false;
  if (encoder_) return encoder_->begin();
  if (batch.values.size() < (batch.rows() + 1) * map_.dimension) make_room(batch.rows(), batch);
}

inline void RowBuilder::end_row(Batch& batch) {
  if (specials_.is_unlabelled) {
    ++gaps_.unlabelled;
    return;
  }
  if (encoder_) encoder_->append_to(batch);
  batch.labels.push_back(specials_.label);
  if (has_targets_) batch.targets.push_back(specials_.target);
  if (map_.has_weight) batch.weights.push_back(specials_.weight);
  if (map_.has_id) batch.ids.push_back(std::move(specials_.id));
}

}  // namespace kinglet
