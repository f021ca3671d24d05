// The memory that the process occupies now.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace kinglet {

inline std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace kinglet
