// Text sources: recognise the format, then pass whole lines from the input to the parser, or take the rows of a part
// that another thread has parsed ahead.
#include "data/text_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <utility>

#include "core/compose.hpp"
#include "core/fail_at.hpp"
#include "core/number.hpp"
#include "core/parallel.hpp"
#include "data/foreign_format.hpp"
#include "data/lines.hpp"
#include "data/parts_ahead.hpp"
#include "data/row_parser.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// Removes the first word from `text` and returns it.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

bool is_entry(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  if (word.starts_with("qid:")) return true;
  if (!std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(colon), number_detail::is_digit))
    return false;
  const std::string_view value = word.substr(colon + 1);
  return value.find_first_of(",;") == std::string_view::npos && number_fault(value) != "is not a number";
}

// Whether the line is a label followed by one or more index:value pairs.
bool is_libsvm_row(std::string_view line) {
  line = line.substr(0, line.find('#'));
  if (is_entry(take_word(line))) return true;  // the label is missing; the parser will report it
  bool found = false;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (!is_entry(word)) return false;
    found = true;
  }
  return found;
}

// Whether the line begins with a JSON object: {" or {}, perhaps with blanks. A label that begins with a bracket is no
// JSON.
bool is_json_row(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size())); };
  skip_blanks();
  if (!line.starts_with('{')) return false;
  line.remove_prefix(1);
  skip_blanks();
  return line.starts_with('"') || line.starts_with('}');
}

// The separator of the first row of `lines`: the first of tab, comma, semicolon and | that occurs outside of quotes; 0
// if none does. A row may span several lines inside quotes. `size` is the length of the row; 0 if a quote is not
// closed.
char separator_of_row(std::string_view lines, std::size_t& size) {
  constexpr std::string_view kSeparators = "\t,;|";
  std::size_t found = kSeparators.size();
  bool in_quotes = false;
  std::size_t i = 0;
  for (; i < lines.size() && (in_quotes || lines[i] != '\n'); ++i) {
    if (lines[i] == '"') in_quotes = !in_quotes;
    if (!in_quotes) found = std::min(found, kSeparators.find(lines[i]));
  }
  size = in_quotes ? 0 : std::min(i + 1, lines.size());
  return found < kSeparators.size() ? kSeparators[found] : '\0';
}

class TextSource final : public Source {
 public:
  TextSource(std::string name, std::unique_ptr<Bytes> bytes, const SourceOptions& options, std::size_t part_bytes)
      : name_(std::move(name)),
        options_(options),
        part_bytes_(part_bytes),
        lines_(std::move(bytes), options.max_row_bytes) {}

  bool next(Batch& batch) override;
  bool can_rewind() const override { return lines_.bytes().can_rewind(); }
  void rewind() override;
  std::optional<double> progress() const override { return lines_.bytes().progress(); }
  std::optional<std::uint64_t> rows_read() const override { return rows_; }
  SkippedRows skipped() const override { return skipped_; }
  DataGaps gaps() const override { return parser_ ? parser_->gaps() : DataGaps{}; }
  std::string name() const override { return name_; }
  void stop() override {
    stopping_ = true;
    lines_.bytes().stop();
  }

 private:
  Supply choose_parser();
  void require_fitting(Format format) const;
  void require_columns_of_model(Format format) const;
  std::string why_empty() const;
  void require_data(std::string_view beginning) const;
  void end_before_zero(Lines::Chunk& chunk, std::size_t at_least);
  Supply fill(Batch& batch);
  Supply append_rows(Batch& batch);
  void divide();
  PartsAhead::Part* next_part();
  void append(PartsAhead::Part& part, Batch& batch);
  Supply append_lines(bool wait, std::size_t& cut_off, Batch& batch);
  void consume(std::size_t n);
  std::size_t parse(const Lines::Chunk& chunk, Batch& batch);
  void note_skipped(const Error& error, Batch& batch);
  Lines::Chunk next_chunk(bool wait, std::size_t at_least);

  std::string name_;
  SourceOptions options_;
  std::size_t part_bytes_;
  Lines lines_;
  std::unique_ptr<RowParser> parser_;
  std::unique_ptr<PartsAhead> parts_;  // null: the parser reads the whole text
  std::atomic<std::uint64_t> rows_ = 0;
  SkippedRows skipped_;
  std::exception_ptr problem_;  // thrown by the next next(), after the rows before it
  bool first_batch_ = true;
  bool looked_at_beginning_ = false;
  std::size_t without_zeros_ = 0;  // so many of the next bytes are known to be no NUL bytes
  bool finished_ = false;
  std::atomic<bool> stopping_ = false;
};

