// What a committee says about itself, and its saved state.
#include <algorithm>
#include <cmath>
#include <limits>

#include "committee/committee_learner.hpp"
#include "core/state.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/registry_entries.hpp"
#include "span/span_learner.hpp"

namespace kinglet {

Standings CommitteeLearner::standings() const {
  using State = MemberStanding::State;
  Standings all{.members = {}, .history = {history_.windows().begin(), history_.windows().end()}, .leader = leader_};
  const auto root_of = [&](double mean) { return task_ == TaskKind::regress ? std::sqrt(mean) : mean; };
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const auto& [plan, standing, learner, factors, reviewed, recalled] = members_[m];
    const State state = m == leader_         ? State::leading
                        : learner != nullptr ? State::running
                        : standing.has_run() ? State::left
                                             : State::waiting;
    all.members.push_back(
        {.options = plan.options,
         .algorithm = algorithm_name(plan.options),
         .gamma = plan.options.has("gamma") ? plan.options.real("gamma") : std::numeric_limits<double>::quiet_NaN(),
         .state = state,
         .began = standing.began(),
         .left = standing.left(),
         .examples = standing.examples(),
         .error = root_of(standing.error()),
         .recent_error = root_of(standing.recent_error()),
         .reviewed = reviewed});
  }
  all.alarms = drift_alarms();
  if (drift_) all.drift.assign(drift_->alarms().begin(), drift_->alarms().end());
  for (DriftAlarm& alarm : all.drift) {
    alarm.recent_error = root_of(alarm.recent_error);
    alarm.usual_error = root_of(alarm.usual_error);
  }
  return all;
}

// --- the file --------------------------------------------------------------------------------------------------------

void CommitteeLearner::save_member(const Member& member, StateWriter& out) const {
  out.put(static_cast<std::uint8_t>(member.plan.role));
  out.put<std::uint64_t>(member.plan.share);
  out.put<std::uint64_t>(member.plan.options.all().size());
  for (const auto& [name, value] : member.plan.options.all()) {
    out.put_text(name);
    out.put_text(value);
  }
  member.standing.save(out);
  out.put_array(member.factors);
  out.put<std::uint8_t>(member.reviewed ? 1 : 0);
  StateWriter state;  // its length comes first, because the state of a learner may end early
  if (member.runs()) member.learner->save(state);
  out.put_text(state.bytes());
}

CommitteeLearner::Member CommitteeLearner::load_member(StateReader& in) const {
  Member member;
  const auto role = in.get<std::uint8_t>();
  StateReader::require(role <= static_cast<std::uint8_t>(MemberRole::head), "the role of a member");
  member.plan.role = static_cast<MemberRole>(role);
  member.plan.share = static_cast<std::size_t>(in.get<std::uint64_t>());
  StateReader::require(member.plan.share > 0, "the budget of a member");
  Options options;
  for (std::size_t left = in.get_count(2 * sizeof(std::uint64_t)); left > 0; --left) {
    const std::string name = in.get_text();
    options.set(name, in.get_text());
  }
  member.plan.options = complete_saved_options(options);
  const Options& complete = member.plan.options;
  const bool is_bounded = complete.has("budget") && !complete.is_auto("budget") &&
                          static_cast<std::size_t>(complete.integer("budget")) <= budget_;
  const bool is_fixed = !complete.has("gamma") || !complete.is_auto("gamma");
  const bool is_possible =
      member.plan.role == MemberRole::head ? complete.text("algo") == "bnewton" : has_rules(complete);
  StateReader::require(is_bounded && is_fixed && is_possible && task_kind(complete) == task_,
                       "the options of a member");
  member.standing.load(in);
  member.factors = in.get_array<float>();
  const auto is_factor = [](float factor) { return std::isfinite(factor) && factor > 0; };
  const bool may_have_factors = member.plan.role == MemberRole::head && member.factors.size() == shape_.dimension;
  StateReader::require((member.factors.empty() || may_have_factors) && std::ranges::all_of(member.factors, is_factor),
                       "the metric of a member");
  member.reviewed = in.get<std::uint8_t>() != 0;
  if (const std::string_view state = in.get_bytes(); !state.empty()) {
    if (member.plan.role == MemberRole::head) {
      member.learner = std::make_unique<SpanLearner>(complete, shape_);
    } else {
      member.learner = make_learner(complete, shape_);
    }
    StateReader own(state);
    member.learner->load(own);
    StateReader::require(own.at_end(), "the state of a member is too long");
    StateReader::require(member.learner->stats().dimension == shape_.dimension, "its members differ in dimension");
  }
  return member;
}

void CommitteeLearner::save(StateWriter& out) const {
  out.put(examples_);
  out.put<std::uint64_t>(leader_);
  for (const std::size_t place : {trackers_.tenant, kNone, trackers_.latest}) {  // the second: in older files
    out.put<std::uint64_t>(place == kNone ? members_.size() : place);
  }
  for (const std::uint64_t when : {trackers_.tenant_led, trackers_.ended, trackers_.pause}) out.put(when);
  out.put<std::uint64_t>(members_.size());
  for (const Member& member : members_) save_member(member, out);
  history_.save(out);
  out.put(schedule_.kept);
  out.put<std::uint8_t>(rows_ ? 1 : 0);
  if (rows_) rows_->save(out);
  out.put<std::uint8_t>(samples_ ? 1 : 0);
  out.put<std::uint8_t>(judges_ ? 1 : 0);
  out.put<std::uint8_t>(drift_ ? 1 : 0);
  if (drift_) drift_->save(out);
  save_trackers(out);
}

