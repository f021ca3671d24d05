// A block of lines on the terminal that is drawn again and again in one place; it draws nothing when standard error is
// no terminal, and leaves nothing behind.
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
  void draw(const std::string& lines);  // as many as fit, each cut to the width of the terminal
  void erase();

 private:
  bool on_ = false;
  std::size_t drawn_ = 0;  // lines on the terminal
  std::chrono::steady_clock::time_point last_;
};

}  // namespace kinglet::cli
