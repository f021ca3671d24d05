// Interface of the parsers of LIBSVM, CSV and JSON lines: they turn whole lines into rows of a batch.
//
// One parser reads a text from its beginning and knows what depends on all rows so far: the number of the line, label
// ids, the number of features. Its forks, in other threads, read parts of the same text ahead (parts_ahead.hpp). A fork
// numbers lines and labels within its part; append() translates them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/label_ids.hpp"
#include "kinglet/source.hpp"

namespace kinglet {

// The rows that a fork has read from a part of the text.
struct PartRows {
  // A row with a higher index than the rows of the part before it (LIBSVM).
  struct Rise {
    std::size_t row;
    std::uint64_t index;  // as it is written in the data
    std::uint64_t line;   // from 0: the first line of the part
  };

  // Any number of rows with their labels (ids in the part) and `new_labels`. `values` and `indices` may be longer.
  Batch batch;
  std::vector<Rise> rises;
  std::uint64_t lines = 0;           // number of lines in the rows and between them
  DataGaps gaps;                     // in the whole part
  std::size_t taken = 0;             // number of rows that append() has taken
  std::vector<std::uint32_t> ids{};  // of the part's labels in the text; kNoLabel: no row with it is taken yet
};

// Appends labels, targets and weights of the next `count` rows of the part.
void append_labels(PartRows& part, std::size_t count, LabelIds& labels, Batch& batch);

void add_gaps(const DataGaps& more, DataGaps& gaps);

class RowParser {
 public:
  virtual ~RowParser() = default;

  // To fill a batch, call begin, then parse as often as needed, then end. Its vectors keep their memory between
  // batches.
  virtual void begin(Batch& batch) = 0;
  // Appends the rows of `text`, which consists of whole lines, until the batch is full or the text ends. Returns the
  // number of bytes used: all, unless the batch is full or the text ends inside a row (only if not `last`). If it
  // throws Error, the batch has the rows before the one with the error.
  virtual std::size_t parse(std::string_view text, bool last, Batch& batch) = 0;
  // After parse() threw Error: passes over the row with the error. Nullopt if that is not possible, because all rows
  // depend on this one.
  struct Skipped {
    std::size_t bytes = 0;  // number of bytes of the text up to the next row
    bool whole = true;      // false if the text ends inside the row (only if not `last`): then `bytes` ends before it
  };
  virtual std::optional<Skipped> skip_row(std::string_view text, bool last) = 0;
  virtual void end(Batch& batch) = 0;

  // Whether parts of the text can be read by forks: not if rows depend on all rows before them.
  virtual bool can_fork() const { return true; }
  // A parser for parts of the text. The first batch must be complete: it fixes the columns and the index base.
  virtual std::unique_ptr<RowParser> fork() const = 0;
  // In a fork: reads the rows of `text`, whose first line is the beginning of a row. Returns the number of bytes used:
  // all, unless the text ends inside a row. Throws Error if a row has an error.
  virtual std::size_t parse_part(std::string_view text, PartRows& part) = 0;
  // Whether append() will succeed. Otherwise, parse() has to read the text of the part: there may be too many labels.
  virtual bool accepts(const PartRows& part) const = 0;
  // The same as parse() with the text of the part, which comes next: appends its rows until the batch is full or the
  // part ends. Returns whether it has ended.
  virtual bool append(PartRows& part, Batch& batch) = 0;

  virtual void rewind() = 0;                      // starts again with the first line
  virtual const DataGaps& gaps() const = 0;       // in the rows since the first line
  virtual std::uint64_t line() const = 0;         // the number of the next line
  virtual bool has_features() const = 0;          // whether any row so far has a feature
  virtual std::string empty_message() const = 0;  // the error message for an input without rows
};

std::unique_ptr<RowParser> make_libsvm_parser(std::string file, const SourceOptions& options);
std::unique_ptr<RowParser> make_csv_parser(std::string file, char separator, const SourceOptions& options);
std::unique_ptr<RowParser> make_json_parser(std::string file, const SourceOptions& options);

}  // namespace kinglet
