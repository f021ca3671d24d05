// Parses CSV and TSV. Quoted fields may contain separators, line ends and, doubled, quotes. The first row determines the
// number of columns and whether it is a header. A label is a class or, with numeric_labels, a number.
//
// If every column is a number, a row is a dense example, and rows are parsed as fast as possible. Otherwise rows are records,
// which the encoder turns into sparse examples (records/encoder.hpp). The columns of a model say which it is; without them,
// the first rows do (data/record_columns.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/compose.hpp"
#include "core/fail_at.hpp"
#include "core/number.hpp"
#include "data/column_map.hpp"
#include "data/label_ids.hpp"
#include "data/record_columns.hpp"
#include "data/row_parser.hpp"
#include "kinglet/error.hpp"
#include "records/encoder.hpp"

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

  bool can_fork() const override { return !encoder_; }  // values of categories are numbered in the order of the rows
  std::unique_ptr<RowParser> fork() const override;
  std::size_t parse_part(std::string_view text, PartRows& part) override;
  bool accepts(const PartRows& part) const override { return labels_.has_room_for(part.batch.new_labels.size()); }
  bool append(PartRows& part, Batch& batch) override;

  void rewind() override {
    line_ = 1;
    at_first_row_ = true;
    gaps_ = {};
  }
  const DataGaps& gaps() const override { return gaps_; }
  std::uint64_t line() const override { return line_; }
  bool has_features() const override { return true; }  // every row has all columns
  std::string empty_message() const override {
    if (gaps_.unlabelled > 0) return "no row has a label";
    return names_.empty() ? "no rows, only blank lines" : "a header but no rows";
  }

 private:
  const char* parse_first_row(const char* p, bool last);
  const char* parse_row(const char* p, bool last, Batch& batch);
  const char* parse_record(const char* p, bool last, Batch& batch);
  void encode(std::size_t column, const Field& field);
  void take_special(std::uint32_t place, const Field& field, Batch& batch);
  void append_specials(Batch& batch);
  const char* parse_odd_feature(const char* p, bool last, std::size_t column, float& value);
  const char* parse_enclosed(const char* p, float& value) const;
  Field field_at(const char* p, bool last);
  Field quoted_field(const char* p, Field field, bool last);
  template <class Take>
  const char* pass_over_row(const char* p, bool last, const Take& take);
  std::string label_name() const;
  bool set_up(std::size_t count, const char* rows, bool last);
  bool profile(const char* p, bool last, const ColumnMap& columns, std::vector<ColumnProfile>& profiles);
  void require_label(const Field& field) const;
  std::uint32_t label_of(const Field& field, Batch& batch);
  float number_of(const Field& field, std::string_view what, const Message& hint) const;
  float target_of(const Field& field) const;
  std::string id_of(const Field& field) const;
  void require_value(std::size_t column, const Field& field) const;
  float weight_of(const Field& field) const;
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != separator_; }
  const char* pass_over_blank_line(const char* p) const;
  Message hint_for_kind(std::size_t column) const;
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
  std::optional<RecordEncoder> encoder_;  // for records
  DataGaps gaps_;

  // What a row has besides its features.
  struct Specials {
    std::uint32_t label = kNoLabel;
    float target = 0;
    float weight = 1;
    std::string id;
    bool is_unlabelled = false;  // and is left out therefore
  };
  Specials specials_;

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
  if (encoder_ || at_first_row_) batch.values.clear();
  batch.labels.clear();
  batch.targets.clear();
  batch.weights.clear();
  batch.ids.clear();
  batch.new_labels.clear();
  batch.indices.clear();
  batch.offsets.clear();
  batch.labels.reserve(kBatchRows);
}

