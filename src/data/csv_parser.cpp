// Parses CSV and TSV: one dense example per row. Quoted fields may contain separators, line ends and, doubled, quotes. The
// first row determines the number of columns and whether it is a header. A label is a class or, with numeric_labels, a
// number.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "core/compose.hpp"
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

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 30;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + printable(names[i]);
  return names.size() > kMost ? text + ", ..." : text;
}

class CsvParser final : public RowParser {
 public:
  CsvParser(std::string file, char separator, const SourceOptions& options)
      : file_(std::move(file)),
        separator_(separator),
        options_(options),
        label_column_(options.label_column.value_or(options.default_label_column.value_or("first"))) {}

  void begin(Batch& batch) override;
  std::size_t parse(std::string_view text, bool last, Batch& batch) override;
  std::optional<Skipped> skip_row(std::string_view text, bool last) override;
  void end(Batch& batch) override;

  void rewind() override {
    line_ = 1;
    at_first_row_ = true;
  }
  std::uint64_t line() const override { return line_; }
  std::string empty_message() const override {
    return names_.empty() ? "no rows, only blank lines" : "a header but no rows";
  }
  std::vector<std::string> feature_names() const override;

 private:
  enum class Role : std::uint8_t { feature, label, weight };

  const char* parse_first_row(const char* p, bool last);
  const char* parse_row(const char* p, bool last, Batch& batch);
  const char* parse_odd_feature(const char* p, bool last, std::size_t column, float& value);
  Field field_at(const char* p, bool last);
  Field quoted_field(const char* p, Field field, bool last);
  bool split_row(const char* p, bool last, std::vector<std::string>& fields);
  bool is_header(const std::vector<std::string>& fields) const;
  void set_up(const std::vector<std::string>& fields);
  std::size_t find_column(const std::string& column, std::string_view what, std::size_t count) const;
  void require_label(const Field& field) const;
  std::uint32_t label_of(const Field& field, Batch& batch);
  float number_of(const Field& field, std::string_view what, const Message& hint) const;
  float target_of(const Field& field) const;
  float weight_of(const Field& field) const;
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != separator_; }
  const char* pass_over_blank_line(const char* p) const;
  Message label_hint(std::size_t column) const;
  std::string column_name(std::size_t column) const;
  [[noreturn]] void fail(const char* p, const Message& message) const;
  [[noreturn]] void fail_columns(const char* p, bool too_many) const;

  std::string file_;
  char separator_;
  SourceOptions options_;
  std::string label_column_;
  LabelIds labels_;
  std::vector<Role> roles_;         // one per column; empty before the first row
  std::vector<std::string> names_;  // names of all columns if there is a header
  bool header_ = false;
  bool has_targets_ = false;
  bool has_weights_ = false;
  std::size_t dimension_ = 0;

  bool at_first_row_ = true;
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
  batch.dimension = static_cast<std::uint32_t>(dimension_);
  batch.values.resize(batch.rows() * dimension_);
}

