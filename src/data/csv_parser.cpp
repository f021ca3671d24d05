// Parses CSV and TSV. Quoted fields may contain separators, line ends and, doubled, quotes (csv_fields.hpp). The first
// row determines the number of columns and whether it is a header. A label is a class or, with numeric_labels, a
// number.
//
// If every column is a number, rows are parsed as fast as possible. Otherwise they are records (row_builder.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/compose.hpp"
#include "core/fail_at.hpp"
#include "core/number.hpp"
#include "data/csv_fields.hpp"
#include "data/csv_header.hpp"
#include "data/record_columns.hpp"
#include "data/record_parser.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// Finds columns of plain numbers that count the rows.
class RowNumbers {
 public:
  explicit RowNumbers(std::size_t columns) : seen_(columns) {}

  void add(std::size_t column, float number) {
    Seen& seen = seen_[column];
    if (seen.steady && (seen.count == 0 || number == seen.last + 1)) {
      seen.last = number;
      ++seen.count;
    } else {
      seen.steady = false;
    }
  }
  std::vector<std::size_t> columns() const {
    constexpr std::size_t kEnough = 20;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i].steady && seen_[i].count >= kEnough) found.push_back(i);
    }
    return found;
  }

 private:
  struct Seen {
    float last = 0;
    std::size_t count = 0;
    bool steady = true;
  };
  std::vector<Seen> seen_;
};

class CsvParser final : public RecordParser {
 public:
  CsvParser(std::string file, char separator, const SourceOptions& options)
      : RecordParser(std::move(file), options, RowBuilder::Order::numbered), fields_(separator) {}

  std::size_t parse(std::string_view text, bool last, Batch& batch) override;
  std::optional<Skipped> skip_row(std::string_view text, bool last) override;
  std::unique_ptr<RowParser> fork() const override;
  void rewind() override {
    RecordParser::rewind();
    at_first_row_ = true;
  }
  std::string empty_message() const override {
    if (gaps().unlabelled > 0) return "no row has a label";
    return builder_.names().empty() ? "no rows, only blank lines" : "a header but no rows";
  }

 private:
  const char* parse_first_row(const char* p, bool last);
  std::optional<bool> stays_header(const char* p, bool last);
  bool set_up(std::vector<std::string> names, std::size_t count, const char* rows, bool last);
  enum class Look { numbers, others, more };
  Look look_for_numbers(const char* p, bool last);
  Look look_for_numbers(const char* p, bool last, RowNumbers& counting) const;
  bool look_at_rows(const char* p, bool last, const char*& misfit);
  void require_columns(const char* p, bool last) const;
  const char* parse_numbers(const char* p, bool last, Batch& batch);
  const char* parse_odd_number(const char* p, bool last, std::size_t column, float& value);
  const char* parse_enclosed(const char* p, float& value) const;
  const char* parse_record(const char* p, bool last, Batch& batch);
  CsvField field_at(const char* p, bool last) { return field_of(fields_, p, last); }
  CsvField field_of(CsvFields& fields, const char* p, bool last) const;
  template <class Take>
  const char* pass_over_row(CsvFields& fields, const char* p, bool last, const Take& take) const;
  bool is_last_field(const char* after, std::size_t count, std::size_t columns) const;
  [[noreturn]] void fail(const char* p, const Message& message) const override;  // a row may span several lines
  [[noreturn]] void fail_columns(const char* p, bool too_many) const;

  CsvFields fields_;
  bool at_first_row_ = true;
  const char* end_ = nullptr;  // end of the text
};

std::unique_ptr<RowParser> CsvParser::fork() const {
  auto fork = std::make_unique<CsvParser>(*this);
  fork->builder_.begin_part();
  return fork;
}

// --- rows ------------------------------------------------------------------------------------------------------------

std::size_t CsvParser::parse(std::string_view text, bool last, Batch& batch) {
  const char* p = text.data();
  end_ = p + text.size();
  while (p != end_ && batch.rows() < builder_.most_rows()) {
    row_ = p;
    fields_.start_row();
    if (line_ == 1 && std::string_view(p, static_cast<std::size_t>(end_ - p)).starts_with("\xEF\xBB\xBF")) p += 3;
    const char* next = fields_.past_blank_line(p);
    if (next == nullptr) {
      next = at_first_row_        ? parse_first_row(p, last)
             : builder_.encodes() ? parse_record(p, last, batch)
                                  : parse_numbers(p, last, batch);
    }
    if (next == nullptr) return static_cast<std::size_t>(row_ - text.data());
    if (next != p) line_ += 1 + fields_.inner_lines();
    p = next;
  }
  return static_cast<std::size_t>(p - text.data());
}

