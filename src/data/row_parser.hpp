// Interface of the LIBSVM and CSV parsers: they turn whole lines into rows of a batch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kinglet/source.hpp"

namespace kinglet {

class RowParser {
 public:
  virtual ~RowParser() = default;

  // To fill a batch, call begin, then parse as often as needed, then end. Its vectors keep their memory between batches.
  virtual void begin(Batch& batch) = 0;
  // Appends the rows of `text`, which consists of whole lines, until the batch is full or the text ends. Returns the
  // number of bytes used: all, unless the batch is full or the text ends inside a row (only if not `last`). If it throws
  // Error, the batch has the rows before the one with the error.
  virtual std::size_t parse(std::string_view text, bool last, Batch& batch) = 0;
  // After parse() threw Error: passes over the row with the error. Nullopt if that is not possible, because all rows depend
  // on this one.
  struct Skipped {
    std::size_t bytes = 0;  // number of bytes of the text up to the next row
    bool whole = true;      // false if the text ends inside the row (only if not `last`): then `bytes` ends before it
  };
  virtual std::optional<Skipped> skip_row(std::string_view text, bool last) = 0;
  virtual void end(Batch& batch) = 0;

  virtual void rewind() = 0;                      // starts again with the first line
  virtual std::uint64_t line() const = 0;         // the number of the next line
  virtual bool has_features() const = 0;          // whether any row so far has a feature
  virtual std::string empty_message() const = 0;  // the error message for an input without rows
};

std::unique_ptr<RowParser> make_libsvm_parser(std::string file, const SourceOptions& options);
std::unique_ptr<RowParser> make_csv_parser(std::string file, char separator, const SourceOptions& options);

}  // namespace kinglet
