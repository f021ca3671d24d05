// What LIBSVM and CSV have in common: whole lines in, rows of a batch out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinglet/source.hpp"

namespace kinglet {

class RowParser {
 public:
  virtual ~RowParser() = default;

  // A batch is filled by begin, parse as often as needed, end. Its vectors keep their memory from one to the next.
  virtual void begin(Batch& batch) = 0;
  // Appends the rows of `text`, which is whole lines, until the batch is full or the text is used up. Returns how many
  // bytes were used: all of them, unless the batch is full or the text ends inside of a row (only if not `last`).
  virtual std::size_t parse(std::string_view text, bool last, Batch& batch) = 0;
  virtual void end(Batch& batch) = 0;

  virtual void rewind() = 0;                      // the next line is again the first one
  virtual std::uint64_t line() const = 0;         // the number of the next line
  virtual std::string empty_message() const = 0;  // what to say when the input ended without a row
  virtual std::vector<std::string> feature_names() const { return {}; }
};

std::unique_ptr<RowParser> make_libsvm_parser(std::string file, const SourceOptions& options);
std::unique_ptr<RowParser> make_csv_parser(std::string file, char separator, const SourceOptions& options);

}  // namespace kinglet
