// Ctrl-C and SIGTERM as a request to stop at the next batch. The first signal sets a flag and wakes what a command may be
// blocked on; the second ends the process at once with exit code 130.
#pragma once

#include "data/bytes.hpp"
#include "kinglet/source.hpp"

namespace kinglet::cli {

inline constexpr int kStoppedExitCode = 130;

int stopped_with_nothing_written();  // says so; the exit code

// At most one at a time: signal handlers belong to the process. What it watches must outlive it, unless it looks away.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  bool requested() const;
  void watch(Source& source);  // the one to wake, instead of any before
  void watch(Bytes& input);    // and this one besides the source
  void look_away();            // what was watched is about to go; there is nothing to wake
};

}  // namespace kinglet::cli
