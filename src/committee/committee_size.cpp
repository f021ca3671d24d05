// The size of a committee: memory of all members together, budgets, and room for more features and classes.
#include <algorithm>

#include "committee/committee_learner.hpp"
#include "core/compose.hpp"
#include "core/option_texts.hpp"
#include "kinglet/error.hpp"
#include "learn/make_learner.hpp"
#include "span/span_learner.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kOwnBytes = CommitteeLearner::kChunk * sizeof(Prediction);

// How much of a committee runs: its first scouts; heads and the rows that are kept for them; all trackers, with the
// recent rows and copies, or one of them and the watch for drift, unless there is nothing but one scout.
struct Extent {
  std::size_t scouts;
  bool heads;
  bool races = false;
};

// Copies of trackers, and the rows by which they are judged.
std::size_t recent_bytes_of(std::size_t tracker, const Shape& shape) {
  return RecentRows::bytes(shape) + (2 + CommitteeLearner::kMostRetired) * tracker;
}

std::size_t peak_bytes(const Options& options, std::span<const MemberPlan> plans, const Extent& extent,
                       const Shape& shape) {
  std::vector<std::size_t> sums{kOwnBytes};  // of no scout, the first, the first two, …
  std::size_t tracker = 0;                   // the largest
  std::size_t trackers = 0;
  for (const MemberPlan& plan : plans) {
    const bool begins = plan.role == MemberRole::scout && sums.size() <= extent.scouts;
    if (begins) sums.push_back(sums.back() + member_bytes(plan, shape));
    if (plan.role != MemberRole::tracker) continue;
    tracker = std::max(tracker, member_bytes(plan, shape));
    trackers += member_bytes(plan, shape);
  }
  // At most two that were recalled run besides: the tenant and a challenger.
  trackers = extent.races && tracker > 0 ? trackers + 2 * tracker + recent_bytes_of(tracker, shape) : tracker;
  const bool has_more = extent.scouts > 1 || extent.heads;
  if (has_more) {
    for (std::size_t& sum : sums) sum += DriftWatch::bytes();
  }
  std::size_t peak = sums.back();
  if (has_more) peak += trackers;
  const auto head = [&](std::size_t share) {
    const auto plan = plan_head(options, share, 1);
    return plan ? member_bytes(*plan, shape) : 0;
  };
  if (!extent.heads || head(1) == 0) return peak;
  std::size_t with_heads = 0;
  for (const Schedule::HeadRung& rung : Schedule::head_rungs()) {
    const std::size_t running = std::min<std::size_t>(sums.size() - 1, Schedule::scouts_during(rung));
    with_heads = std::max(with_heads, sums[running] + rung.multiples.size() * head(rung.share) + trackers);
  }
  const Schedule schedule(static_cast<std::size_t>(options.integer("budget")), shape);
  const std::size_t kept = RowSample::bytes(shape, static_cast<std::size_t>(schedule.kept));
  const std::size_t sampled = RowSample::bytes(shape, static_cast<std::size_t>(schedule.sampled()));
  const std::size_t learning = std::max(peak, with_heads);
  // A review needs the sample as it is, scaled, and once more as the first rows of a fresh committee.
  const std::size_t settled = sums[1] + head(1) + trackers;
  return std::max(learning + kept + sampled, settled + learning + 3 * sampled);
}

std::size_t count_scouts(std::span<const MemberPlan> plans) {
  return static_cast<std::size_t>(std::ranges::count(plans, MemberRole::scout, &MemberPlan::role));
}

}  // namespace

std::size_t member_bytes(const MemberPlan& plan, const Shape& shape) {
  return plan.role == MemberRole::head ? SpanLearner::bytes(plan.options, shape) : learner_memory(plan.options, shape);
}

bool CommitteeLearner::fits(const MemberPlan& plan) const {
  return limit_ == 0 || running_bytes(shape_) + member_bytes(plan, shape_) <= limit_;
}

std::size_t CommitteeLearner::running_bytes(const Shape& shape) const {
  std::size_t sum = kOwnBytes;
  if (rows_) sum += RowSample::bytes(shape, static_cast<std::size_t>(schedule_.kept));
  sum += RowSample::bytes(shape, sampled_rows());
  if (drift_) sum += DriftWatch::bytes();
  if (recent_) sum += recent_bytes(shape);
  return sum + member_sum(shape);
}

std::size_t CommitteeLearner::member_sum(const Shape& shape) const {
  std::size_t sum = 0;
  for (const Member& member : members_) {
    if (member.runs()) sum += member_bytes(member.plan, shape);
  }
  return sum;
}

std::size_t CommitteeLearner::recent_bytes(const Shape& shape) const {
  std::size_t largest = 0;
  for (const Member& member : members_) {
    if (member.plan.role == MemberRole::tracker) largest = std::max(largest, member_bytes(member.plan, shape));
  }
  return recent_bytes_of(largest, shape);
}

void CommitteeLearner::begin_recent() {
  if (!drift_ || (limit_ != 0 && running_bytes(shape_) + recent_bytes(shape_) > limit_)) return;
  recent_.emplace(shape_, task_);
}

