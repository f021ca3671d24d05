#include "committee/committee_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "core/compose.hpp"
#include "core/option_texts.hpp"
#include "core/state.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/make_learner.hpp"
#include "learn/registry_entries.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kOwnBytes = CommitteeLearner::kChunk * sizeof(Prediction);

std::uint64_t limit_of(const Options& options) {
  return options.text("memory") == "none" ? 0 : parse_memory(options.text("memory"));
}

// The bytes of the first `scouts` scouts, and of a tenant and a challenger if all scouts run.
std::size_t bytes_with(std::span<const MemberPlan> plans, std::size_t scouts, const Shape& shape) {
  std::size_t sum = kOwnBytes;
  std::size_t begun = 0;
  std::size_t tracker = 0;
  for (const MemberPlan& plan : plans) {
    const std::size_t own = learner_memory(plan.options, shape);
    if (plan.role == MemberRole::tracker) tracker = std::max(tracker, own);
    if (plan.role == MemberRole::scout && begun++ < scouts) sum += own;
  }
  return begun <= scouts ? sum + 2 * tracker : sum;
}

std::size_t count_scouts(std::span<const MemberPlan> plans) {
  return static_cast<std::size_t>(std::ranges::count(plans, MemberRole::scout, &MemberPlan::role));
}

}  // namespace

CommitteeLearner::CommitteeLearner(const Options& options, const Shape& shape)
    : task_(task_kind(options)),
      shape_(shape),
      budget_(static_cast<std::size_t>(options.integer("budget"))),
      limit_(limit_of(options)),
      predictions_(kChunk) {
  for (MemberPlan& plan : plan_members(options)) members_.push_back({.plan = std::move(plan)});
  begin(0, nullptr);
  for (std::size_t m = 1; m < members_.size(); ++m) {
    const MemberPlan& plan = members_[m].plan;
    if (plan.role != MemberRole::scout) continue;
    if (limit_ > 0 && running_bytes(shape_) + learner_memory(plan.options, shape_) > limit_) break;
    begin(m, nullptr);
  }
  begin_trial();
}

// --- learning --------------------------------------------------------------------------------------------------------

std::uint64_t CommitteeLearner::chunk_end(std::uint64_t examples) {
  constexpr std::uint64_t kFirst = 16;  // so that the best of the first examples leads soon
  const std::uint64_t length = examples < kChunk ? kFirst : kChunk;
  return (examples / length + 1) * length;
}

void CommitteeLearner::learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                                   const ProgressiveOutput& before) {
  for (std::size_t at = 0; at < rows.count;) {
    const std::uint64_t end = chunk_end(examples_);
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(rows.count - at, end - examples_));
    learn_part(rows.slice(at, n), targets.slice(at, n), weights.empty() ? weights : weights.subspan(at, n),
               before.slice(at, n, outputs()));
    at += n;
    examples_ += n;
    if (examples_ == end) end_chunk();
  }
}

void CommitteeLearner::learn_part(const Rows& rows, const Targets& targets, std::span<const float> weights,
                                  const ProgressiveOutput& before) {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    Member& member = members_[m];
    if (!member.runs()) continue;
    ProgressiveOutput out = m == leader_ ? before : ProgressiveOutput();
    if (out.predictions.empty()) out.predictions = std::span(predictions_).first(rows.count);
    member.learner->learn_batch(rows, targets, weights, out);
    judge(member.standing, out.predictions, targets, weights);
  }
}

void CommitteeLearner::judge(Standing& standing, std::span<const Prediction> predictions, const Targets& targets,
                             std::span<const float> weights) const {
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    double error = 0;
    if (task_ == TaskKind::regress) {
      const double difference = static_cast<double>(predictions[i].score) - static_cast<double>(targets.numbers[i]);
      error = difference * difference;
    } else {
      error = predictions[i].label == targets.classes[i] ? 0 : 1;
    }
    standing.add(error, weights.empty() ? 1 : static_cast<double>(weights[i]));
  }
}

void CommitteeLearner::finish() {
  for (Member& member : members_) {
    if (member.runs()) member.learner->finish();
  }
}

// --- the ends of chunks ----------------------------------------------------------------------------------------------

void CommitteeLearner::end_chunk() {
  if (examples_ > kChunk) {
    for (Member& member : members_) {
      if (member.runs()) member.standing.end_chunk();
    }
  }
  for (const Rung& rung : rungs()) {
    if (examples_ == rung.examples) climb_rung(rung.scouts);
  }
  step_trackers();
  choose_leader();
  history_.add({.end = examples_, .member = leader_, .recent_error = members_[leader_].standing.recent_error()});
}

