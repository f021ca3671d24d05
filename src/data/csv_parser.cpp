// Parses CSV and TSV: one dense example per row. Quoted fields may contain separators, line ends and, doubled, quotes. The
// first row determines the number of columns and whether it is a header. A label is a class or, with numeric_labels, a
// number.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/compose.hpp"
#include "data/column_map.hpp"
#include "data/fail_at.hpp"
#include "data/label_ids.hpp"
#include "data/number.hpp"
#include "data/row_parser.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// One field of a row. `text` is without quotes and surrounding blanks.
struct Field {
  std::string_view text;
  const char* begin = nullptr;  // start of the field, with quotes
  const char* next = nullptr;   // the separator or '\n' after it; null if the text ends inside the quotes
  bool closed = true;           // false: other text than a separator follows the closing quote
};

bool is_missing(std::string_view text) {
  if (text.empty() || text == "?") return true;
  const auto equals = [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
  };
  return equals("na") || equals("nan");
}

bool is_number(std::string_view text) { return !text.empty() && number_fault(text) != "is not a number"; }

// Whether the first row is a header: it contains words and no numbers, or the name of the label column, or the names of all
// features of the model, which may be numbers.
struct FirstRow {
  std::string label;                           // empty: the label column has no name
  std::unordered_set<std::string_view> names;  // of the features of the model that were not found yet
  bool knows_names = false;
  std::size_t columns = 0;
  bool has_label = false;
  bool has_number = false;
  bool has_word = false;

  void add(std::string_view field) {
    ++columns;
    has_label |= !label.empty() && field == label;
    names.erase(field);
    has_number |= is_number(field);
    has_word |= !is_number(field) && !is_missing(field);
  }
  bool is_header() const { return has_label || (knows_names && names.empty()) || (has_word && !has_number); }
};

class CsvParser final : public RowParser {
 public:
  CsvParser(std::string file, char separator, const SourceOptions& options)
      : file_(std::move(file)), separator_(separator), options_(options) {}

  void begin(Batch& batch) override;
  std::size_t parse(std::string_view text, bool last, Batch& batch) override;
  std::optional<Skipped> skip_row(std::string_view text, bool last) override;
  void end(Batch& batch) override;

  std::unique_ptr<RowParser> fork() const override;
  std::size_t parse_part(std::string_view text, PartRows& part) override;
  bool accepts(const PartRows& part) const override { return labels_.has_room_for(part.batch.new_labels.size()); }
  bool append(PartRows& part, Batch& batch) override;

  void rewind() override {
    line_ = 1;
    at_first_row_ = true;
  }
  std::uint64_t line() const override { return line_; }
  bool has_features() const override { return true; }  // every row has all columns
  std::string empty_message() const override {
    return names_.empty() ? "no rows, only blank lines" : "a header but no rows";
  }

 private:
  const char* parse_first_row(const char* p, bool last);
  const char* parse_row(const char* p, bool last, Batch& batch);
  const char* parse_odd_feature(const char* p, bool last, std::size_t column, float& value);
  const char* parse_enclosed(const char* p, float& value) const;
  Field field_at(const char* p, bool last);
  Field quoted_field(const char* p, Field field, bool last);
  template <class Take>
  const char* pass_over_row(const char* p, bool last, const Take& take);
  std::string label_name() const;
  void set_up(std::size_t count);
  void require_label(const Field& field) const;
  std::uint32_t label_of(const Field& field, Batch& batch);
  float number_of(const Field& field, std::string_view what, const Message& hint) const;
  float target_of(const Field& field) const;
  float weight_of(const Field& field) const;
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != separator_; }
  const char* pass_over_blank_line(const char* p) const;
  Message hint_for_text(std::size_t column, std::string_view text) const;
  std::string column_name(std::size_t column) const;
  [[noreturn]] void fail(const char* p, const Message& message) const;
  [[noreturn]] void fail_columns(const char* p, bool too_many) const;

  std::string file_;
  char separator_;
  SourceOptions options_;
  LabelIds labels_;
  std::size_t most_rows_ = kBatchRows;
  ColumnMap columns_;               // empty before the first row
  std::vector<std::string> names_;  // names of all columns if there is a header
  bool has_targets_ = false;
  std::size_t dimension_ = 0;

  bool at_first_row_ = true;
  bool has_row_ = false;  // whether a row was read without an error
  std::uint64_t line_ = 1;
  std::uint64_t inner_lines_ = 0;  // number of line ends inside the current row
  const char* row_ = nullptr;      // start of the current row
  const char* end_ = nullptr;      // end of the text
  std::string unquoted_;           // the text of a field that had doubled quotes
};