// With a memory limit: the leading scout, the leader and then the members that are best at present go on as far as they
// fit. The kept rows, the sample, the recent rows, copies and the watch for drift leave. Throws Error, having changed
// nothing, if not even the scout fits.
void CommitteeLearner::make_room_for(const Shape& shape) {
  if (limit_ == 0 || running_bytes(shape) <= limit_) return;
  const std::size_t scout = leading_scout();
  if (kOwnBytes + member_bytes(members_[scout].plan, shape) > limit_) {
    throw Error(compose("with {} features and {} classes the learner would take more than {}: raise {}",
                        shape.dimension, shape.classes, option("memory", options_.text("memory")), option("memory")));
  }
  std::vector<std::size_t> order;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].runs()) order.push_back(m);
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if (a == scout || b == scout) return a == scout && b != scout;
    if (a == leader_ || b == leader_) return a == leader_ && b != leader_;
    return is_less(members_[a].standing.recent_error(), members_[b].standing.recent_error());
  });
  rows_.reset();
  samples_ = false;
  drift_.reset();
  recent_.reset();
  snapshots_.clear();
  retired_.clear();
  std::size_t sum = kOwnBytes;
  std::vector<bool> stays(members_.size());
  for (const std::size_t m : order) {
    const std::size_t own = member_bytes(members_[m].plan, shape);
    stays[m] = sum + own <= limit_;
    if (stays[m]) sum += own;
  }
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].runs() && !stays[m]) leave(m);
  }
  choose_leader();
}

void CommitteeLearner::grow(const Shape& shape) {
  const Shape larger{.dimension = std::max(shape_.dimension, shape.dimension),
                     .classes = std::max(shape_.classes, shape.classes),
                     .storage = shape_.storage};
  make_room_for(larger);
  for (Member& member : members_) {
    if (member.runs()) member.learner->grow(larger);
    if (!member.factors.empty()) member.factors.resize(larger.dimension, 1.0F);
  }
  if (rows_) rows_->grow(larger.dimension);
  if (recent_) recent_->grow(larger.dimension);
  for (std::vector<Copy>* copies : {&snapshots_, &retired_}) {
    for (Copy& copy : *copies) copy.member.learner->grow(larger);
  }
  shape_ = larger;
}

bool CommitteeLearner::can_lower_budget() const {
  return std::ranges::all_of(members_, [](const Member& m) { return !m.runs() || m.learner->can_lower_budget(); });
}

void CommitteeLearner::lower_budget(std::size_t budget) {
  for (Member& member : members_) {
    const std::size_t share = member_budget(member.plan.role, budget, member.plan.share);
    member.plan.options.set("budget", std::to_string(share));
    if (member.runs()) member.learner->lower_budget(share);
  }
  snapshots_.clear();
  retired_.clear();
  budget_ = budget;
  options_.set("budget", std::to_string(budget));
}

std::size_t CommitteeLearner::bytes(const Options& options, const Shape& shape) {
  const std::vector<MemberPlan> plans = plan_members(options);
  const std::size_t all =
      peak_bytes(options, plans, {.scouts = count_scouts(plans), .heads = true, .races = true}, shape);
  if (options.text("memory") == "none") return all;
  const std::uint64_t limit = parse_memory(options.text("memory"));
  return std::max(peak_bytes(options, plans, {.scouts = 1, .heads = false}, shape), std::min<std::size_t>(all, limit));
}

std::int64_t CommitteeLearner::largest_budget(const Options& options, const Shape& shape, std::uint64_t limit) {
  constexpr std::int64_t kMost = 100'000'000;
  constexpr std::int64_t kEnough = 500;
  Options trial = options;
  const std::vector<MemberPlan> plans = plan_members(options);
  const auto is_within = [&](const Extent& extent, std::int64_t budget) {
    trial.set("budget", std::to_string(budget));
    std::vector<MemberPlan> members = plans;
    for (MemberPlan& plan : members) {
      const std::size_t own = member_budget(plan.role, static_cast<std::size_t>(budget), plan.share);
      plan.options.set("budget", std::to_string(own));
    }
    return peak_bytes(trial, members, extent, shape) <= limit;
  };
  const auto largest = [&](const Extent& extent) {
    std::int64_t good = 0;
    std::int64_t bad = kMost + 1;
    while (bad - good > 1) {
      const std::int64_t middle = bad > kMost ? std::min(2 * good + 1, kMost) : good + (bad - good) / 2;
      (is_within(extent, middle) ? good : bad) = middle;
    }
    return good;
  };
  const std::size_t scouts = count_scouts(plans);
  for (const bool heads : {true, false}) {
    for (std::size_t begin = scouts; begin > 0; --begin) {
      if (const Extent extent{begin, heads}; is_within(extent, kEnough)) return largest(extent);
    }
  }
  return largest({.scouts = 1, .heads = false});
}

LearnerStats CommitteeLearner::stats() const {
  LearnerStats stats = leader().stats();
  stats.examples = examples_;
  stats.budget = budget_;
  stats.memory_bytes = kOwnBytes + (drift_ ? DriftWatch::bytes() : 0) + (rows_ ? rows_->memory_bytes() : 0) +
                       RowSample::bytes(shape_, sampled_rows());
  if (recent_) stats.memory_bytes += recent_->memory_bytes();
  for (const Member& member : members_) {
    if (member.runs()) stats.memory_bytes += member.learner->stats().memory_bytes;
  }
  for (const std::vector<Copy>* copies : {&snapshots_, &retired_}) {
    for (const Copy& copy : *copies) stats.memory_bytes += copy.member.learner->stats().memory_bytes;
  }
  return stats;
}

}  // namespace kinglet
