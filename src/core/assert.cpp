#include "core/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace kinglet {

void assertion_failed(const char* what, const char* file, int line) {
  std::fprintf(stderr, "kinglet: internal error: %s does not hold (%s:%d); please report this\n", what, file, line);
  std::abort();
}

}  // namespace kinglet