// All but `scouts` scouts leave, the worst first; ties go to the first of the table.
void CommitteeLearner::climb_rung(std::size_t scouts) {
  std::vector<std::size_t> running;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].runs() && members_[m].plan.role == MemberRole::scout) running.push_back(m);
  }
  std::ranges::stable_sort(running, [&](std::size_t a, std::size_t b) {
    return is_less(members_[a].standing.rung_error(), members_[b].standing.rung_error());
  });
  for (std::size_t place = 0; place < running.size(); ++place) {
    if (place < scouts) {
      members_[running[place]].standing.end_rung();
    } else {
      leave(running[place]);
    }
  }
}

void CommitteeLearner::choose_leader() {
  if (members_[leader_].runs()) {
    const std::size_t best = best_running(leader_);
    if (best == kNone) return;
    if (!is_less(members_[best].standing.recent_error(), members_[leader_].standing.recent_error())) return;
    leader_ = best;
    return;
  }
  leader_ = best_running();
}

std::size_t CommitteeLearner::best_running(std::size_t besides) const {
  std::size_t best = kNone;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (m == besides || !members_[m].runs()) continue;
    if (best == kNone || is_less(members_[m].standing.recent_error(), members_[best].standing.recent_error())) best = m;
  }
  return best;
}

void CommitteeLearner::begin(std::size_t m, const Standing* like) {
  members_[m].learner = make_learner(members_[m].plan.options, shape_);
  members_[m].standing.begin(examples_, like);
}

void CommitteeLearner::leave(std::size_t m) {
  members_[m].learner.reset();
  members_[m].standing.leave(examples_);
  if (trials_.tenant == m) trials_.tenant = kNone;
  if (trials_.challenger == m) trials_.challenger = kNone;
}

// --- trackers --------------------------------------------------------------------------------------------------------

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
  const double error = members_[challenger].standing.recent_error();
  trials_.ended = examples_;
  if (rival != kNone && is_less(error, members_[rival].standing.recent_error())) {
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
  const bool fits =
      next != kNone &&
      (limit_ == 0 || running_bytes(shape_) + learner_memory(members_[next].plan.options, shape_) <= limit_);
  if (!fits) {
    trials_.pause = kLongPause;
    return;
  }
  trials_.challenger = trials_.previous = next;
  begin(next, members_[leader_].runs() ? &members_[leader_].standing : nullptr);
}

// The leader does clearly worse than it used to.
bool CommitteeLearner::is_alarmed() const {
  constexpr double kClearly = 1.5;
  const Standing& standing = members_[leader_].standing;
  return members_[leader_].runs() && standing.recent_error() > kClearly * standing.error();
}

// --- size ------------------------------------------------------------------------------------------------------------

std::size_t CommitteeLearner::running_bytes(const Shape& shape) const {
  std::size_t sum = kOwnBytes;
  for (const Member& member : members_) {
    if (member.runs()) sum += learner_memory(member.plan.options, shape);
  }
  return sum;
}

void CommitteeLearner::grow(const Shape& shape) {
  const Shape larger{.dimension = std::max(shape_.dimension, shape.dimension),
                     .classes = std::max(shape_.classes, shape.classes),
                     .sparse = shape_.sparse};
  const auto one = learner_memory(members_[leader_].plan.options, larger);
  if (limit_ > 0 && kOwnBytes + one > limit_) {
    throw Error(
        compose("with {} features and {} classes even the leader of the committee takes more than the limit: "
                "raise {}",
                larger.dimension, larger.classes, option("memory")));
  }
  while (limit_ > 0 && running_bytes(larger) > limit_) {
    std::size_t worst = kNone;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!members_[m].runs() || m == leader_) continue;
      const double error = members_[m].standing.recent_error();
      if (worst == kNone || !is_less(error, members_[worst].standing.recent_error())) worst = m;
    }
    leave(worst);
  }
  for (Member& member : members_) {
    if (member.runs()) member.learner->grow(larger);
  }
  shape_ = larger;
}

bool CommitteeLearner::can_lower_budget() const {
  return std::ranges::all_of(members_, [](const Member& m) { return !m.runs() || m.learner->can_lower_budget(); });
}