bool TextSource::next(Batch& batch) {
  batch.new_labels.clear();
  if (problem_) {
    batch.clear();
    std::rethrow_exception(std::exchange(problem_, nullptr));
  }
  if (!finished_ && !stopping_) {
    finished_ = true;  // also if the following code throws
    Supply supply = parser_ ? Supply::ready : choose_parser();
    if (supply == Supply::ready) supply = fill(batch);
    const bool has_rows = rows_ > 0 || (options_.mark_bad && skipped_.count > 0);
    if (supply == Supply::end && !has_rows &&
        !stopping_) {  // Ctrl-C may also have ended the program at the other end of the pipe
      throw Error(fmt::format("{}: {}", name_, why_empty()));
    }
    // Rows to predict may well be all zeros.
    if (supply == Supply::end && !options_.labels_unused && parser_ && !parser_->has_features()) {
      throw Error(fmt::format(
          "{}: no row has a feature; rows are `label index:value ...`, or columns separated by commas", name_));
    }
    if (parser_ && (batch.rows() > 0 || !batch.bad_rows.empty())) {
      finished_ = supply == Supply::end || supply == Supply::stopped || problem_;
      first_batch_ = false;
      return true;
    }
  }
  batch.clear();
  return false;
}

std::string TextSource::why_empty() const {
  if (skipped_.count > 0) return fmt::format("no rows: all {} were skipped, because each has an error", skipped_.count);
  return parser_ && parser_->line() > 1 ? parser_->empty_message() : "the file is empty";
}

Lines::Chunk TextSource::next_chunk(bool wait, std::size_t at_least) {
  Lines::Chunk chunk = lines_.next(wait, at_least);
  if (chunk.supply != Supply::ready && !chunk.too_long) return chunk;
  if (!std::exchange(looked_at_beginning_, true)) require_data(chunk.last ? chunk.text : lines_.bytes().window());
  if (chunk.too_long) {
    fail_at(name_, parser_ ? parser_->line() : 1, 1,
            fmt::format("the row is longer than {} bytes; is this a text file with one example per line?",
                        options_.max_row_bytes));
  }
  end_before_zero(chunk, at_least);
  return chunk;
}

void TextSource::require_data(std::string_view beginning) const {
  const std::string foreign = foreign_format(beginning.substr(0, kForeignBytes));
  if (!foreign.empty()) throw Error(fmt::format("{}: {}", name_, foreign));
}

// A NUL byte is an error, after the rows before it. Looks at every byte once, although a chunk may be seen several
// times, until its rows are consumed.
void TextSource::end_before_zero(Lines::Chunk& chunk, std::size_t at_least) {
  if (chunk.text.size() <= without_zeros_) return;
  const std::size_t zero = chunk.text.find('\0', without_zeros_);
  without_zeros_ = std::min(zero, chunk.text.size());
  if (zero == std::string_view::npos) return;
  const std::string_view before = chunk.text.substr(0, zero);
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 in the first line
  if (line_begin > at_least) {
    chunk.text = before.substr(0, line_begin);
    chunk.last = false;
    return;
  }
  const auto lines = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  fail_at(name_, (parser_ ? parser_->line() : 1) + lines, zero - line_begin + 1,
          "there is a NUL byte; is this a text file?");
}

Supply TextSource::choose_parser() {
  constexpr std::size_t kEnough = 64u << 10;  // if the format is still unclear, the file has only labels
  char separator = options_.format == Format::tsv ? '\t' : ',';
  Format format = options_.format;
  if (format == Format::detect ||
      (format == Format::csv && options_.separator == '\0')) {  // a CSV file may use semicolons
    std::optional<Format> seen;
    Lines::Chunk chunk;
    for (std::size_t looked_at = 0; !seen && !chunk.last && looked_at < kEnough; looked_at = chunk.text.size()) {
      chunk = next_chunk(true, looked_at);
      if (chunk.supply != Supply::ready) return chunk.supply;
      seen = recognise_format(chunk.text, separator);
    }
    if (!seen) seen = recognise_format(chunk.text, separator, true);
    if (format == Format::detect) {
      // A model that was trained on CSV data expects such data.
      const bool expects_csv = !csv_option(options_).empty() || !record_option(options_).empty() ||
                               (options_.columns && !options_.default_index_base);
      format = seen.value_or(expects_csv ? Format::csv : Format::libsvm);
    }
    if (format == Format::csv && separator == '\t') separator = ',';
  }
  if (options_.separator != '\0') separator = options_.separator;
  if (!options_.options_may_not_fit) require_fitting(format);
  require_columns_of_model(format);
  if (!options_.index_base) options_.index_base = options_.default_index_base;
  parser_ = format == Format::libsvm  ? make_libsvm_parser(name_, options_)
            : format == Format::jsonl ? make_json_parser(name_, options_)
                                      : make_csv_parser(name_, separator, options_);
  return Supply::ready;
}