// --- rows ------------------------------------------------------------------------------------------------------------

void CsvParser::begin(Batch& batch) {
  batch.sparse = false;
  batch.labels.clear();
  batch.targets.clear();
  batch.weights.clear();
  batch.new_labels.clear();
  batch.indices.clear();
  batch.offsets.clear();
  batch.labels.reserve(kBatchRows);
}

void CsvParser::end(Batch& batch) {
  batch.columns = columns_.columns;
  batch.dimension = columns_.dimension;
  batch.values.resize(batch.rows() * dimension_);
}

std::unique_ptr<RowParser> CsvParser::fork() const {
  auto fork = std::make_unique<CsvParser>(*this);
  fork->most_rows_ = std::numeric_limits<std::size_t>::max();
  return fork;
}

std::size_t CsvParser::parse_part(std::string_view text, PartRows& part) {
  labels_ = {};
  begin(part.batch);
  const std::uint64_t first_line = line_;
  const std::size_t used = parse(text, false, part.batch);
  part.lines = line_ - first_line;
  return used;
}

bool CsvParser::append(PartRows& part, Batch& batch) {
  const Batch& from = part.batch;
  const std::size_t count = std::min(kBatchRows - batch.rows(), from.rows() - part.taken);
  const std::size_t used = batch.rows() * dimension_;
  const std::size_t values = count * dimension_;
  if (batch.values.size() < used + values) batch.values.resize(used + values);
  std::copy_n(from.values.data() + part.taken * dimension_, values, batch.values.data() + used);
  append_labels(part, count, labels_, batch);
  part.taken += count;
  if (part.taken < from.rows()) return false;
  line_ += part.lines;
  return true;
}

std::size_t CsvParser::parse(std::string_view text, bool last, Batch& batch) {
  const char* p = text.data();
  end_ = p + text.size();
  while (p != end_ && batch.rows() < most_rows_) {
    row_ = p;
    inner_lines_ = 0;
    if (line_ == 1 && std::string_view(p, static_cast<std::size_t>(end_ - p)).starts_with("\xEF\xBB\xBF")) p += 3;
    const char* next = pass_over_blank_line(p);
    if (next == nullptr) next = at_first_row_ ? parse_first_row(p, last) : parse_row(p, last, batch);
    if (next == nullptr) return static_cast<std::size_t>(row_ - text.data());
    if (next != p) line_ += 1 + std::exchange(inner_lines_, 0);
    p = next;
  }
  return static_cast<std::size_t>(p - text.data());
}

// A row ends where its quotes say so. If they are what is wrong, the next line is the next row.
std::optional<RowParser::Skipped> CsvParser::skip_row(std::string_view text, bool last) {
  if (at_first_row_) return std::nullopt;  // it has the columns
  inner_lines_ = 0;
  const char* p = row_;
  try {
    for (Field field = field_at(p, last);; field = field_at(p + 1, last)) {
      p = field.next;
      if (p == nullptr) return Skipped{.bytes = static_cast<std::size_t>(row_ - text.data()), .whole = false};
      if (*p == '\n') break;
    }
  } catch (const Error&) {
    inner_lines_ = 0;
    p = static_cast<const char*>(std::memchr(row_, '\n', static_cast<std::size_t>(end_ - row_)));
  }
  line_ += 1 + std::exchange(inner_lines_, 0);
  return Skipped{.bytes = static_cast<std::size_t>(p + 1 - text.data())};
}

