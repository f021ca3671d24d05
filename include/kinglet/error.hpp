// The user's errors: a bad file, a bad option, a wrong dimension. what() is one line that says what is wrong,
// where (file:line:column when there is one) and what to do. Broken invariants of ours are assertions instead
// (src/core/assert.hpp).
#pragma once

#include <stdexcept>
#include <string>

namespace kinglet {

class Error : public std::runtime_error {
 public:
  // What the message quotes may come from anywhere, so control characters in it are shown as \x0a: it stays one line.
  explicit Error(const std::string& message) : std::runtime_error(one_line(message)) {}

 private:
  static std::string one_line(const std::string& message);
};

}  // namespace kinglet
