// Parses LIBSVM / SVMlight text: a row is `label index:value index:value ...` with increasing indices. `qid:n`, blank
// lines and everything after a # are ignored. Indices count from 1, or from 0 if the first batch contains index 0. A
// label is a class or, with numeric_labels, a number.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/fail_at.hpp"
#include "core/number.hpp"
#include "data/label_ids.hpp"
#include "data/row_parser.hpp"

namespace kinglet {
namespace {

constexpr std::int64_t kHighestIndex = std::int64_t{1} << 31;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool ends_token(char c) { return c == ' ' || c == '\n' || c == '#' || is_blank(c); }
bool ends_row(char c) { return c == '\n' || c == '#'; }

void set_size(Batch& batch, std::size_t entries) {
  batch.values.reserve(entries);  // resize() alone would at least double the memory
  batch.indices.reserve(entries);
  batch.values.resize(entries);
  batch.indices.resize(entries);
}

class LibsvmParser final : public RowParser {
 public:
  LibsvmParser(std::string file, const SourceOptions& options)
      : file_(std::move(file)),
        base_(options.index_base),
        limit_(options.dimension),
        numeric_labels_(options.numeric_labels),
        labels_may_be_absent_(options.labels_may_be_absent || options.labels_unused),
        labels_unused_(options.labels_unused) {
    set_bounds();
  }

  void begin(Batch& batch) override;
  std::size_t parse(std::string_view text, bool last, Batch& batch) override;
  std::optional<Skipped> skip_row(std::string_view text, bool last) override;
  void end(Batch& batch) override;

  std::unique_ptr<RowParser> fork() const override;
  std::size_t parse_part(std::string_view text, PartRows& part) override;
  bool accepts(const PartRows& part) const override { return labels_.has_room_for(part.batch.new_labels.size()); }
  bool append(PartRows& part, Batch& batch) override;

  void rewind() override { line_ = 1; }
  const DataGaps& gaps() const override {
    static const DataGaps kNone;  // what is not there is 0
    return kNone;
  }
  std::uint64_t line() const override { return line_; }
  bool has_features() const override { return dimension_ > 0 || limit_ > 0; }
  std::string empty_message() const override { return "no rows, only blank lines and comments"; }

 private:
  struct Label {
    std::uint32_t id = kNoLabel;
    std::optional<float> number;  // with numeric_labels
  };

  const char* parse_row(const char* p, Batch& batch);
  const char* parse_entries(const char* p, Batch& batch);
  const char* parse_label(const char* p, Batch& batch, Label& label);
  std::uint32_t class_of(const char* begin, std::string_view token, Batch& batch);
  const char* pass_over_qid(const char* p);
  void check_index(const char* token, std::int64_t index, std::int64_t previous);
  void make_room(Batch& batch, std::size_t used, const char* p);
  void note_index(std::uint64_t index, std::uint64_t line);
  void set_bounds();
  void decide_base(Batch& batch);
  [[noreturn]] void fail_entry(const char* token);
  [[noreturn]] void fail(const char* p, const Message& message) const {
    fail_at(file_, line_, static_cast<std::size_t>(p - row_) + 1, message);
  }

  std::string file_;
  LabelIds labels_;
  std::size_t most_rows_ = kBatchRows;
  std::optional<int> base_;      // first index, 0 or 1; unknown until the first batch is complete
  std::uint32_t dimension_ = 0;  // number of features so far
  struct {
    std::uint64_t index = 0;
    std::uint64_t line = 0;
  } highest_index_;                    // so far
  std::vector<PartRows::Rise> rises_;  // of the current batch
  std::uint32_t limit_;                // number of features that the caller requires, or 0
  bool numeric_labels_;
  bool labels_may_be_absent_;
  bool labels_unused_;
  std::int64_t lowest_ = -1;    // an index must be greater than this
  std::int64_t highest_ = 0;    // and at most this
  std::uint32_t subtract_ = 0;  // feature = index − subtract_; 0 while the base is unknown
  bool saw_index_0_ = false;
  std::uint64_t limit_line_ = 0;  // line in which an index was equal to limit_ before the base was known
  std::size_t limit_column_ = 0;

