// Ctrl-C, SIGTERM and SIGHUP (a lost connection) ask a command to stop after the current batch. The first signal sets a
// flag and wakes a command that waits for input; the second ends the process immediately. The exit code is 128 + the
// number of the signal, as in shells.
#pragma once

#include "data/byte_reader.hpp"
#include "kinglet/source.hpp"

namespace kinglet::cli {

int stopped_exit_code();  // 128 + the number of the first signal; that of Ctrl-C if none came

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
  void watch(Source& source);   // the source to wake; replaces the previous one
  void watch(Interrupt& wait);  // a wait to end besides that for the source
  void look_away();             // forgets what it watches
  // While it hurries, nothing could be saved: a signal ends the process within a second, if the work takes that long.
  static void hurry(bool is);
};

// While it exists, writing to a pipe whose reader is gone fails instead of ending the process: the connection on which
// the progress was shown may break, and the run goes on.
class SurviveBrokenPipes {
 public:
  SurviveBrokenPipes();
  ~SurviveBrokenPipes();
  SurviveBrokenPipes(const SurviveBrokenPipes&) = delete;
  SurviveBrokenPipes& operator=(const SurviveBrokenPipes&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace kinglet::cli
