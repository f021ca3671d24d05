// Peak memory of this process.
#pragma once

#include <cstdint>

namespace kinglet {

std::uint64_t peak_memory_bytes();

}  // namespace kinglet
