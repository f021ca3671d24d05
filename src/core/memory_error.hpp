// The error of something that is right but does not fit into memory.
#pragma once

#include "kinglet/error.hpp"

namespace kinglet {

class MemoryError : public Error {
 public:
  using Error::Error;
};

}  // namespace kinglet
