// While an object of this class exists, this thread's floating-point numbers below the normal range count as 0 (x86;
// other processors are not slowed down by them). Far from every centre, kernel values and what is computed from them
// become so small, and a multiplication with such a number takes a hundred times as long.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace kinglet::simd {

class FlushDenormals {
 public:
#if defined(__SSE2__)
  FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kInputsAndResults); }
  ~FlushDenormals() { _mm_setcsr(before_); }
#else
  FlushDenormals() = default;
  ~FlushDenormals() = default;
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

#if defined(__SSE2__)
 private:
  static constexpr unsigned kInputsAndResults = 0x8040;
  unsigned before_;
#endif
};

}  // namespace kinglet::simd
