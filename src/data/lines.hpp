// An input as chunks of whole lines. Parsers can then run to the next '\n' without looking for the end of the data.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "data/bytes.hpp"

namespace kinglet {

class Lines {
 public:
  struct Chunk {
    Supply supply = Supply::end;
    std::string_view text;  // when ready: ends in '\n', and kNumberSlack bytes may be looked at after it
    bool last = false;      // nothing comes after this chunk
    bool too_long = false;  // the row at the front is longer than allowed; no text
  };

  Lines(std::unique_ptr<Bytes> bytes, std::size_t max_row_bytes)
      : bytes_(std::move(bytes)), max_row_bytes_(std::min(max_row_bytes, std::size_t{1} << 40)) {}

  // The lines at hand, none longer than max_row_bytes; more than `at_least` bytes of them, for a parser that found a
  // row of several lines to be cut off. Nothing is consumed. A last line without '\n' gets one.
  Chunk next(bool wait, std::size_t at_least = 0);
  void consume(std::size_t n);

  Bytes& bytes() { return *bytes_; }
  const Bytes& bytes() const { return *bytes_; }
  void rewind();

 private:
  Chunk rest_of_input();

  std::unique_ptr<Bytes> bytes_;
  std::size_t max_row_bytes_;
  std::size_t searched_ = 0;  // that much of the window is known to hold no end of a row
  std::string rest_;          // the end of the input, copied where a '\n' and the slack can follow it
  bool in_rest_ = false;
  std::size_t rest_position_ = 0;
};

}  // namespace kinglet
