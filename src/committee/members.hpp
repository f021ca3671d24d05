// Which learners a committee can run. The table is in members.cpp: each line is a preset with settings of its own and a
// multiple of gamma. Whatever the committee's options say, because the user said it, is fixed for every member; a line whose
// options then do not go together (complete_options() refuses them) does not run, and of equal ones only the first runs.
//
//   scouts     begin with the stream, in the order of the table; the worse ones leave at the rungs
//   trackers   forget, for streams that change: one at a time challenges the leader
//
// The first scout is the algorithm that was the default before there were committees: whatever else runs or does not fit
// into the memory, a committee has at least this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kinglet/options.hpp"

namespace kinglet {

// Options of the committee itself, which no member takes.
inline constexpr const char* kGammas = "gammas";

enum class MemberRole : std::uint8_t { scout, tracker };

struct MemberPlan {
  MemberRole role = MemberRole::scout;
  std::size_t share = 1;  // its budget is that of the committee divided by this
  Options options{};      // complete
};

// The budget of a member for that of the committee: at least one vector.
std::size_t budget_share(std::size_t budget, std::size_t share);

// The members that are possible with complete options of a committee; gamma and budget may still be `auto` there. Throws
// the Error of the first line of the table if none is possible.
std::vector<MemberPlan> plan_members(const Options& committee);

// The rungs: at so many examples of the stream, at most so many scouts go on.
struct Rung {
  std::uint64_t examples = 0;
  std::size_t scouts = 0;
};
std::span<const Rung> rungs();

}  // namespace kinglet
