// The most memory that this process has held at one time.
#pragma once

#include <cstdint>

namespace kinglet {

std::uint64_t peak_memory_bytes();

}  // namespace kinglet