// A row ends where its quotes say so. If they are what is wrong, the next line is the next row.
std::optional<RowParser::Skipped> CsvParser::skip_row(std::string_view text, bool last) {
  if (at_first_row_) return std::nullopt;  // it has the columns
  fields_.start_row();
  const char* p = nullptr;
  try {
    p = pass_over_row(fields_, row_, last, [](std::string_view) {});
    if (p == nullptr) return Skipped{.bytes = static_cast<std::size_t>(row_ - text.data()), .whole = false};
  } catch (const Error&) {
    fields_.start_row();
    p = static_cast<const char*>(std::memchr(row_, '\n', static_cast<std::size_t>(end_ - row_))) + 1;
  }
  line_ += 1 + fields_.inner_lines();
  return Skipped{.bytes = static_cast<std::size_t>(p - text.data())};
}

// Returns the start of the next row, or null if this row continues in a later text.
const char* CsvParser::parse_numbers(const char* p, bool last, Batch& batch) {
  builder_.begin_row(batch);
  float* const values = builder_.numbers(batch);
  // Local copies, because the compiler cannot know that writing values does not change the members.
  const std::size_t columns = builder_.columns().places.size();
  const std::uint32_t* const places = builder_.columns().places.data();
  const char* const end = end_;
  const char separator = fields_.separator();
  for (std::size_t column = 0;; ++p) {
    const std::uint32_t place = places[column];
    if (ColumnMap::is_feature(place)) {
      float& value = values[place];
      const char* after = parse_float(p, end, value);
      if (after != nullptr && *after == '\r' && after[1] == '\n') ++after;
      if (after == nullptr || (*after != separator && *after != '\n')) {
        after = parse_odd_number(p, last, column, value);
        if (after == nullptr) return nullptr;
      }
      p = after;
    } else {
      const CsvField field = field_at(p, last);
      if (field.next == nullptr) return nullptr;
      add(column, field.text, field.begin, batch);
      p = field.next;
    }
    if (is_last_field(p, ++column, columns)) break;
  }
  builder_.end_row(batch);
  return p + 1;
}

// Handles a field that is not just a number: one with blanks or quotes, a missing value, or an error. Returns the
// separator or '\n' after it, or null if it continues in a later text.
const char* CsvParser::parse_odd_number(const char* p, bool last, std::size_t column, float& value) {
  if (const char* const after = *p == fields_.separator() ? nullptr : parse_enclosed(p, value)) return after;
  const CsvField field = field_at(p, last);
  if (field.next == nullptr) return nullptr;
  try {
    value = builder_.number_of(column, field.text);
  } catch (const Error& error) {
    fail(field.begin, error.message());
  }
  return field.next;
}

// Reads a number that is in quotes or between blanks. Returns the separator or '\n' after it; null if it is anything
// else.
const char* CsvParser::parse_enclosed(const char* p, float& value) const {
  while (fields_.is_blank(*p)) ++p;
  const bool in_quotes = *p == '"';
  p = parse_float(in_quotes ? p + 1 : p, end_, value);
  if (p == nullptr || (in_quotes && *p++ != '"')) return nullptr;
  while (fields_.is_blank(*p)) ++p;
  if (*p == '\r' && p[1] == '\n') ++p;
  return *p == fields_.separator() || *p == '\n' ? p : nullptr;
}

// The same as parse_numbers, for a record.
const char* CsvParser::parse_record(const char* p, bool last, Batch& batch) {
  builder_.begin_row(batch);
  const std::size_t columns = builder_.columns().places.size();
  for (std::size_t column = 0;; ++p) {
    const CsvField field = field_at(p, last);
    if (field.next == nullptr) return nullptr;
    add(column, field.text, field.begin, batch);
    p = field.next;
    if (is_last_field(p, ++column, columns)) break;
  }
  builder_.end_row(batch);
  return p + 1;
}

// Whether the row ends after its first `count` fields. It must do so after as many as there are columns.
inline bool CsvParser::is_last_field(const char* after, std::size_t count, std::size_t columns) const {
  const bool ends = *after == '\n';
  if (ends != (count == columns)) fail_columns(after, !ends);
  return ends;
}

CsvField CsvParser::field_of(CsvFields& fields, const char* p, bool last) const {
  const CsvField field = fields.at(p, end_, last);
  if (field.fault != nullptr) fail(field.next != nullptr ? field.next : field.begin, field.fault);
  return field;
}

