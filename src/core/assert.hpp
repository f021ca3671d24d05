// Assertions for our own bugs. They stay on in release builds: each guards a cheap invariant, none stands in an
// inner loop.
#pragma once

namespace kinglet {

[[noreturn]] void assertion_failed(const char* what, const char* file, int line);

}  // namespace kinglet

#define KINGLET_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::kinglet::assertion_failed(#condition, __FILE__, __LINE__))
