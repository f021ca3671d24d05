// Measures the limits of this machine, in the same run as our own rates: multiply-adds from registers, vector
// exponentials (the library's own), and repeatedly reading an array of a given size.
#pragma once

#include <cstddef>
#include <span>

namespace kinglet::bench {

// Each function does a fixed amount of work and returns a number, so that the compiler cannot optimise it away.
float multiply_adds(std::size_t count);         // `count` float multiply-adds
float exponentials(std::span<float> values);    // one exponential per value, size a multiple of 64
float read_all(std::span<const float> values);  // every value once, size a multiple of 64

}  // namespace kinglet::bench
