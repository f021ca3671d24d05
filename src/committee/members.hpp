// Which learners a committee runs, and when. The tables are in members.cpp: each line is a preset with settings of its
// own and a multiple of gamma. Whatever the committee's options say, because the user said it, is fixed for every
// member; a line whose options then do not go together (complete_options() refuses them) does not run, and of equal
// ones only the first runs.
//
//   scouts     first-order learners. They begin with the stream; the worse ones leave at the rungs
//   heads      second-order learners in the span of the support vectors of the leading scout (span/span_learner.hpp)
//   trackers   forget, for streams that change; they race against each other and challenge the leader
//
// The first scout is the algorithm that was the default before there were committees: whatever else runs or does not
// fit into the memory, a committee has at least this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/shape.hpp"
#include "kinglet/options.hpp"

namespace kinglet {

// Option of the committee itself, which no member takes.
inline constexpr const char* kGammas = "gammas";

enum class MemberRole : std::uint8_t { scout, tracker, head };

struct MemberPlan {
  MemberRole role = MemberRole::scout;
  std::size_t share = 1;  // its budget is that of the committee divided by this
  Options options{};      // complete
};

// The budget of a member for that of the committee: at least one vector. An update of a head takes O(B²), so it has at
// most kMostCentres, however large the budget is. Trackers are many and forget, so each has at most kMostTracked.
inline constexpr std::size_t kMostCentres = 1000;
inline constexpr std::size_t kMostTracked = 10'000;
std::size_t member_budget(MemberRole role, std::size_t budget, std::size_t share);

// The scouts and trackers that are possible with complete options of a committee; gamma and budget may still be `auto`
// there, as if gamma were 1. Throws the Error of the first line of the table if none is possible.
std::vector<MemberPlan> plan_members(const Options& committee);
// A head, or nothing if it is not possible with these options. `gamma` is ignored where the kernel has none.
std::optional<MemberPlan> plan_head(const Options& committee, std::size_t share, double gamma);

// The schedule, in examples of the stream. The first `kept` rows are kept, for heads to learn them again.
//
//   kept/4, /2, /1    at most 3, 2, 1 scouts go on; the last one as long as the stream. Later than seems needed: scouts are
//                     cheap, and on the first thousand rows large gammas look better than they are
//   kept/8, /4, /2    heads of several gammas in the span of ¼, ½, all of the leading scout's vectors replace the heads before
//   kept              the last heads with all of the rows; the rows are freed. At twice as many examples the best one goes on
//   4^g · kept        g = 1, 2, …: a new head of the scout's present vectors begins, and at twice as many examples the better
//                     one of both goes on
struct Schedule {
  std::uint64_t kept = 0;
  std::uint64_t sampled() const { return kept / 4; }  // of all rows of a pass

  Schedule() = default;
  Schedule(std::size_t budget, const Shape& shape);

  // The number of scouts that go on after so many examples; nothing where this is no rung.
  std::optional<std::size_t> scouts_at(std::uint64_t examples) const;
  // The heads that begin after so many examples: their share of the scout's vectors, and multiples of the best gamma so
  // far (of the leading scout's gamma for the first heads). Null where none do.
  struct HeadRung {
    std::uint64_t divisor;
    std::size_t share;
    std::vector<double> multiples;
  };
  static std::span<const HeadRung> head_rungs();
  static std::size_t scouts_during(const HeadRung& rung);  // at most so many run while its heads do
  const HeadRung* heads_at(std::uint64_t examples) const;
  bool begins_generation_at(std::uint64_t examples) const;  // 4^g · kept
  bool marks_at(std::uint64_t examples) const;              // from here on, errors decide which head goes on
  bool settles_heads_at(std::uint64_t examples) const;      // where one of them does
};

}  // namespace kinglet