std::size_t CsvParser::parse(std::string_view text, bool last, Batch& batch) {
  const char* p = text.data();
  end_ = p + text.size();
  while (p != end_ && batch.rows() < kBatchRows) {
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

// Sets up the columns from the first row and skips it if it is a header. Null if the row continues in a later text.
const char* CsvParser::parse_first_row(const char* p, bool last) {
  std::vector<std::string> fields;
  if (!split_row(p, last, fields)) return nullptr;
  if (roles_.empty()) {
    header_ = options_.header.value_or(is_header(fields));
    if (header_) names_ = fields;
    set_up(fields);
  }
  at_first_row_ = false;
  if (!header_) return p;
  Field field;
  for (field = field_at(p, last); *field.next == separator_;) field = field_at(field.next + 1, last);
  return field.next + 1;
}

// Returns the start of the next row, or null if this row continues in a later text.
const char* CsvParser::parse_row(const char* p, bool last, Batch& batch) {
  const std::size_t row = batch.rows();
  if (batch.values.size() < (row + 1) * dimension_) {
    const std::size_t rows = std::min(kBatchRows, std::max<std::size_t>(16, 2 * row));
    batch.values.resize(rows * dimension_);
  }
  float* value = batch.values.data() + row * dimension_;
  std::uint32_t label = kNoLabel;
  float target = 0;
  float weight = 1;
  // Local copies, because the compiler cannot know that writing values does not change the members.
  const std::size_t columns = roles_.size();
  const Role* const roles = roles_.data();
  const char* const end = end_;
  const char separator = separator_;
  for (std::size_t column = 0;; ++p) {
    if (roles[column] == Role::feature) {
      const char* after = parse_float(p, end, *value);
      if (after != nullptr && *after == '\r' && after[1] == '\n') ++after;
      if (after == nullptr || (*after != separator && *after != '\n')) {
        after = parse_odd_feature(p, last, column, *value);
        if (after == nullptr) return nullptr;
      }
      p = after;
      ++value;
    } else {
      const Field field = field_at(p, last);
      if (field.next == nullptr) return nullptr;
      if (roles[column] == Role::weight) {
        weight = weight_of(field);
      } else if (has_targets_) {
        target = target_of(field);
      } else {
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
  if (has_weights_) batch.weights.push_back(weight);
  return p + 1;
}

// Handles a field that is not just a number: one with blanks or quotes, a missing value, or an error. Returns the
// separator or '\n' after it, or null if it continues in a later text.
const char* CsvParser::parse_odd_feature(const char* p, bool last, std::size_t column, float& value) {
  const Field field = field_at(p, last);
  if (field.next == nullptr) return nullptr;
  const std::string text(field.text);  // a copy, as a number must be followed by another character
  if (is_missing(text)) {
    if (options_.missing.value_or(Missing::error) == Missing::error) {
      fail(field.begin, compose("the value of {} is missing; fill it in, or use {} or {}", column_name(column),
                                option("missing", "zero"), option("missing", "mean")));
    }
    value = options_.missing == Missing::zero ? 0 : std::numeric_limits<float>::quiet_NaN();
    return field.next;
  }
  std::string padded = text + std::string(1 + kNumberSlack, '\0');
  const char* const parsed = parse_float(padded.data(), padded.data() + text.size() + 1, value);
  if (parsed != padded.data() + text.size()) {
    fail(field.begin, compose("value {} of {} {}{}", quoted(text), column_name(column), number_fault(text),
                              is_number(text) ? Message() : label_hint(column)));
  }
  return field.next;
}

void CsvParser::require_label(const Field& field) const {
  if (!is_missing(field.text)) return;
  fail(field.begin, {"the label is missing; if the data have no labels, use ", option("label_column", "none")});
}

std::uint32_t CsvParser::label_of(const Field& field, Batch& batch) {
  if (options_.labels_may_be_absent && is_missing(field.text)) return kNoLabel;
  require_label(field);
  const std::uint32_t id = labels_.id(field.text, batch.new_labels);
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

// False if the row continues in a later text.
bool CsvParser::split_row(const char* p, bool last, std::vector<std::string>& fields) {
  for (;; ++p) {
    const Field field = field_at(p, last);
    if (field.next == nullptr) return false;
    fields.emplace_back(field.text);
    p = field.next;
    if (*p == '\n') return true;
  }
}

// --- columns ---------------------------------------------------------------------------------------------------------

// A row is a header if it contains words and no numbers. A label column given by name requires a header.
bool CsvParser::is_header(const std::vector<std::string>& fields) const {
  const auto is_name = [](const std::string& text) { return !is_number(text) && !is_missing(text); };
  if (std::find(fields.begin(), fields.end(), label_column_) != fields.end() && !is_number(label_column_)) {
    return true;
  }
  return std::none_of(fields.begin(), fields.end(), is_number) && std::any_of(fields.begin(), fields.end(), is_name);
}

void CsvParser::set_up(const std::vector<std::string>& fields) {
  std::vector<Role> roles(fields.size(), Role::feature);
  const bool labelled = label_column_ != "none";
  if (labelled) roles[find_column(label_column_, "label", fields.size())] = Role::label;
  has_targets_ = labelled && options_.numeric_labels;
  if (!options_.weight_column.empty()) {
    Role& role = roles[find_column(options_.weight_column, "weight", fields.size())];
    if (role == Role::label) fail(row_, fmt::format("column {} is both label and weight", options_.weight_column));
    role = Role::weight;
    has_weights_ = true;
  }
  dimension_ = static_cast<std::size_t>(std::count(roles.begin(), roles.end(), Role::feature));
  if (dimension_ == 0) {
    fail(row_, fmt::format("there are no feature columns; are the columns separated by {}?",
                           separator_ == '\t' ? "tabs" : fmt::format("'{}'", separator_)));
  }
  if (options_.dimension != 0 && dimension_ != options_.dimension) {
    fail(row_, fmt::format("found {} feature columns, expected {}", dimension_, options_.dimension));
  }
  roles_ = std::move(roles);
}

// `column` is a name, a number counted from 1, "first" or "last"; `count` is the number of columns.
std::size_t CsvParser::find_column(const std::string& column, std::string_view what, std::size_t count) const {
  if (column == "first") return 0;
  if (column == "last") return count - 1;
  const auto named = std::find(names_.begin(), names_.end(), column);
  if (named != names_.end()) return static_cast<std::size_t>(named - names_.begin());
  std::size_t number = 0;
  const char* const end = column.data() + column.size();
  const auto parsed = std::from_chars(column.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && number >= 1 && number <= count) return number - 1;
  const std::string there =
      names_.empty() ? fmt::format("columns 1 to {} and no header", count) : "the columns " + joined(names_);
  fail(row_, fmt::format("there is no {} column {}; the file has {}", what, quoted(column), there));
}

std::vector<std::string> CsvParser::feature_names() const {
  std::vector<std::string> features;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (roles_[i] == Role::feature) features.push_back(names_[i]);
  }
  return features;
}

// For a column of words: it may be the label, if the user has not said which column that is.
Message CsvParser::label_hint(std::size_t column) const {
  if (options_.label_column || options_.default_label_column) return {};
  const bool is_last = column + 1 == roles_.size();
  return compose("; if column {} is the label, use {}", column + 1,
                 option("label_column", is_last ? "last" : std::to_string(column + 1)));
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
                      roles_.size()));
}

}  // namespace

std::unique_ptr<RowParser> make_csv_parser(std::string file, char separator, const SourceOptions& options) {
  return std::make_unique<CsvParser>(std::move(file), separator, options);
}

}  // namespace kinglet