  std::uint64_t line_ = 1;
  const char* row_ = nullptr;  // start of the current line
  const char* end_ = nullptr;  // end of the text
  std::size_t used_ = 0;       // filled entries of the batch, whose vectors never shrink
};

void LibsvmParser::set_bounds() {
  const std::int64_t base = base_.value_or(0);
  lowest_ = base - 1;
  subtract_ = static_cast<std::uint32_t>(base);
  highest_ = limit_ == 0 ? kHighestIndex : limit_ - 1 + base;
}

void LibsvmParser::begin(Batch& batch) {
  batch.sparse = true;
  batch.columns.reset();
  batch.labels.clear();
  batch.targets.clear();
  batch.weights.clear();
  batch.new_labels.clear();
  batch.offsets.clear();
  batch.offsets.push_back(0);
  batch.labels.reserve(kBatchRows);
  batch.offsets.reserve(kBatchRows + 1);
  used_ = 0;
  rises_.clear();
  make_room(batch, 0, end_);
}

void LibsvmParser::end(Batch& batch) {
  batch.values.resize(used_);
  batch.indices.resize(used_);
  if (!base_) decide_base(batch);
  batch.index_base = base_;
  batch.dimension = limit_ != 0 ? limit_ : dimension_;
  if (limit_ != 0 || batch.highest.index == highest_index_.index) return;
  batch.highest = {highest_index_.index, fmt::format("{}:{}", file_, highest_index_.line)};
}

std::unique_ptr<RowParser> LibsvmParser::fork() const {
  auto fork = std::make_unique<LibsvmParser>(*this);
  fork->most_rows_ = std::numeric_limits<std::size_t>::max();
  return fork;
}

std::size_t LibsvmParser::parse_part(std::string_view text, PartRows& part) {
  labels_ = {};
  dimension_ = 0;
  begin(part.batch);
  const std::uint64_t first_line = line_;
  const std::size_t used = parse(text, false, part.batch);
  part.lines = line_ - first_line;
  part.rises.swap(rises_);
  for (auto& rise : part.rises) rise.line -= first_line;
  return used;
}

bool LibsvmParser::append(PartRows& part, Batch& batch) {
  const Batch& from = part.batch;
  const std::size_t count = std::min(kBatchRows - batch.rows(), from.rows() - part.taken);
  const std::uint64_t* const offsets = from.offsets.data() + part.taken;
  const std::size_t begin = offsets[0];
  const std::size_t entries = offsets[count] - begin;
  if (batch.values.size() < used_ + entries) set_size(batch, used_ + entries);
  std::copy_n(from.values.data() + begin, entries, batch.values.data() + used_);
  std::copy_n(from.indices.data() + begin, entries, batch.indices.data() + used_);
  for (std::size_t i = 1; i <= count; ++i) batch.offsets.push_back(offsets[i] - begin + used_);
  used_ += entries;
  for (const auto& rise : part.rises) {
    if (rise.row - part.taken < count) note_index(rise.index, line_ + rise.line);
  }
  append_labels(part, count, labels_, batch);
  part.taken += count;
  if (part.taken < from.rows()) return false;
  line_ += part.lines;
  return true;
}

// Keeps the highest index so far and its line.
void LibsvmParser::note_index(std::uint64_t index, std::uint64_t line) {
  const std::uint32_t extent = static_cast<std::uint32_t>(index) + 1 - subtract_;
  if (extent <= dimension_) return;
  dimension_ = extent;
  highest_index_ = {index, line};
}

// The vectors of a batch are used up to `used_` and never shortened while it is filled, so that after a while nothing
// is allocated or cleared. `p` is inside the row; if it is long, its colons say how much room it takes.
void LibsvmParser::make_room(Batch& batch, std::size_t used, const char* p) {
  std::size_t size = std::max(batch.values.size(), batch.indices.size());
  if (used == size) {
    const auto needed = used + static_cast<std::size_t>(std::count(p, std::find_if(p, end_, ends_row), ':'));
    size = std::max<std::size_t>(4096, needed > 2 * size ? needed : size + size / 2);
  }
  set_size(batch, size);
}

void LibsvmParser::decide_base(Batch& batch) {
  if (batch.rows() == 0) return;
  base_ = saw_index_0_ ? 0 : 1;
  set_bounds();
  if (*base_ == 1) {
    for (auto& index : batch.indices) --index;
    if (dimension_ > 0) --dimension_;
  } else if (limit_line_ > 0) {
    fail_at(file_, limit_line_, limit_column_,
            fmt::format("index {} exceeds the expected {} features, as indices count from 0 here", limit_, limit_));
  }
}

std::size_t LibsvmParser::parse(std::string_view text, bool, Batch& batch) {
  const char* p = text.data();
  end_ = p + text.size();
  while (p != end_ && batch.rows() < most_rows_) {
    row_ = p;
    p = parse_row(p, batch);
    ++line_;
  }
  return static_cast<std::size_t>(p - text.data());
}

// Returns the start of the next line.
const char* LibsvmParser::parse_row(const char* p, Batch& batch) {
  if (line_ == 1 && std::string_view(p, static_cast<std::size_t>(end_ - p)).starts_with("\xEF\xBB\xBF")) p += 3;
  while (is_blank(*p)) ++p;
  if (!ends_row(*p)) {
    Label label;
    p = parse_entries(parse_label(p, batch, label), batch);
    batch.labels.push_back(label.id);
    if (label.number) batch.targets.push_back(*label.number);
    batch.offsets.push_back(used_);
  }
  if (*p == '#') p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end_ - p)));
  return p + 1;
}

