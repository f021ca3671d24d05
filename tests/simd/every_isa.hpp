// Runs test code once for each instruction set of this machine, and restores the selected one afterwards.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "simd/isa.hpp"

namespace kinglet::simd {

class RestoreIsa {
 public:
  RestoreIsa() : name_(current_isa()) {}
  RestoreIsa(const RestoreIsa&) = delete;
  RestoreIsa& operator=(const RestoreIsa&) = delete;
  ~RestoreIsa() { use_isa(name_); }

 private:
  std::string name_;
};

template <class Body>
void for_every_isa(Body body) {
  const RestoreIsa restore;
  for (const std::string& name : available_isas()) {
    SCOPED_TRACE("instruction set " + name);
    use_isa(name);
    body();
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace kinglet::simd