// Options that do not apply to this format are errors.
void TextSource::require_fitting(Format format) const {
  const Message of_csv = csv_option(options_);
  const Message of_records = record_option(options_);
  if (format == Format::jsonl && !of_csv.empty()) {
    throw Error(compose("{} applies only to CSV, but {} is JSON lines", of_csv, name_));
  }
  if (format == Format::libsvm && !of_csv.empty()) {
    throw Error(compose("{} applies only to CSV, but {} is in LIBSVM format", of_csv, name_));
  }
  if (format == Format::libsvm && !of_records.empty()) {
    throw Error(compose("{} applies only to CSV and JSON lines, but {} is in LIBSVM format", of_records, name_));
  }
  if (format != Format::libsvm && options_.index_base) {
    throw Error(compose("{} applies only to LIBSVM format, but {} is {}", option("index_base"), name_,
                        format == Format::tsv     ? "TSV"
                        : format == Format::jsonl ? "JSON lines"
                                                  : "CSV"));
  }
}

// The features of records have no meaning as indices.
void TextSource::require_columns_of_model(Format format) const {
  if (format != Format::libsvm || !options_.columns || !options_.columns->schema) return;
  throw Error(fmt::format(
      "{}: the model was trained on records ({} column{}); LIBSVM rows do not have them: give CSV or JSON lines", name_,
      options_.columns->dimension, options_.columns->dimension == 1 ? "" : "s"));
}

Supply TextSource::fill(Batch& batch) {
  const std::uint64_t rows_before = rows_;
  batch.bad_rows.clear();
  parser_->begin(batch);
  Supply supply = Supply::ready;
  try {
    supply = append_rows(batch);
  } catch (...) {
    if (batch.rows() == 0) throw;
    problem_ = std::current_exception();
    rows_ = rows_before + batch.rows();
  }
  parser_->end(batch);
  return supply;
}

Supply TextSource::append_rows(Batch& batch) {
  const std::uint64_t rows_before = rows_;
  if (!parts_ && rows_before > 0) divide();
  std::size_t cut_off = 0;  // bytes of a row that continues in the next chunk
  Supply supply = Supply::ready;
  while (supply == Supply::ready && std::max(batch.rows(), batch.bad_rows.size()) < kBatchRows) {
    if (PartsAhead::Part* const part = next_part()) {
      append(*part, batch);
    } else {
      const bool is_empty = batch.rows() == 0 && batch.bad_rows.empty();
      const bool wait = is_empty || (first_batch_ && options_.fill_first_batch);
      supply = append_lines(wait, cut_off, batch);
    }
    rows_ = rows_before + batch.rows();
  }
  return supply;
}

// Lets other threads parse the rest of the text ahead, if it is in memory and long enough.
void TextSource::divide() {
  const Bytes& bytes = lines_.bytes();
  if (!parser_->can_fork()) return;
  if (thread_count(options_.threads) == 1 || !bytes.is_whole() || options_.max_row_bytes < 2 * part_bytes_) return;
  const std::string_view text = bytes.window();
  const std::size_t usable = bytes.has_slack() ? text.size() : text.size() - std::min(text.size(), kNumberSlack);
  const std::size_t size = text.substr(0, usable).rfind('\n') + 1;  // 0 if there is no whole line
  if (size < kLeastParts * part_bytes_) return;
  try {
    parts_ = std::make_unique<PartsAhead>(text.substr(0, size), *parser_, options_.threads, part_bytes_);
  } catch (const std::system_error&) {  // the system allows no more threads: the parser reads alone
  }
}

// The part whose text comes next. Null: the parser must read it.
PartsAhead::Part* TextSource::next_part() {
  if (!parts_) return nullptr;
  const char* const here = lines_.bytes().window().data();
  for (PartsAhead::Part* part = parts_->front(); part != nullptr; part = parts_->front()) {
    if (part->text.data() + part->text.size() > here) {
      const bool has_begun = part->rows.taken > 0;  // then its labels are among the parser's already
      const bool fits = part->usable && part->text.data() == here && (has_begun || parser_->accepts(part->rows));
      return fits ? part : nullptr;
    }
    parts_->pop();  // the parser has read it
  }
  parts_.reset();
  return nullptr;
}

void TextSource::append(PartsAhead::Part& part, Batch& batch) {
  if (!parser_->append(part.rows, batch)) return;
  consume(part.used);
  parts_->pop();
}