std::optional<RowParser::Skipped> LibsvmParser::skip_row(std::string_view text, bool) {
  const auto* newline = static_cast<const char*>(std::memchr(row_, '\n', static_cast<std::size_t>(end_ - row_)));
  if (limit_line_ == line_) limit_line_ = 0;
  ++line_;
  return Skipped{.bytes = static_cast<std::size_t>(newline + 1 - text.data())};
}

const char* LibsvmParser::parse_label(const char* p, Batch& batch, Label& label) {
  const char* const begin = p;
  bool has_colon = false;
  while (!ends_token(*p)) has_colon |= *p++ == ':';
  const std::string_view token(begin, static_cast<std::size_t>(p - begin));
  if (has_colon && labels_may_be_absent_) return begin;
  if (has_colon) fail(begin, fmt::format("the row has no label before {}", quoted(token)));
  if (labels_unused_) return p;
  if (!numeric_labels_) {
    label.id = class_of(begin, token, batch);
    return p;
  }
  float number = 0;
  if (parse_float(begin, end_, number) != p) {
    fail(begin, fmt::format("label {} {}; regression needs a number", quoted(token), number_fault(token)));
  }
  label.number = number;
  return p;
}

std::uint32_t LibsvmParser::class_of(const char* begin, std::string_view token, Batch& batch) {
  const std::size_t known = batch.new_labels.size();
  const std::uint32_t id = labels_.id(token, batch.new_labels);
  if (id == kNoLabel && has_control_characters(token)) {
    fail(begin, fmt::format("label {} contains a control character", quoted(token)));
  }
  if (id == kNoLabel) {
    fail(begin, fmt::format("label {} exceeds the limit of {} different labels; labels are classes", quoted(token),
                            LabelIds::kMaxLabels));
  }
  if (batch.new_labels.size() > known && number_fault(token) == "is not finite") {
    labels_.forget_last(batch.new_labels);
    fail(begin, fmt::format("label {} is not finite; correct the label or remove the row", quoted(token)));
  }
  return id;
}