// The start of the next line if this one is blank, else null.
const char* CsvParser::pass_over_blank_line(const char* p) const {
  while (is_blank(*p) || *p == '\r') ++p;
  return *p == '\n' ? p + 1 : nullptr;
}

// Sets up the columns from the first row and skips it if it is a header. Null if the row continues in a later text. The row
// is not kept, unless it is a header: it may be long.
const char* CsvParser::parse_first_row(const char* p, bool last) {
  FirstRow row{.label = label_name(), .names = {}};
  if (options_.columns) row.names.insert(options_.columns->features.begin(), options_.columns->features.end());
  row.knows_names = !row.names.empty();
  const char* const next = pass_over_row(p, last, [&](std::string_view field) { row.add(field); });
  if (next == nullptr) return nullptr;
  if (columns_.places.empty()) {
    if (options_.header.value_or(row.is_header())) {
      inner_lines_ = 0;
      pass_over_row(p, last, [&](std::string_view field) { names_.emplace_back(field); });
    }
    set_up(row.columns);
  }
  at_first_row_ = false;
  return names_.empty() ? p : next;
}

// Returns the start of the next row, or null if this row continues in a later text.
const char* CsvParser::parse_row(const char* p, bool last, Batch& batch) {
  const std::size_t row = batch.rows();
  if (batch.values.size() < (row + 1) * dimension_) {
    const std::size_t rows = std::min(most_rows_, std::max({std::size_t{1}, 4096 / dimension_, 2 * row}));
    batch.values.resize(rows * dimension_);
  }
  float* const values = batch.values.data() + row * dimension_;
  std::uint32_t label = kNoLabel;
  float target = 0;
  float weight = 1;
  // Local copies, because the compiler cannot know that writing values does not change the members.
  const std::size_t columns = columns_.places.size();
  const std::uint32_t* const places = columns_.places.data();
  const char* const end = end_;
  const char separator = separator_;
  for (std::size_t column = 0;; ++p) {
    const std::uint32_t place = places[column];
    if (ColumnMap::is_feature(place)) {
      float& value = values[place];
      const char* after = parse_float(p, end, value);
      if (after != nullptr && *after == '\r' && after[1] == '\n') ++after;
      if (after == nullptr || (*after != separator && *after != '\n')) {
        after = parse_odd_feature(p, last, column, value);
        if (after == nullptr) return nullptr;
      }
      p = after;
    } else {
      const Field field = field_at(p, last);
      if (field.next == nullptr) return nullptr;
      if (place == ColumnMap::kWeight) {
        weight = weight_of(field);
      } else if (place == ColumnMap::kLabel && has_targets_) {
        target = target_of(field);
      } else if (place == ColumnMap::kLabel) {
        label = label_of(field, batch);
      }
      p = field.next;
    }
    ++column;
    if (*p == '\n') {
      if (column != columns) fail_columns(p, false);
      break;
    }
    if (column == columns) fail_columns(p, true);
  }
  batch.labels.push_back(label);
  if (has_targets_) batch.targets.push_back(target);
  if (columns_.has_weight) batch.weights.push_back(weight);
  has_row_ = true;
  return p + 1;
}

