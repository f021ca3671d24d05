// The user's errors: a bad file, a bad option, a wrong dimension. what() is one line that says what is wrong,
// where (file:line:column when there is one) and what to do. Broken invariants of ours are assertions instead
// (src/core/assert.hpp).
#pragma once

#include <stdexcept>

namespace kinglet {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace kinglet
