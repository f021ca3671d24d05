// Assertions for bugs in kinglet itself. They stay enabled in release builds: each checks a cheap invariant outside of
// inner loops.
#pragma once

namespace kinglet {

[[noreturn]] void assertion_failed(const char* what, const char* file, int line);

}  // namespace kinglet

#define KINGLET_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::kinglet::assertion_failed(#condition, __FILE__, __LINE__))