// Handles a field that is not just a number: one with blanks or quotes, a missing value, or an error. Returns the
// separator or '\n' after it, or null if it continues in a later text.
const char* CsvParser::parse_odd_feature(const char* p, bool last, std::size_t column, float& value) {
  if (const char* const after = *p == separator_ ? nullptr : parse_enclosed(p, value)) return after;
  const Field field = field_at(p, last);
  if (field.next == nullptr) return nullptr;
  if (is_missing(field.text)) {
    if (options_.missing.value_or(Missing::error) == Missing::error) {
      fail(field.begin, compose("the value of {} is missing; fill it in, or use {} or {}", column_name(column),
                                option("missing", "zero"), option("missing", "mean")));
    }
    value = options_.missing == Missing::zero ? 0 : std::numeric_limits<float>::quiet_NaN();
    return field.next;
  }
  const std::string text(field.text);  // a copy, as a number must be followed by another character
  const std::string padded = text + std::string(1 + kNumberSlack, '\0');
  const char* const parsed = parse_float(padded.data(), padded.data() + text.size() + 1, value);
  if (parsed != padded.data() + text.size()) {
    fail(field.begin, compose("value {} of {} {}{}", quoted(text), column_name(column), number_fault(text),
                              is_number(text) ? Message() : hint_for_text(column, text)));
  }
  return field.next;
}

// Reads a number that is in quotes or between blanks. Returns the separator or '\n' after it; null if it is anything else.
const char* CsvParser::parse_enclosed(const char* p, float& value) const {
  while (is_blank(*p)) ++p;
  const bool in_quotes = *p == '"';
  p = parse_float(in_quotes ? p + 1 : p, end_, value);
  if (p == nullptr || (in_quotes && *p++ != '"')) return nullptr;
  while (is_blank(*p)) ++p;
  if (*p == '\r' && p[1] == '\n') ++p;
  return *p == separator_ || *p == '\n' ? p : nullptr;
}

void CsvParser::require_label(const Field& field) const {
  if (!is_missing(field.text)) return;
  fail(field.begin, {"the label is missing; if the data have no labels, use ", option("label_column", "none")});
}

std::uint32_t CsvParser::label_of(const Field& field, Batch& batch) {
  if (options_.labels_may_be_absent && is_missing(field.text)) return kNoLabel;
  require_label(field);
  const std::uint32_t id = labels_.id(field.text, batch.new_labels);
  if (id == kNoLabel && has_control_characters(field.text)) {
    fail(field.begin, fmt::format("label {} contains a line end or another control character", quoted(field.text)));
  }
  if (id == kNoLabel) {
    fail(field.begin, compose("label {} exceeds the limit of {} different labels; if the label is in another column, "
                              "use {} with its name or number",
                              quoted(field.text), LabelIds::kMaxLabels, option("label_column")));
  }
  return id;
}

float CsvParser::number_of(const Field& field, std::string_view what, const Message& hint) const {
  const std::string padded = std::string(field.text) + std::string(1 + kNumberSlack, '\0');
  const char* const end = padded.data() + field.text.size();
  float number = 0;
  if (parse_float(padded.data(), end + 1, number) != end || field.text.empty()) {
    fail(field.begin, compose("{} {} {}{}", what, quoted(field.text), number_fault(field.text), hint));
  }
  return number;
}

float CsvParser::target_of(const Field& field) const {
  require_label(field);
  static const Message hint{"; regression needs a number. If the label is in another column, use ",
                            option("label_column"), " with its name or number"};
  return number_of(field, "label", hint);
}

float CsvParser::weight_of(const Field& field) const {
  static const Message no_hint;
  const float weight = number_of(field, "weight", no_hint);
  if (weight < 0) fail(field.begin, fmt::format("weight {} is negative", quoted(field.text)));
  return weight;
}

// --- fields ----------------------------------------------------------------------------------------------------------

Field CsvParser::field_at(const char* p, bool last) {
  while (is_blank(*p)) ++p;
  Field field{.begin = p};
  if (*p == '"') {
    field = quoted_field(p + 1, field, last);
    if (!field.closed) fail(field.next, "unexpected text after a closing quote; write a quote inside quotes twice");
    return field;
  }
  while (*p != separator_ && *p != '\n') ++p;
  field.next = p;
  if (*p == '\n' && p != field.begin && p[-1] == '\r') --p;
  while (p != field.begin && is_blank(p[-1])) --p;
  field.text = {field.begin, static_cast<std::size_t>(p - field.begin)};
  return field;
}

