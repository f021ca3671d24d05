// What the machine at hand can do at best, measured in the same run as our own rates: multiply-adds from registers,
// vector exponentials (the library's own), and reading an array of a given size again and again.
#pragma once

#include <cstddef>
#include <span>

namespace kinglet::bench {

// Each does a fixed amount of work and returns a number that keeps the compiler honest.
float multiply_adds(std::size_t count);         // `count` float multiply-adds
float exponentials(std::span<float> values);    // one exponential per value, size a multiple of 64
float read_all(std::span<const float> values);  // every value once, size a multiple of 64

}  // namespace kinglet::bench
