// Selects the instruction set of the vector code: the best one of the machine, unless the environment variable
// KINGLET_ISA names another (avx512, avx2, sse4, scalar; neon on ARM). The tests use it to run all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinglet::simd {

// The instruction sets compiled in and supported by this machine, best first.
std::vector<std::string> available_isas();
std::string current_isa();

// Throws Error for a name that is unknown or not supported here. Must not be called while other threads compute.
void use_isa(std::string_view name);

// Applies KINGLET_ISA once; called before the first vector operation.
void choose_isa();

}  // namespace kinglet::simd
