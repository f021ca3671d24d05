// Divides an input into chunks of whole lines. A parser can then read to the next '\n' without checking for the end of
// the data.
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
    std::string_view text;  // if ready: ends in '\n', and kNumberSlack bytes after it may be read
    bool last = false;      // this is the last chunk
    bool too_long = false;  // the first row is longer than allowed; text is empty
  };

  Lines(std::unique_ptr<Bytes> bytes, std::size_t max_row_bytes)
      : bytes_(std::move(bytes)), max_row_bytes_(std::min(max_row_bytes, std::size_t{1} << 40)) {}

  // The lines available, none longer than max_row_bytes. Returns more than `at_least` bytes, for a parser whose last
  // row was incomplete. Nothing is consumed. A last line without '\n' gets one.
  Chunk next(bool wait, std::size_t at_least = 0);
  void consume(std::size_t n);

  Bytes& bytes() { return *bytes_; }
  const Bytes& bytes() const { return *bytes_; }
  void rewind();

 private:
  Chunk rest_of_input();

  std::unique_ptr<Bytes> bytes_;
  std::size_t max_row_bytes_;
  std::size_t searched_ = 0;  // so many bytes of the window contain no end of a row
  std::string rest_;          // a copy of the end of the input, with room for '\n' and the slack
  bool in_rest_ = false;
  std::size_t rest_position_ = 0;
};

}  // namespace kinglet
