// Timing on a shared, noisy machine: competitors alternate in short slices, and the best slice of each counts.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

namespace kinglet::bench {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Processor time of this thread in seconds; time used by other programs does not count.
inline double thread_seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The shortest time per unit of work over all slices.
class Best {
 public:
  // Repeats `work`, which does `units` units, for one slice.
  template <class Work>
  void slice(double units, Work work, double slice_seconds = 5e-4) {
    const double begin = seconds_now();
    double done = 0;
    double elapsed = 0;
    do {
      work();
      done += units;
      elapsed = seconds_now() - begin;
    } while (elapsed < slice_seconds);
    take(elapsed / done);
  }
  void take(double seconds) { seconds_ = std::min(seconds_, seconds); }  // per unit
  double seconds() const { return seconds_; }
  double rate() const { return 1 / seconds_; }

 private:
  double seconds_ = std::numeric_limits<double>::infinity();
};

// Keeps the compiler from optimising a result away.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace kinglet::bench