// Calls take(text) for each field. Returns the start of the next row, or null if this one continues in a later text.
template <class Take>
const char* CsvParser::pass_over_row(CsvFields& fields, const char* p, bool last, const Take& take) const {
  for (;; ++p) {
    const CsvField field = field_of(fields, p, last);
    if (field.next == nullptr) return nullptr;
    take(field.text);
    p = field.next;
    if (*p == '\n') return p + 1;
  }
}

// --- columns ---------------------------------------------------------------------------------------------------------

// Sets up the columns from the first row and skips it if it is a header. Null if the row continues in a later text. The
// row is not kept, unless it is a header: it may be long.
const char* CsvParser::parse_first_row(const char* p, bool last) {
  FirstRow row(options_);
  const char* const next = pass_over_row(fields_, p, last, [&](std::string_view field) { row.add(field); });
  if (next == nullptr) return nullptr;
  bool is_header = builder_.is_ready() ? !builder_.names().empty() : options_.header.value_or(row.is_header());
  if (!builder_.is_ready()) {
    if (!options_.header && row.is_doubtful()) {
      const std::optional<bool> stays = stays_header(p, last);
      if (!stays) return nullptr;
      is_header = *stays;
    }
    std::vector<std::string> names;
    CsvFields again(fields_.separator());
    if (is_header) pass_over_row(again, p, last, [&](std::string_view field) { names.emplace_back(field); });
    if (!set_up(std::move(names), row.columns(), is_header ? next : p, last)) return nullptr;
  }
  at_first_row_ = false;
  return is_header ? next : p;
}

// Whether the row of words at p is a header, in view of the rows below. Nullopt if more of them are needed.
std::optional<bool> CsvParser::stays_header(const char* p, bool last) {
  const char* const begin = p;
  CsvFields ahead(fields_.separator());
  std::vector<std::string> fields;
  std::optional<HeaderDoubt> doubt;
  for (std::size_t rows = 0; rows <= kBatchRows;) {
    const bool enough = last || static_cast<std::size_t>(end_ - begin) >= kDetectBytes;
    if (p == end_) {
      if (enough) break;
      return std::nullopt;
    }
    if (const char* const next = ahead.past_blank_line(p)) {
      p = next;
      continue;
    }
    fields.clear();
    try {
      p = pass_over_row(ahead, p, last, [&](std::string_view text) { fields.emplace_back(text); });
    } catch (const Error&) {
      break;  // it is reported when the row is parsed
    }
    if (p == nullptr && !enough) return std::nullopt;
    if (p == nullptr || (rows > 1 && static_cast<std::size_t>(p - begin) > kDetectBytes)) break;
    ++rows;
    if (!doubt) {
      doubt.emplace(fields);
    } else if (doubt->removes(fields)) {
      return true;
    }
  }
  if (!doubt) return true;
  if (doubt->is_row()) {
    builder_.add_note(compose(
        "the first row is taken as an example, because its values recur; if it is a header, use {}", option("header")));
    return false;
  }
  if (const auto column = doubt->recurring_column()) {
    builder_.add_note(compose(
        "the first row is taken as a header, although the text of column {} recurs; if it is an example, use {}",
        *column + 1, option("no_header")));
  }
  return true;
}

// Decides what the columns are. `rows` is the beginning of the first row. False if more rows are needed for that.
bool CsvParser::set_up(std::vector<std::string> names, std::size_t count, const char* rows, bool last) {
  const char* misfit = nullptr;
  try {
    builder_.map_columns(std::move(names), count);
    if (builder_.needs_first_rows()) {
      const Look look = options_.kinds.empty() ? look_for_numbers(rows, last) : Look::others;
      if (look == Look::more || (look == Look::others && !look_at_rows(rows, last, misfit))) return false;
    }
  } catch (const Error& error) {
    fail(row_, error.message());
  }
  if (misfit != nullptr && !builder_.has_looked()) require_columns(misfit, last);  // no row fits the first one
  try {
    builder_.settle();
  } catch (const Error& error) {
    fail(row_, error.message());
  }
  if (builder_.columns().dimension == 0) {
    fail(row_, fmt::format("there are no feature columns; are the columns separated by {}?",
                           fields_.separator() == '\t' ? "tabs" : fmt::format("'{}'", fields_.separator())));
  }
  return true;
}

