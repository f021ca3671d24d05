// Ctrl-C and SIGTERM ask a command to stop after the current batch. The first signal sets a flag and wakes a command that
// waits for input; the second ends the process immediately with exit code 130.
#pragma once

#include "data/bytes.hpp"
#include "kinglet/source.hpp"

namespace kinglet::cli {

inline constexpr int kStoppedExitCode = 130;

int stopped_with_nothing_written();  // prints a note; returns the exit code

// At most one object may exist, because signal handlers belong to the process. What it watches must outlive it, or
// look_away() must be called first.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  bool requested() const;
  void watch(Source& source);  // the source to wake; replaces the previous one
  void watch(Bytes& input);    // an input to wake besides the source
  void look_away();            // forgets what it watches
};

}  // namespace kinglet::cli
