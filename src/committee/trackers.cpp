// The committee's trackers: members that forget, and race against each other.
#include <algorithm>

#include "committee/committee_learner.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

void CommitteeLearner::step_trackers(bool is_alarm) {
  if (trackers_.tenant == leader_) trackers_.tenant_led = examples_;
  if (trackers_.race) step_race();
  if (trackers_.tenant != kNone && examples_ - trackers_.tenant_led >= kTenure) leave(trackers_.tenant);
  if (is_alarm) change_tenants();
  if (!trackers_.race) {
    if (is_worse_than_usual()) trackers_.pause = std::min(trackers_.pause, kShortPause);
    if (is_alarm || examples_ - trackers_.ended >= trackers_.pause) begin_race(is_alarm);
  }
  take_snapshot();
}

std::vector<std::size_t> CommitteeLearner::challengers() const {
  std::vector<std::size_t> all;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].runs_as(MemberRole::tracker) && m != trackers_.tenant) all.push_back(m);
  }
  return all;
}

// Trackers in turns: one with a memory limit, else all, but no more than fit into kRoom beside the other members. Where
// there is none, the next attempt is after a pause.
void CommitteeLearner::begin_race(bool is_alarm) {
  const std::size_t after = trackers_.latest == kNone ? 0 : trackers_.latest;
  std::size_t begun = 0;
  for (std::size_t step = 1; step <= members_.size(); ++step) {
    const std::size_t m = (after + step) % members_.size();
    const Member& member = members_[m];
    if (member.plan.role != MemberRole::tracker || member.recalled || member.runs() || !fits(member.plan)) continue;
    if (begun > 0 && (limit_ != 0 || member_sum(shape_) + member_bytes(member.plan, shape_) > kRoom)) break;
    begin(m, members_[leader_].runs() ? &members_[leader_].standing : nullptr);
    learn_recent_rows(m, is_alarm);
    trackers_.latest = m;
    ++begun;
  }
  trackers_.race = !challengers().empty();
  trackers_.began = trackers_.ended = examples_;
  if (!trackers_.race) trackers_.pause = kLongPause;
}

void CommitteeLearner::learn_recent_rows(std::size_t m, bool is_alarm) {
  if (!recent_) return;
  try {
    recent_->visit(is_alarm ? rows_since_change() : recent_->size(),
                   [&](const Rows& rows, const Targets& targets, std::span<const float> weights) {
                     members_[m].learner->learn_batch(rows, targets, weights, {});
                   });
  } catch (const Error&) {
    leave(m);  // it diverged
  }
}

// How many of the recent rows came after the change that the last alarm told of.
std::size_t CommitteeLearner::rows_since_change() const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(recent_->size(), examples_ - drift_->alarms().back().since));
}

void CommitteeLearner::step_race() {
  const std::uint64_t age = examples_ - trackers_.began;
  const std::size_t stay = age == kRace / 4 ? 3 : age == kRace / 2 ? 2 : age >= kRace ? 1 : kNone;
  if (stay == kNone) return;
  std::vector<std::size_t> racing = challengers();
  const auto error = [&](std::size_t m) { return members_[m].standing.error_since_mark(); };
  std::ranges::stable_sort(racing, [&](std::size_t a, std::size_t b) { return is_less(error(a), error(b)); });
  for (std::size_t place = 0; place < racing.size(); ++place) {
    if (place < stay) {
      members_[racing[place]].standing.mark();
    } else {
      leave(racing[place]);
    }
  }
  if (age >= kRace) end_race(racing.empty() ? kNone : racing.front());
}

void CommitteeLearner::end_race(std::size_t winner) {
  trackers_.race = false;
  trackers_.ended = examples_;
  const std::size_t rival = best_running(winner);
  const bool wins = winner != kNone && rival != kNone && is_clearly_better(winner, rival, 2);
  trackers_.pause = wins ? kShortPause : std::clamp(2 * trackers_.pause, kShortPause, kLongPause);
  if (winner == kNone) return;
  if (!wins && trackers_.tenant != kNone) {
    leave(winner);
    return;
  }
  if (trackers_.tenant != kNone) leave(trackers_.tenant);
  trackers_.tenant = winner;
  trackers_.tenant_led = examples_;
}

// The end of a pass: challengers leave, but one that leads takes the tenant's place.
void CommitteeLearner::stop_race() {
  for (const std::size_t m : challengers()) {
    if (m != leader_) {
      leave(m);
      continue;
    }
    if (trackers_.tenant != kNone) leave(trackers_.tenant);
    trackers_.tenant = m;
    trackers_.tenant_led = examples_;
  }
  trackers_.race = false;
  trackers_.ended = examples_;
  snapshots_.clear();
  if (recent_) recent_->restart();
}

// The leader does clearly worse than it used to.
bool CommitteeLearner::is_worse_than_usual() const {
  const Standing& standing = members_[leader_].standing;
  return members_[leader_].runs() && standing.recent_error() > kClearlyWorse * standing.error();
}

}  // namespace kinglet