void CommitteeLearner::save_trackers(StateWriter& out) const {
  out.put<std::uint8_t>(trackers_.race ? 1 : 0);
  out.put(trackers_.began);
  std::vector<std::uint64_t> recalled;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].recalled) recalled.push_back(m);
  }
  out.put_array(recalled);
  out.put<std::uint8_t>(recent_ ? 1 : 0);
  if (recent_) recent_->save(out);
  for (const std::vector<Copy>* copies : {&snapshots_, &retired_}) {
    out.put<std::uint64_t>(copies->size());
    for (const Copy& copy : *copies) {
      out.put(copy.at);
      save_member(copy.member, out);
    }
  }
}

void CommitteeLearner::load_trackers(StateReader& in) {
  trackers_.race = in.get<std::uint8_t>() != 0;
  trackers_.began = in.get<std::uint64_t>();
  StateReader::require(trackers_.began <= examples_, "the race of its members");
  for (const std::uint64_t m : in.get_array<std::uint64_t>()) {
    StateReader::require(m < members_.size() && members_[m].plan.role == MemberRole::tracker, "its recalled members");
    members_[m].recalled = true;
  }
  recent_.reset();
  if (in.get<std::uint8_t>() != 0) {
    StateReader::require(drift_.has_value(), "its recent rows");
    recent_.emplace(shape_, task_).load(in);
  }
  for (std::vector<Copy>* copies : {&snapshots_, &retired_}) {
    copies->clear();
    const std::size_t count = in.get_count(1);
    StateReader::require(count <= (copies == &snapshots_ ? 2 : kMostRetired), "the copies of its members");
    while (copies->size() < count) {
      Copy copy{.at = in.get<std::uint64_t>(), .member = load_member(in)};
      StateReader::require(copy.at <= examples_ && copy.member.runs_as(MemberRole::tracker),
                           "the copies of its members");
      copies->push_back(std::move(copy));
    }
  }
}

void CommitteeLearner::load(StateReader& in) {
  constexpr std::size_t kMostMembers = 256;
  constexpr std::uint64_t kMostKept = 32 * kMostCentres;
  examples_ = in.get<std::uint64_t>();
  leader_ = static_cast<std::size_t>(in.get<std::uint64_t>());
  std::size_t challenger = kNone;  // the only one in older files
  std::size_t* const places[] = {&trackers_.tenant, &challenger, &trackers_.latest};
  for (std::size_t* place : places) *place = static_cast<std::size_t>(in.get<std::uint64_t>());
  for (std::uint64_t* when : {&trackers_.tenant_led, &trackers_.ended, &trackers_.pause})
    *when = in.get<std::uint64_t>();
  StateReader::require(
      trackers_.tenant_led <= examples_ && trackers_.ended <= examples_ && trackers_.pause <= kLongPause,
      "the trials of its members");
  const std::size_t count = in.get_count(1);
  StateReader::require(count > 0 && count <= kMostMembers, "the number of its members");
  members_.clear();
  while (members_.size() < count) members_.push_back(load_member(in));
  for (std::size_t* place : places) {
    StateReader::require(*place <= count, "the trials of its members");
    if (*place == count) *place = kNone;
  }
  const auto runs = [&](std::size_t m) { return m < count && members_[m].runs(); };
  StateReader::require(runs(leader_), "its leader");
  StateReader::require(std::ranges::any_of(members_, [](const Member& m) { return m.runs_as(MemberRole::scout); }),
                       "its scouts");
  for (const std::size_t place : {trackers_.tenant, challenger}) {
    StateReader::require(place == kNone || members_[place].runs_as(MemberRole::tracker), "the trials of its members");
  }
  history_.load(in, count);
  schedule_.kept = in.get<std::uint64_t>();
  StateReader::require(schedule_.kept > 0 && schedule_.kept % 512 == 0 && schedule_.kept < kMostKept,
                       "the schedule of its members");
  const auto keeps = in.get<std::uint8_t>();
  StateReader::require(keeps <= 1 && (keeps == 0 || examples_ < schedule_.kept), "its first rows");
  rows_.reset();
  if (keeps == 1) {
    rows_.emplace(shape_, task_, static_cast<std::size_t>(schedule_.kept));
    rows_->load(in);
  }
  samples_ = in.get<std::uint8_t>() != 0;
  judges_ = in.get<std::uint8_t>() != 0;
  drift_.reset();
  if (in.at_end()) {  // version 3
    begin_watch();
  } else if (in.get<std::uint8_t>() != 0) {
    drift_.emplace().load(in, examples_);
  }
  if (!in.at_end()) {
    load_trackers(in);
    return;
  }
  trackers_.race = challenger != kNone;  // it goes on as a race of one
  trackers_.began = trackers_.race ? members_[challenger].standing.began() : 0;
  begin_recent();
}

}  // namespace kinglet