void CsvParser::end(Batch& batch) {
  batch.sparse = encoder_.has_value();
  if (encoder_) {
    batch.columns = encoder_->snapshot();
    batch.dimension = batch.columns->encoded_dimension();
    if (batch.offsets.empty()) batch.offsets.push_back(0);
    gaps_.missing.assign(encoder_->missing().begin(), encoder_->missing().end());
    return;
  }
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
  gaps_ = {};
  begin(part.batch);
  const std::uint64_t first_line = line_;
  const std::size_t used = parse(text, false, part.batch);
  part.lines = line_ - first_line;
  part.gaps = std::move(gaps_);
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
  add_gaps(part.gaps, gaps_);
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
    if (next == nullptr) {
      next = at_first_row_ ? parse_first_row(p, last)
             : encoder_    ? parse_record(p, last, batch)
                           : parse_row(p, last, batch);
    }
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
    names_.clear();
    if (options_.header.value_or(row.is_header())) {
      inner_lines_ = 0;
      pass_over_row(p, last, [&](std::string_view field) { names_.emplace_back(field); });
    }
    const std::uint64_t lines = inner_lines_;
    if (!set_up(row.columns, names_.empty() ? p : next, last)) return nullptr;
    inner_lines_ = lines;
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
  specials_.label = kNoLabel;
  specials_.is_unlabelled = false;
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
      take_special(place, field, batch);
      p = field.next;
    }
    ++column;
    if (*p == '\n') {
      if (column != columns) fail_columns(p, false);
      break;
    }
    if (column == columns) fail_columns(p, true);
  }
  append_specials(batch);
  return p + 1;
}

// The same for a record.
const char* CsvParser::parse_record(const char* p, bool last, Batch& batch) {
  encoder_->begin();
  specials_.label = kNoLabel;
  specials_.is_unlabelled = false;
  for (std::size_t column = 0;; ++p) {
    const Field field = field_at(p, last);
    if (field.next == nullptr) return nullptr;
    if (ColumnMap::is_feature(columns_.places[column])) {
      encode(column, field);
    } else {
      take_special(columns_.places[column], field, batch);
    }
    p = field.next;
    ++column;
    if (*p == '\n') {
      if (column != columns_.places.size()) fail_columns(p, false);
      break;
    }
    if (column == columns_.places.size()) fail_columns(p, true);
  }
  if (!specials_.is_unlabelled) encoder_->append_to(batch);
  append_specials(batch);
  return p + 1;
}

void CsvParser::encode(std::size_t column, const Field& field) {
  if (is_missing(field.text)) return require_value(column, field);
  try {
    encoder_->add_text(columns_.places[column], field.text);
  } catch (const Error& error) {
    fail(field.begin, compose("value {} of {} {}{}", quoted(field.text), column_name(column), error.message(),
                              hint_for_kind(column)));
  }
}

void CsvParser::take_special(std::uint32_t place, const Field& field, Batch& batch) {
  if (place == ColumnMap::kWeight) {
    specials_.weight = weight_of(field);
  } else if (place == ColumnMap::kId) {
    specials_.id = id_of(field);
  } else if (place == ColumnMap::kLabel) {
    specials_.is_unlabelled = options_.skip_unlabelled && is_missing(field.text);
    if (specials_.is_unlabelled) return;
    if (has_targets_) {
      specials_.target = target_of(field);
    } else {
      specials_.label = label_of(field, batch);
    }
  }
}

// Ends a row, whose features are in the batch.
void CsvParser::append_specials(Batch& batch) {
  has_row_ = true;
  if (specials_.is_unlabelled) {
    ++gaps_.unlabelled;
    return;
  }
  batch.labels.push_back(specials_.label);
  if (has_targets_) batch.targets.push_back(specials_.target);
  if (columns_.has_weight) batch.weights.push_back(specials_.weight);
  if (columns_.has_id) batch.ids.push_back(std::move(specials_.id));
}