const char* LibsvmParser::parse_entries(const char* p, Batch& batch) {
  std::int64_t previous = lowest_;
  std::size_t used = used_;
  const std::size_t first = used;
  for (;;) {
    const char* const token = p;
    // Digit by digit: as indices increase, branches on their length are easy to predict.
    std::uint64_t index = 0;
    while (number_detail::is_digit(*p) && index <= kHighestIndex)
      index = 10 * index + static_cast<unsigned>(*p++ - '0');
    if (*p != ':' || p == token) {
      if (ends_row(*token)) break;
      p = is_blank(*token) ? token + 1 : pass_over_qid(token);
      continue;
    }
    const auto number = static_cast<std::int64_t>(index);
    if (number <= previous || number > highest_) check_index(token, number, previous);
    previous = number;
    if (used == batch.values.size()) make_room(batch, used, p);
    p = parse_float(p + 1, end_, batch.values[used]);
    if (p == nullptr || !ends_token(*p)) fail_entry(token);
    batch.indices[used++] = static_cast<std::uint32_t>(index) - subtract_;
    if (*p == ' ') ++p;
  }
  if (used > first) {
    saw_index_0_ |= batch.indices[first] + subtract_ == 0;
    if (static_cast<std::uint32_t>(previous) + 1 - subtract_ > dimension_) {
      note_index(static_cast<std::uint64_t>(previous), line_);
      rises_.push_back({batch.rows(), static_cast<std::uint64_t>(previous), line_});
    }
  }
  used_ = used;
  return p;
}

// `p` points to something that is not an index: qid:n, or an error.
const char* LibsvmParser::pass_over_qid(const char* p) {
  const char* const token = p;
  while (!ends_token(*p)) ++p;
  if (!std::string_view(token, static_cast<std::size_t>(p - token)).starts_with("qid:")) fail_entry(token);
  return p;
}

// Throws if the index is invalid as far as is known.
void LibsvmParser::check_index(const char* token, std::int64_t index, std::int64_t previous) {
  if (index > kHighestIndex) {
    fail(token, fmt::format("the index is greater than {}, the highest allowed", kHighestIndex));
  }
  if (index == 0 && previous == lowest_) {
    fail(token, {"found index 0, but indices count from 1; if they count from 0 in this file, use ",
                 option("index_base", "0")});
  }
  if (index == previous)
    fail(token, fmt::format("index {} is repeated; an index may appear only once in a row", index));
  if (index < previous) {
    fail(token, fmt::format("index {} comes after {}; the indices of a row must increase", index, previous));
  }
  if (!base_ && index == limit_) {  // valid if indices count from 1
    if (limit_line_ == 0) {
      limit_line_ = line_;
      limit_column_ = static_cast<std::size_t>(token - row_) + 1;
    }
    return;
  }
  fail(token, fmt::format("index {} exceeds the expected {} features", index, limit_));
}

// Throws an error that says which part of the entry at `token` is wrong.
void LibsvmParser::fail_entry(const char* token) {
  const char* p = token;
  while (!ends_token(*p)) ++p;
  const std::string_view entry(token, static_cast<std::size_t>(p - token));
  const std::size_t colon = entry.find(':');
  if (colon == std::string_view::npos || colon == 0 ||
      !std::all_of(token, token + colon, [](char c) { return number_detail::is_digit(c); })) {
    const bool negative = colon != std::string_view::npos && entry.front() == '-';
    fail(token, fmt::format("expected index:value, found {}{}", quoted(entry),
                            negative ? "; an index cannot be negative" : ""));
  }
  if (colon > 10) check_index(token, kHighestIndex + 1, lowest_);
  const std::string_view value = entry.substr(colon + 1);
  if (value.empty()) fail(token + colon + 1, fmt::format("the value of index {} is missing", entry.substr(0, colon)));
  fail(token + colon + 1, fmt::format("value {} {}", quoted(value), number_fault(value)));
}

}  // namespace

std::unique_ptr<RowParser> make_libsvm_parser(std::string file, const SourceOptions& options) {
  return std::make_unique<LibsvmParser>(std::move(file), options);
}

}  // namespace kinglet