void CommitteeLearner::lower_budget(std::size_t budget) {
  for (Member& member : members_) {
    const std::size_t share = budget_share(budget, member.plan.share);
    member.plan.options.set("budget", std::to_string(share));
    if (member.runs()) member.learner->lower_budget(share);
  }
  budget_ = budget;
}

std::size_t CommitteeLearner::bytes(const Options& options, const Shape& shape) {
  const std::vector<MemberPlan> plans = plan_members(options);
  const std::size_t all = bytes_with(plans, count_scouts(plans), shape);
  const std::uint64_t limit = limit_of(options);
  if (limit == 0) return all;
  return std::max(bytes_with(plans, 1, shape), std::min<std::size_t>(all, limit));
}

std::int64_t CommitteeLearner::largest_budget(const Options& options, const Shape& shape, std::uint64_t limit) {
  constexpr std::int64_t kMost = 100'000'000;
  constexpr std::int64_t kEnough = 500;
  Options trial = options;
  const auto largest = [&](std::size_t scouts) {
    std::int64_t good = 0;
    std::int64_t bad = kMost + 1;
    while (bad - good > 1) {
      const std::int64_t middle = good == 0 && bad > kMost ? 1 : good + (bad - good) / 2;
      trial.set("budget", std::to_string(middle));
      (bytes_with(plan_members(trial), scouts, shape) <= limit ? good : bad) = middle;
    }
    return good;
  };
  trial.set("budget", "1");
  for (std::size_t scouts = count_scouts(plan_members(trial)); scouts > 1; --scouts) {
    if (const std::int64_t budget = largest(scouts); budget >= kEnough) return budget;
  }
  return largest(1);
}

LearnerStats CommitteeLearner::stats() const {
  LearnerStats stats = leader().stats();
  stats.examples = examples_;
  stats.budget = budget_;
  stats.memory_bytes = kOwnBytes;
  for (const Member& member : members_) {
    if (member.runs()) stats.memory_bytes += member.learner->stats().memory_bytes;
  }
  return stats;
}

Standings CommitteeLearner::standings() const {
  using State = MemberStanding::State;
  Standings all{.members = {}, .history = {history_.windows().begin(), history_.windows().end()}, .leader = leader_};
  const auto error_of = [&](double mean) { return task_ == TaskKind::regress ? std::sqrt(mean) : mean; };
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const auto& [plan, standing, learner] = members_[m];
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
         .error = error_of(standing.error()),
         .recent_error = error_of(standing.recent_error())});
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
  StateWriter state;  // its length comes first, because the state of a learner may end early
  if (member.runs()) member.learner->save(state);
  out.put_text(state.bytes());
}

CommitteeLearner::Member CommitteeLearner::load_member(StateReader& in) const {
  Member member;
  const auto role = in.get<std::uint8_t>();
  StateReader::require(role <= static_cast<std::uint8_t>(MemberRole::tracker), "the role of a member");
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
  StateReader::require(is_bounded && is_fixed && task_kind(complete) == task_, "the options of a member");
  member.standing.load(in);
  if (const std::string_view state = in.get_bytes(); !state.empty()) {
    member.learner = make_learner(complete, shape_);
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
  for (const std::size_t place : {trials_.tenant, trials_.challenger, trials_.previous}) {
    out.put<std::uint64_t>(place == kNone ? members_.size() : place);
  }
  for (const std::uint64_t when : {trials_.tenant_led, trials_.ended, trials_.pause}) out.put(when);
  out.put<std::uint64_t>(members_.size());
  for (const Member& member : members_) save_member(member, out);
  history_.save(out);
}

void CommitteeLearner::load(StateReader& in) {
  constexpr std::size_t kMostMembers = 64;
  examples_ = in.get<std::uint64_t>();
  leader_ = static_cast<std::size_t>(in.get<std::uint64_t>());
  std::size_t* const places[] = {&trials_.tenant, &trials_.challenger, &trials_.previous};
  for (std::size_t* place : places) *place = static_cast<std::size_t>(in.get<std::uint64_t>());
  for (std::uint64_t* when : {&trials_.tenant_led, &trials_.ended, &trials_.pause}) *when = in.get<std::uint64_t>();
  StateReader::require(trials_.tenant_led <= examples_ && trials_.ended <= examples_ && trials_.pause <= kLongPause,
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
  StateReader::require(trials_.tenant == kNone || runs(trials_.tenant), "the trials of its members");
  StateReader::require(trials_.challenger == kNone || runs(trials_.challenger), "the trials of its members");
  history_.load(in, count);
}

}  // namespace kinglet