// Handles a field that is not just a number: one with blanks or quotes, a missing value, or an error. Returns the
// separator or '\n' after it, or null if it continues in a later text.
const char* CsvParser::parse_odd_feature(const char* p, bool last, std::size_t column, float& value) {
  if (const char* const after = *p == separator_ ? nullptr : parse_enclosed(p, value)) return after;
  const Field field = field_at(p, last);
  if (field.next == nullptr) return nullptr;
  if (is_missing(field.text)) {
    require_value(column, field);
    gaps_.missing.resize(dimension_);
    ++gaps_.missing[columns_.places[column]];
    value = options_.missing == Missing::zero ? 0 : std::numeric_limits<float>::quiet_NaN();
    return field.next;
  }
  if (!read_number(field.text, value)) {
    fail(field.begin, compose("value {} of {} {}{}", quoted(field.text), column_name(column), number_fault(field.text),
                              is_number(field.text) ? Message() : hint_for_kind(column)));
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
  float number = 0;
  if (!read_number(field.text, number)) {
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

std::string CsvParser::id_of(const Field& field) const {
  if (has_control_characters(field.text)) {
    fail(field.begin, fmt::format("id {} contains a line end or another control character", quoted(field.text)));
  }
  return std::string(field.text);
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

// Decides what the columns are. `rows` is the beginning of the first row. False if more rows are needed for that.
bool CsvParser::set_up(std::size_t count, const char* rows, bool last) {
  ColumnMap found;
  try {
    found = map_columns(names_, count, options_);
    if (options_.columns) {
      require_same_kinds(found, names_, options_);
    } else if (found.dimension > 0) {
      std::vector<ColumnProfile> profiles(count);
      if (!profile(rows, last, found, profiles)) return false;
      if (rows != end_) found = with_kinds(found, names_, profiles, options_);
    }
  } catch (const Error& error) {
    fail(row_, error.message());
  }
  if (found.dimension == 0) {
    fail(row_, fmt::format("there are no feature columns; are the columns separated by {}?",
                           separator_ == '\t' ? "tabs" : fmt::format("'{}'", separator_)));
  }
  columns_ = std::move(found);
  dimension_ = columns_.dimension;
  has_targets_ = columns_.has_label && options_.numeric_labels;
  if (columns_.columns->schema) {
    const bool stay = !options_.columns || options_.new_values;
    encoder_.emplace(columns_.columns, stay ? RecordEncoder::NewValues::stay : RecordEncoder::NewValues::hash,
                     options_.missing);
  }
  return true;
}

// Looks at the first rows, at most kBatchRows. False if they may not all be in the text yet. Rows with errors are left out;
// they are reported when they are parsed.
bool CsvParser::profile(const char* p, bool last, const ColumnMap& columns, std::vector<ColumnProfile>& profiles) {
  const char* const begin = p;
  std::vector<std::string> fields;
  for (std::size_t rows = 0; rows < kBatchRows; ++rows) {
    while (p != end_) {
      const char* const next = pass_over_blank_line(p);
      if (next == nullptr) break;
      p = next;
    }
    fields.clear();
    try {
      p = p == end_ ? nullptr : pass_over_row(p, last, [&](std::string_view text) { fields.emplace_back(text); });
    } catch (const Error&) {
      return true;
    }
    if (p == nullptr) return last || static_cast<std::size_t>(end_ - begin) >= kDetectBytes;
    if (static_cast<std::size_t>(p - begin) > kDetectBytes && rows > 0) return true;
    if (fields.size() != columns.places.size()) continue;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!ColumnMap::is_feature(columns.places[i])) continue;
      if (is_missing(fields[i])) {
        profiles[i].add_missing();
      } else {
        profiles[i].add(fields[i]);
      }
    }
  }
  return true;
}

void CsvParser::require_value(std::size_t column, const Field& field) const {
  if (options_.missing != Missing::error) return;
  fail(field.begin, compose("the value of {} is missing; fill it in, or use {} or {}", column_name(column),
                            option("missing", "zero"), option("missing", "mean")));
}

// What to do about a value that does not fit the kind of its column, if that was detected.
Message CsvParser::hint_for_kind(std::size_t column) const {
  if (options_.columns) return {};
  const std::string argument = column_argument(names_, column);
  return compose("; if the column is of another kind, use {}", option("column", argument + "=category"));
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
