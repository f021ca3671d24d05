// The committee's trackers: members that forget, on trial one after the other.
#include <algorithm>

#include "committee/committee_learner.hpp"

namespace kinglet {

void CommitteeLearner::step_trackers() {
  if (trials_.tenant == leader_) trials_.tenant_led = examples_;
  if (trials_.challenger != kNone && examples_ - members_[trials_.challenger].standing.began() >= kTrial) end_trial();
  if (trials_.tenant != kNone && examples_ - trials_.tenant_led >= kTenure) leave(trials_.tenant);
  if (trials_.challenger != kNone) return;
  if (is_alarmed()) trials_.pause = std::min(trials_.pause, kShortPause);
  if (examples_ - trials_.ended >= trials_.pause) begin_trial();
}

void CommitteeLearner::end_trial() {
  const std::size_t challenger = trials_.challenger;
  const std::size_t rival = best_running(challenger);
  trials_.ended = examples_;
  if (rival != kNone && is_clearly_better(challenger, rival, 2)) {
    if (trials_.tenant != kNone) leave(trials_.tenant);
    trials_.tenant = challenger;
    trials_.tenant_led = examples_;
    trials_.challenger = kNone;
    trials_.pause = kShortPause;
  } else {
    leave(challenger);
    trials_.pause = std::clamp(2 * trials_.pause, kShortPause, kLongPause);
  }
}

// The trackers take turns. Where there is none or the memory does not allow it, the next attempt is after a pause.
void CommitteeLearner::begin_trial() {
  std::size_t next = kNone;
  std::size_t first = kNone;
  for (std::size_t m = members_.size(); m-- > 0;) {
    if (members_[m].plan.role != MemberRole::tracker || members_[m].runs()) continue;
    first = m;
    if (trials_.previous == kNone || m > trials_.previous) next = m;
  }
  if (next == kNone) next = first;
  trials_.ended = examples_;
  if (next == kNone || !fits(members_[next].plan)) {
    trials_.pause = kLongPause;
    return;
  }
  trials_.challenger = trials_.previous = next;
  begin(next, members_[leader_].runs() ? &members_[leader_].standing : nullptr);
}

// The leader does clearly worse than it used to.
bool CommitteeLearner::is_alarmed() const {
  const Standing& standing = members_[leader_].standing;
  return members_[leader_].runs() && standing.recent_error() > kClearlyWorse * standing.error();
}

}  // namespace kinglet
