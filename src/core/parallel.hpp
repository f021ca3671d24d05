// The thread loop: runs the same function for the numbers 0 … count − 1 on several threads. Everything in the library that
// computes in parallel goes through it; the only other thread is the one that reads data (src/data/read_ahead.cpp).
#pragma once

#include <cstddef>
#include <functional>

namespace kinglet {

// Number of threads for a request; 0: one for each core.
std::size_t thread_count(unsigned threads);

// Calls work(i) once for every i < count, on up to `threads` threads (0: one for each core), the calling thread being one of
// them. Numbers are handed out in increasing order. Once `stopped` returns true no further call begins; it is asked before
// each call, on every thread. After the first exception no further call begins either, and that exception is thrown again
// here when all threads have ended.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& stopped = {});

}  // namespace kinglet
