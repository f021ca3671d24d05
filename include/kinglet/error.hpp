// The user's errors: a bad file, a bad option, a wrong dimension. The message is one line that says what is wrong,
// where (file:line:column when there is one) and what to do. Broken invariants of ours are assertions instead
// (src/core/assert.hpp).
#pragma once

#include <memory>
#include <stdexcept>

#include "kinglet/message.hpp"

namespace kinglet {

class Error : public std::runtime_error {
 public:
  // What the message quotes may come from anywhere, so control characters in it are shown as \x0a: it stays one line.
  explicit Error(const Message& message);

  // what() is the text for C++: options by their plain names. This is the same with the mentions of options as data.
  const Message& message() const noexcept { return *message_; }

 private:
  explicit Error(std::shared_ptr<const Message> one_line);

  std::shared_ptr<const Message> message_;  // shared, so that copying an exception cannot throw
};

}  // namespace kinglet
