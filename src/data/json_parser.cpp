// Parses JSON lines: each line is an object, its members are the columns of a record (json_members.hpp,
// row_builder.hpp).
//
// The first rows determine the columns: all names that they have, in the order in which they appear first. A member
// that a record does not have is a missing value; a later record with a new name is an error, unless that column is
// ignored. With the columns of a model, the names are those of the model.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/fail_at.hpp"
#include "core/text_map.hpp"
#include "data/json_members.hpp"
#include "data/record_columns.hpp"
#include "data/record_parser.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

// The line that begins there, without its '\n'.
std::string_view line_at(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string_view without_mark(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  return line;
}

bool is_blank_line(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

// The members of the first records, at most kBatchRows. Records with errors are left out; they are reported when they
// are parsed.
class FirstRecords {
 public:
  // `text` is lines, the first of which may have a byte order mark. False if the records may not all be there yet.
  bool read(std::string_view text, bool may_have_mark, bool last);
  const std::vector<std::string>& names() const { return names_; }  // in the order of their first appearance
  // Why there are no names.
  Message problem() const {
    return problem_.empty() ? "the object has no members, which would be the columns" : problem_;
  }
  // Shows all values to the builder, whose columns begin with names().
  void show(RowBuilder& builder) const;

 private:
  struct Value {
    std::size_t column;
    std::string text;  // empty: missing
  };

  void take(const JsonMember& member);

  std::vector<std::string> names_;
  TextMap<std::size_t> column_of_;
  std::vector<Value> values_;
  std::size_t records_ = 0;
  Message problem_;  // of the first record with an error
  JsonMembers members_;
};

bool FirstRecords::read(std::string_view text, bool may_have_mark, bool last) {
  std::size_t used = 0;
  while (records_ < kBatchRows && used < std::min(text.size(), kDetectBytes)) {
    std::string_view line = line_at(text, used);
    used += line.size() + 1;
    if (std::exchange(may_have_mark, false)) line = without_mark(line);
    if (is_blank_line(line)) continue;
    ++records_;
    try {
      members_.start(line);
      for (JsonMember member; members_.next(member);) take(member);
    } catch (const Error& error) {
      if (problem_.empty()) problem_ = error.message();
    }
  }
  return last || records_ == kBatchRows || used >= kDetectBytes;
}

void FirstRecords::take(const JsonMember& member) {
  auto found = column_of_.find(member.name);
  if (found == column_of_.end()) {
    found = column_of_.emplace(member.name, names_.size()).first;
    names_.emplace_back(member.name);
  }
  const bool is_scalar = member.kind == JsonMember::Kind::scalar;
  values_.push_back({found->second, is_scalar ? std::string(member.text) : std::string()});
}

void FirstRecords::show(RowBuilder& builder) const {
  std::vector<std::uint64_t> absent(names_.size(), records_);
  for (const Value& value : values_) {
    builder.look_at(value.column, value.text);
    if (absent[value.column] > 0) --absent[value.column];
  }
  for (std::size_t column = 0; column < absent.size(); ++column) builder.look_at_missing(column, absent[column]);
}

// --- the parser -----------------------------------------------------------------------------------------------------

class JsonParser final : public RecordParser {
 public:
  JsonParser(std::string file, const SourceOptions& options)
      : RecordParser(std::move(file), options, RowBuilder::Order::none) {}

  std::size_t parse(std::string_view text, bool last, Batch& batch) override;
  std::optional<Skipped> skip_row(std::string_view text, bool last) override;
  std::unique_ptr<RowParser> fork() const override { return std::make_unique<JsonParser>(*this); }
  std::string empty_message() const override {
    return gaps().unlabelled > 0 ? "no row has a label" : "no rows, only blank lines";
  }

 private:
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  bool set_up(std::string_view text, bool last);
  std::vector<std::string> names_of_model() const;
  std::vector<std::string> names_in_data(const FirstRecords& first) const;
  void parse_row(std::string_view line, Batch& batch);
  void start(std::string_view line);
  bool next(JsonMember& member);
  void take(const JsonMember& member, Batch& batch);
  std::size_t column_of(const JsonMember& member);
  bool is_read(std::size_t column) const { return builder_.columns().places[column] != ColumnMap::kUnread; }
  void add_absent(std::size_t column, const char* p, Batch& batch);
  [[noreturn]] void fail(const char* p, const Message& message) const override;

  TextMap<std::size_t> column_of_;       // by name
  std::size_t expected_ = 0;             // the column that is probably the next one
  std::uint64_t record_ = 0;             // number of the current record
  std::vector<std::uint64_t> given_in_;  // by column: the last record that had it
  JsonMembers members_;
};

// --- rows ------------------------------------------------------------------------------------------------------------

std::size_t JsonParser::parse(std::string_view text, bool last, Batch& batch) {
  std::size_t used = 0;
  while (used < text.size() && batch.rows() < builder_.most_rows()) {
    const std::string_view line = line_at(text, used);
    const std::string_view record = line_ == 1 ? without_mark(line) : line;
    row_ = line.data();
    if (!is_blank_line(record)) {
      if (!builder_.is_ready() && !set_up(text.substr(used), last)) break;
      parse_row(record, batch);
    }
    ++line_;
    used += line.size() + 1;
  }
  return used;
}

std::optional<RowParser::Skipped> JsonParser::skip_row(std::string_view text, bool) {
  if (!builder_.is_ready()) return std::nullopt;  // the columns are unknown
  ++line_;
  const auto before = static_cast<std::size_t>(row_ - text.data());
  return Skipped{.bytes = before + line_at(text, before).size() + 1};
}

void JsonParser::parse_row(std::string_view line, Batch& batch) {
  ++record_;
  expected_ = 0;
  builder_.begin_row(batch);
  start(line);
  for (JsonMember member; next(member);) take(member, batch);
  for (std::size_t column = 0; column < given_in_.size(); ++column) {
    if (given_in_[column] != record_ && is_read(column)) add_absent(column, line.data(), batch);
  }
  builder_.end_row(batch);
}

void JsonParser::start(std::string_view line) {
  try {
    members_.start(line);
  } catch (const Error& error) {
    fail(members_.at(), error.message());
  }
}

bool JsonParser::next(JsonMember& member) {
  try {
    return members_.next(member);
  } catch (const Error& error) {
    fail(members_.at(), error.message());
  }
}

void JsonParser::take(const JsonMember& member, Batch& batch) {
  const std::size_t column = column_of(member);
  if (column == kUnknown) return;
  if (std::exchange(given_in_[column], record_) == record_) {
    fail(member.begin, fmt::format("the record has {} twice", kinglet::quoted(member.name)));
  }
  if (!is_read(column)) return;
  if (member.kind == JsonMember::Kind::nested) {
    fail(member.begin, compose("the value of {} is a list or an object; to leave the column out, use {}",
                               builder_.column_name(column), option("ignore", std::string(member.name))));
  }
  add(column, member.kind == JsonMember::Kind::null ? std::string_view() : member.text, member.begin, batch);
}

// kUnknown: the column is none of those that are known, and is not read.
std::size_t JsonParser::column_of(const JsonMember& member) {
  const auto& names = builder_.names();
  if (expected_ < names.size() && names[expected_] == member.name) return expected_++;
  if (const auto found = column_of_.find(member.name); found != column_of_.end()) {
    expected_ = found->second + 1;
    return found->second;
  }
  const bool may_come = !options_.only.empty() || std::ranges::count(options_.ignore, member.name) > 0;
  if (may_come) return kUnknown;
  fail(member.begin,
       compose("{} the column {}; to leave it out, use {}; to leave out all that may still come, use {} with the "
               "columns to learn from",
               options_.columns ? "the model was not trained with" : "the first rows do not have",
               kinglet::quoted(member.name), option("ignore", std::string(member.name)), option("only")));
}

// A member that the record does not have is a missing value. An id cannot be missing.
void JsonParser::add_absent(std::size_t column, const char* p, Batch& batch) {
  if (builder_.columns().places[column] == ColumnMap::kId) {
    fail(p, fmt::format("the record has no id: it has no {}", builder_.column_name(column)));
  }
  add(column, {}, p, batch);
}

// --- columns ---------------------------------------------------------------------------------------------------------

// `text` begins with the current line. False if more lines are needed.
bool JsonParser::set_up(std::string_view text, bool last) {
  FirstRecords first;
  if (!options_.columns && !first.read(text, line_ == 1, last)) return false;
  try {
    std::vector<std::string> names = options_.columns ? names_of_model() : names_in_data(first);
    for (const std::string& name : names) column_of_.emplace(name, column_of_.size());
    given_in_.assign(names.size(), 0);
    const std::size_t count = names.size();
    builder_.map_columns(std::move(names), count);
    if (builder_.needs_first_rows()) first.show(builder_);
    builder_.settle();
  } catch (const Error& error) {
    fail(row_, error.message());
  }
  if (builder_.columns().dimension == 0) fail(row_, "there are no columns to learn from");
  return true;
}

// All names that the model or the options know. What else is in the data is an error there.
std::vector<std::string> JsonParser::names_of_model() const {
  const Columns& model = *options_.columns;
  if (model.features.empty()) {
    throw Error("the model was trained on columns without names, so it is unknown which of them a member is");
  }
  std::vector<std::string> names = model.features;
  const auto add_name = [&](const std::string& name) {
    if (!name.empty() && std::ranges::count(names, name) == 0) names.push_back(name);
  };
  const auto& label = options_.label_column ? options_.label_column : options_.default_label_column;
  if (label == "first" || label == "last") {
    throw Error(compose("{}: the members of an object have no order; give the name of the label",
                        option("label_column", *label)));
  }
  if (label != "none") add_name(label.value_or(model.label.value_or("")));
  add_name(model.weight);
  add_name(options_.weight_column);
  add_name(options_.id_column);
  for (const std::string& name : model.ignored) add_name(name);
  for (const std::string& name : options_.ignore) add_name(name);
  return names;
}

// Columns that are ignored may come later.
std::vector<std::string> JsonParser::names_in_data(const FirstRecords& first) const {
  std::vector<std::string> names = first.names();
  if (names.empty()) throw Error(first.problem());
  for (const std::string& name : options_.ignore) {
    if (!find_column(names, names.size(), name, true)) names.push_back(name);
  }
  return names;
}

// --- messages --------------------------------------------------------------------------------------------------------

void JsonParser::fail(const char* p, const Message& message) const {
  fail_at(file_, line_, static_cast<std::size_t>(p - row_) + 1, message);
}

}  // namespace

std::unique_ptr<RowParser> make_json_parser(std::string file, const SourceOptions& options) {
  return std::make_unique<JsonParser>(std::move(file), options);
}

}  // namespace kinglet
