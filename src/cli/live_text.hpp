// A block of lines on the terminal that is redrawn in place, and erased at the end. Draws nothing if standard error is
// not a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace kinglet::cli {

class LiveText {
 public:
  explicit LiveText(bool wanted);
  ~LiveText() { erase(); }
  LiveText(const LiveText&) = delete;
  LiveText& operator=(const LiveText&) = delete;

  bool due() const;                     // a few times a second
  void draw(const std::string& lines);  // cut to the size of the terminal
  void erase();

 private:
  bool on_ = false;
  std::size_t drawn_ = 0;  // number of lines drawn
  std::chrono::steady_clock::time_point last_;
};

}  // namespace kinglet::cli
