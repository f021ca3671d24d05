// How the members of a committee (the algorithm `auto`) compare: which ran, how well each predicted, who led when, and
// where the stream changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kinglet/options.hpp"

namespace kinglet {

struct MemberStanding {
  enum class State { waiting, running, leading, left };

  Options options{};        // complete: this member alone is a model with these options
  std::string algorithm{};  // algorithm_name(options)
  double gamma = 0;         // NaN if its kernel has none
  State state = State::waiting;
  std::uint64_t began = 0;     // examples of the stream before its first one; that of its last trial, if it had several
  std::uint64_t left = 0;      // examples of the stream when it left; 0: it did not
  std::uint64_t examples = 0;  // that it predicted before learning them
  // Its progressive error since it began: the share of mistakes or, in regression, the root mean squared error. Both
  // weighted as the examples are; NaN if it predicted none.
  double error = 0;
  double recent_error = 0;  // the same, but older examples count less and less
  // It learned a sample of all rows in random order at the end of a pass, because their order in the stream mattered.
  bool reviewed = false;
};

// From the end of the entry before it up to `end` examples of the stream, `member` predicted, with this recent error at
// the end. A long history is thinned out: of two neighbours the later one stays.
struct Leadership {
  std::uint64_t end = 0;
  std::size_t member = 0;  // place in Standings::members
  double recent_error = 0;
};

// The predictions became worse: the stream seems to have changed.
struct DriftAlarm {
  std::uint64_t at = 0;     // examples of the stream when it was noticed
  std::uint64_t since = 0;  // the errors have been more since about this example
  double recent_error = 0;  // of the member that predicted, at the alarm; as in MemberStanding
  double usual_error = 0;   // the same over a longer time
};

struct Standings {
  std::vector<MemberStanding> members{};  // empty: the model is no committee, or has learned nothing
  std::vector<Leadership> history{};
  std::size_t leader = 0;           // place in `members`
  std::vector<DriftAlarm> drift{};  // the latest alarms, in order
  std::uint64_t alarms = 0;         // how many there were; more than are in `drift` if they were very many
};

}  // namespace kinglet