// `p` points behind the opening quote.
Field CsvParser::quoted_field(const char* p, Field field, bool last) {
  unquoted_.clear();
  for (;;) {
    const auto* quote = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end_ - p)));
    if (quote == nullptr) {
      if (last) fail(field.begin, "the quote that opens here is never closed");
      return field;
    }
    unquoted_.append(p, quote);
    inner_lines_ += static_cast<std::uint64_t>(std::count(p, quote, '\n'));
    p = quote + 1;
    if (p == end_ || *p != '"') break;
    unquoted_ += '"';
    ++p;
  }
  field.text = unquoted_;
  while (is_blank(*p)) ++p;
  if (*p == '\r' && p[1] == '\n') ++p;
  field.closed = *p == separator_ || *p == '\n';
  field.next = p;
  return field;
}

// Calls take(text) for each field. Returns the start of the next row, or null if this one continues in a later text.
template <class Take>
const char* CsvParser::pass_over_row(const char* p, bool last, const Take& take) {
  for (;; ++p) {
    const Field field = field_at(p, last);
    if (field.next == nullptr) return nullptr;
    take(field.text);
    p = field.next;
    if (*p == '\n') return p + 1;
  }
}

// --- columns ---------------------------------------------------------------------------------------------------------

// The name that a label column must have, if there is one; the header is recognised by it.
std::string CsvParser::label_name() const {
  const auto& given = options_.label_column ? options_.label_column : options_.default_label_column;
  const bool model_has_names = options_.columns && !options_.columns->features.empty();
  const std::string name = given ? *given : model_has_names ? options_.columns->label.value_or("") : "";
  return is_number(name) ? "" : name;
}

void CsvParser::set_up(std::size_t count) {
  ColumnMap map;
  try {
    map = map_columns(names_, count, options_);
  } catch (const Error& error) {
    fail(row_, error.message());
  }
  if (map.dimension == 0) {
    fail(row_, fmt::format("there are no feature columns; are the columns separated by {}?",
                           separator_ == '\t' ? "tabs" : fmt::format("'{}'", separator_)));
  }
  columns_ = std::move(map);
  dimension_ = columns_.dimension;
  has_targets_ = columns_.has_label && options_.numeric_labels;
}

// What to do about a feature of the first row that is not a number: the column may be the label, if the user has not said which
// one that is. A column of words may also be one to leave out.
Message CsvParser::hint_for_text(std::size_t column, std::string_view text) const {
  if (has_row_) return {};
  const std::string argument = column_argument(names_, column);
  const bool may_be_label = !options_.label_column && !options_.default_label_column;
  const bool is_word = text.find_first_of("0123456789") == std::string_view::npos;
  return compose("{}{}",
                 may_be_label ? compose("; if it is the label, use {}", option("label_column", argument)) : Message(),
                 is_word ? compose("; to leave the column out, use {}", option("ignore", argument)) : Message());
}

std::string CsvParser::column_name(std::size_t column) const {
  if (names_.empty()) return fmt::format("column {}", column + 1);
  return fmt::format("column {} ({})", column + 1, quoted(names_[column]));
}

// --- messages --------------------------------------------------------------------------------------------------------

// A row may span several lines.
void CsvParser::fail(const char* p, const Message& message) const {
  const auto newlines = std::count(row_, p, '\n');
  const char* line = p;
  while (line != row_ && line[-1] != '\n') --line;
  fail_at(file_, line_ + static_cast<std::uint64_t>(newlines), static_cast<std::size_t>(p - line) + 1, message);
}

void CsvParser::fail_columns(const char* p, bool too_many) const {
  fail(p, fmt::format("the row has {} columns than the first row, which has {}", too_many ? "more" : "fewer",
                      columns_.places.size()));
}

}  // namespace

std::unique_ptr<RowParser> make_csv_parser(std::string file, char separator, const SourceOptions& options) {
  return std::make_unique<CsvParser>(std::move(file), separator, options);
}

}  // namespace kinglet
