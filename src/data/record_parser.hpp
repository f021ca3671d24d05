// What the parsers of CSV and of JSON lines share: both make rows with a RowBuilder, count lines in the same way, and
// take over the rows of their forks in the same way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "data/row_builder.hpp"
#include "data/row_parser.hpp"

namespace kinglet {

class RecordParser : public RowParser {
 public:
  void begin(Batch& batch) override { builder_.begin_batch(batch); }
  void end(Batch& batch) override { builder_.end_batch(batch); }

  bool can_fork() const override { return !builder_.encodes(); }  // values of categories are numbered as rows come
  std::size_t parse_part(std::string_view text, PartRows& part) override;
  bool accepts(const PartRows& part) const override { return builder_.accepts(part); }
  bool append(PartRows& part, Batch& batch) override;

  void rewind() override {
    line_ = 1;
    builder_.rewind();
  }
  const DataGaps& gaps() const override { return builder_.gaps(); }
  std::uint64_t line() const override { return line_; }
  bool has_features() const override { return true; }  // every row has all columns

 protected:
  RecordParser(std::string file, const SourceOptions& options, RowBuilder::Order order)
      : file_(std::move(file)), options_(options), builder_(options, order) {}

  // Adds the value of a column, whose text begins at p.
  void add(std::size_t column, std::string_view text, const char* p, Batch& batch);
  [[noreturn]] virtual void fail(const char* p, const Message& message) const = 0;  // p: the place of the error

  std::string file_;
  SourceOptions options_;
  RowBuilder builder_;
  std::uint64_t line_ = 1;     // number of the current line
  const char* row_ = nullptr;  // start of the current row
};

}  // namespace kinglet
