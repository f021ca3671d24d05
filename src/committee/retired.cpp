// Trackers that were good before a change, in case the same concept comes again:
//
//   every kSnapshot examples   a copy of the tenant; the last two are kept
//   alarm                      1. of the retired copies, the one with the least error on the latest rows since the change runs again, as a
//                                 challenger, if the leader's error since the change is greater
//                              2. the latest snapshot from before the change is retired
//
// The one that runs again is not retired any more. If it is right, it becomes the tenant, and is retired with what it
// has learned at the next change.
#include <algorithm>
#include <utility>

#include "committee/committee_learner.hpp"
#include "learn/make_learner.hpp"

namespace kinglet {

void CommitteeLearner::take_snapshot() {
  if (!recent_ || trackers_.tenant == kNone || examples_ % kSnapshot != 0) return;
  const Member& tenant = members_[trackers_.tenant];
  StateWriter state;
  tenant.learner->save(state);
  Copy copy{.at = examples_, .member = {.plan = tenant.plan, .learner = make_learner(tenant.plan.options, shape_)}};
  StateReader in(state.bytes());
  copy.member.learner->load(in);
  if (snapshots_.size() == 2) snapshots_.erase(snapshots_.begin());
  snapshots_.push_back(std::move(copy));
}

void CommitteeLearner::change_tenants() {
  if (!recent_) return;
  if (const std::size_t best = best_retired(); best != kNone) {
    Member old = std::move(retired_[best].member);
    retired_.erase(retired_.begin() + static_cast<std::ptrdiff_t>(best));
    recall(std::move(old));
  }
  const std::uint64_t since = drift_->alarms().back().since;
  const auto is_before = [&](const Copy& copy) { return copy.at <= since; };
  const auto latest = std::ranges::find_if(snapshots_.rbegin(), snapshots_.rend(), is_before);
  if (latest != snapshots_.rend()) retired_.push_back(std::move(*latest));
  if (retired_.size() > kMostRetired) retired_.erase(retired_.begin());
  snapshots_.clear();
}

// The least error on the latest kJudged rows since the change, which none of them has learned; ties go to the first.
// kNone if the leader's error since then is less, or if one that was recalled is still a challenger.
std::size_t CommitteeLearner::best_retired() const {
  if (std::ranges::any_of(challengers(), [&](std::size_t m) { return members_[m].recalled; })) return kNone;
  std::size_t best = kNone;
  double least = drift_->error();
  for (std::size_t i = 0; i < retired_.size(); ++i) {
    ErrorSum sum;
    recent_->visit(std::min(kJudged, rows_since_change()),
                   [&](const Rows& rows, const Targets& targets, std::span<const float> weights) {
                     const std::vector<double> errors = row_errors(retired_[i].member, rows, targets);
                     for (std::size_t row = 0; row < rows.count; ++row) {
                       sum.add(watched(errors[row]), static_cast<double>(weights[row]));
                     }
                   });
    if (const double error = sum.mean(); error < least) {
      best = i;
      least = error;
    }
  }
  return best;
}

void CommitteeLearner::recall(Member old) {
  old.recalled = true;
  old.standing.begin(examples_, members_[leader_].runs() ? &members_[leader_].standing : nullptr);
  // A place belongs to one plan for ever, because the history of leaders names places.
  const auto is_free = [&](const Member& member) {
    return member.recalled && !member.runs() && member.plan.options.all() == old.plan.options.all();
  };
  const auto place = std::ranges::find_if(members_, is_free);
  if (place == members_.end()) {
    members_.push_back(std::move(old));
  } else {
    *place = std::move(old);
  }
}

}  // namespace kinglet
