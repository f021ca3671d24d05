// For work that takes long: checks for Ctrl-C from time to time, and blocks of rows that are not too long for that.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstddef>

#include "kinglet/source.hpp"

namespace kinglet::python {

namespace nb = nanobind;
using Clock = std::chrono::steady_clock;

// Checks for Ctrl-C from time to time and reports the number of rows learned.
class Watch {
 public:
  explicit Watch(nb::handle progress) : progress_(progress), last_(Clock::now()) {}

  // Called without the interpreter lock. Throws the exception that Python raised.
  void rows_done(std::size_t n) {
    rows_ += n;
    if (Clock::now() - last_ < kInterval) return;
    report();
  }
  void report() {
    const nb::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress_.is_none() && rows_ > 0) progress_(rows_);
    rows_ = 0;
    last_ = Clock::now();
  }

 private:
  static constexpr auto kInterval = std::chrono::milliseconds(50);

  nb::handle progress_;
  Clock::time_point last_;
  std::size_t rows_ = 0;
};

// The number of rows to learn between two checks. The first block must be complete, because it determines scaling,
// gamma and so on; after that, slow learners get shorter blocks.
class BlockSize {
 public:
  std::size_t next() const { return size_; }
  void took(Clock::duration time) {
    constexpr std::size_t kLeast = 16;
    if (time > std::chrono::milliseconds(100) && size_ > kLeast) size_ /= 2;
  }

 private:
  std::size_t size_ = kBatchRows;
};

}  // namespace kinglet::python