// Whether the first rows have numbers in every column that is learned from, and none is missing: the usual case, which
// is found out fast. `more`: the first rows may not all be in the text yet.
CsvParser::Look CsvParser::look_for_numbers(const char* p, bool last) {
  RowNumbers counting(builder_.columns().places.size());
  const Look look = look_for_numbers(p, last, counting);
  if (look != Look::numbers) return look;
  for (const std::size_t column : counting.columns()) builder_.note_row_numbers(column);
  return look;
}

CsvParser::Look CsvParser::look_for_numbers(const char* p, bool last, RowNumbers& counting) const {
  const char* const begin = p;
  const auto& places = builder_.columns().places;
  const Look at_end = last || static_cast<std::size_t>(end_ - begin) >= kDetectBytes ? Look::numbers : Look::more;
  CsvFields ahead(fields_.separator());
  for (std::size_t rows = 0, column = 0; p != end_ && rows < kBatchRows;) {
    if (column == 0 && rows > 0 && static_cast<std::size_t>(p - begin) > kDetectBytes) return Look::numbers;
    if (const char* const next = column == 0 ? ahead.past_blank_line(p) : nullptr) {
      p = next;
      continue;
    }
    if (column == places.size()) return Look::others;  // too many
    if (ColumnMap::is_feature(places[column])) {
      float value = 0;
      p = parse_float(p, end_, value);
      if (p != nullptr && *p == '\r' && p[1] == '\n') ++p;
      if (p == nullptr || (*p != ahead.separator() && *p != '\n')) return Look::others;
      counting.add(column, value);
    } else {
      const CsvField field = ahead.at(p, end_, last);
      if (field.fault != nullptr) return Look::others;
      if (field.next == nullptr) return at_end;
      p = field.next;
    }
    ++column;
    if (*p++ != '\n') continue;
    if (column != places.size()) return Look::others;  // too few
    column = 0;
    ++rows;
    if (rows == kBatchRows) return Look::numbers;
  }
  return at_end;
}

// Shows the first rows to the builder, at most kBatchRows. False if they may not all be in the text yet. Rows with
// errors are left out; they are reported when they are parsed. `misfit` becomes the first one with too many fields or
// too few.
bool CsvParser::look_at_rows(const char* p, bool last, const char*& misfit) {
  const char* const begin = p;
  CsvFields ahead(fields_.separator());
  std::vector<std::string> fields;
  for (std::size_t rows = 0; rows < kBatchRows; ++rows) {
    while (p != end_) {
      const char* const next = ahead.past_blank_line(p);
      if (next == nullptr) break;
      p = next;
    }
    fields.clear();
    const char* const row = p;
    try {
      const auto take = [&](std::string_view text) { fields.emplace_back(text); };
      p = p == end_ ? nullptr : pass_over_row(ahead, p, last, take);
    } catch (const Error&) {
      return true;
    }
    if (p == nullptr) {
      if (!last && static_cast<std::size_t>(end_ - begin) < kDetectBytes) return false;
      break;
    }
    if (static_cast<std::size_t>(p - begin) > kDetectBytes && rows > 0) break;
    if (fields.size() != builder_.columns().places.size()) {
      if (misfit == nullptr) misfit = row;
      continue;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) builder_.look_at(i, fields[i]);
  }
  return true;
}

// Throws Error if the row at p has too many fields or too few.
void CsvParser::require_columns(const char* p, bool last) const {
  CsvFields ahead(fields_.separator());
  const std::size_t columns = builder_.columns().places.size();
  for (std::size_t column = 0;; ++p) {
    p = field_of(ahead, p, last).next;
    if (is_last_field(p, ++column, columns)) return;
  }
}

// --- messages --------------------------------------------------------------------------------------------------------

void CsvParser::fail(const char* p, const Message& message) const {
  const auto newlines = std::count(row_, p, '\n');
  const char* line = p;
  while (line != row_ && line[-1] != '\n') --line;
  fail_at(file_, line_ + static_cast<std::uint64_t>(newlines), static_cast<std::size_t>(p - line) + 1, message);
}

void CsvParser::fail_columns(const char* p, bool too_many) const {
  fail(p, fmt::format("the row has {} columns than the first row, which has {}", too_many ? "more" : "fewer",
                      builder_.columns().places.size()));
}

}  // namespace

std::unique_ptr<RowParser> make_csv_parser(std::string file, char separator, const SourceOptions& options) {
  return std::make_unique<CsvParser>(std::move(file), separator, options);
}

}  // namespace kinglet