// Appends the rows of the next lines. Where a part ends, they end as well, so that the next part can follow.
Supply TextSource::append_lines(bool wait, std::size_t& cut_off, Batch& batch) {
  Lines::Chunk chunk = next_chunk(wait, cut_off);
  if (chunk.supply != Supply::ready) return chunk.supply;
  if (parts_ && !chunk.last) {
    const std::string_view part = parts_->front()->text;
    const auto size = static_cast<std::size_t>(part.data() + part.size() - chunk.text.data());
    if (size > cut_off) chunk.text = chunk.text.substr(0, size);
  }
  const std::size_t used = parse(chunk, batch);
  consume(used);
  cut_off = batch.rows() < kBatchRows ? chunk.text.size() - used : 0;
  return Supply::ready;
}

void TextSource::consume(std::size_t n) {
  lines_.consume(n);
  without_zeros_ -= std::min(without_zeros_, n);
}

// Parses the chunk and passes over bad rows, as far as that is allowed. Returns the number of bytes used.
std::size_t TextSource::parse(const Lines::Chunk& chunk, Batch& batch) {
  std::size_t used = 0;
  for (;;) {
    const std::string_view text = chunk.text.substr(used);
    try {
      return used + parser_->parse(text, chunk.last, batch);
    } catch (const Error& error) {
      const bool may_skip = options_.skip_bad > 0 || options_.mark_bad;
      const auto row = may_skip ? parser_->skip_row(text, chunk.last) : std::nullopt;
      if (!row) throw;
      used += row->bytes;
      if (!row->whole) return used;
      note_skipped(error, batch);
    }
  }
}

// Counts a row with an error. Throws if it is one too many.
void TextSource::note_skipped(const Error& error, Batch& batch) {
  if (options_.mark_bad) {
    batch.bad_rows.push_back(static_cast<std::uint32_t>(batch.rows()));
  } else if (skipped_.count == options_.skip_bad) {
    throw Error(compose("{}; this is one bad row more than {} allows", error.message(),
                        option("skip_bad", std::to_string(options_.skip_bad))));
  }
  ++skipped_.count;
  if (skipped_.first.size() < SkippedRows::kMostShown) skipped_.first.push_back(error.message());
}

void TextSource::rewind() {
  if (!can_rewind())
    throw Error(fmt::format("{}: cannot be read a second time; save the stream to a file first", name_));
  parts_.reset();
  lines_.rewind();
  if (parser_) parser_->rewind();
  without_zeros_ = 0;
  rows_ = 0;
  skipped_ = {};
  problem_ = nullptr;
  finished_ = false;
}

}  // namespace

std::optional<Format> recognise_format(std::string_view lines, char& separator, bool complete) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    if (is_json_row(line)) return Format::jsonl;
    if (is_libsvm_row(line)) return Format::libsvm;
    if (line.starts_with('#')) {
      lines.remove_prefix(std::min(line.size() + 1, lines.size()));
      continue;
    }
    std::size_t size = 0;
    const char found = separator_of_row(lines, size);
    const bool is_open = size == 0;
    if (is_open && !complete) break;
    if (found != '\0') separator = found;
    if (found != '\0' || is_open) return separator == '\t' ? Format::tsv : Format::csv;
    lines.remove_prefix(size);
  }
  return std::nullopt;
}

Message csv_option(const SourceOptions& options) {
  if (options.separator != '\0') return option("separator");
  return options.header ? option(*options.header ? "header" : "no_header") : Message();
}

Message record_option(const SourceOptions& options) {
  if (options.label_column) return option("label_column");
  if (!options.weight_column.empty()) return option("weight_column");
  if (!options.ignore.empty()) return option("ignore");
  if (!options.only.empty()) return option("only");
  if (!options.kinds.empty()) return option("column");
  if (!options.id_column.empty()) return option("id_column");
  const SourceOptions defaults;
  if (options.category_values != defaults.category_values) return option("category_values");
  if (options.text_features != defaults.text_features) return option("text_features");
  return options.missing ? option("missing") : Message();
}

std::unique_ptr<Source> read_text(std::string name, std::unique_ptr<Bytes> bytes, const SourceOptions& options,
                                  std::size_t part_bytes) {
  if (options.index_base && *options.index_base != 0 && *options.index_base != 1) {
    throw Error(fmt::format("index base {} is invalid: indices count from 0 or from 1", *options.index_base));
  }
  return std::make_unique<TextSource>(std::move(name), std::move(bytes), options, part_bytes);
}

std::unique_ptr<Source> read_memory(std::string_view text, const SourceOptions& options, const std::string& name,
                                    std::size_t part_bytes) {
  return read_text(name, bytes_in_memory(text), options, part_bytes);
}

}  // namespace kinglet
