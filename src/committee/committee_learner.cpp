// Learning, the scouts, and the choice of the leader.
#include "committee/committee_learner.hpp"

#include <algorithm>

#include "core/option_texts.hpp"
#include "core/parallel.hpp"
#include "kinglet/error.hpp"
#include "learn/make_learner.hpp"

namespace kinglet {
namespace {

// The rows multiplied feature by feature, in `buffer`; the rows themselves if there are no factors.
Rows in_metric_of(std::span<const float> factors, const Rows& rows, RowBuffer& buffer) {
  if (factors.empty()) return rows;
  Rows weighted = rows;
  if (rows.is_sparse()) {
    const std::uint64_t first = rows.offsets[0];
    float* const values = RowBuffer::room(buffer.values, rows.offsets[rows.count] - first + 1);
    for (std::uint64_t k = first; k < rows.offsets[rows.count]; ++k) {
      values[k - first] = rows.values[k] * factors[rows.indices[k]];
    }
    buffer.offsets.resize(rows.count + 1);
    for (std::size_t i = 0; i <= rows.count; ++i) buffer.offsets[i] = rows.offsets[i] - first;
    weighted.values = values;
    weighted.indices = rows.indices + first;
    weighted.offsets = buffer.offsets.data();
    return weighted;
  }
  float* const values = RowBuffer::room(buffer.values, rows.count * rows.dimension);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const float* const from = rows.values + i * rows.stride;
    float* const to = values + i * rows.dimension;
    for (std::uint32_t k = 0; k < rows.dimension; ++k) to[k] = from[k] * factors[k];
  }
  weighted.values = values;
  weighted.stride = rows.dimension;
  return weighted;
}

}  // namespace

CommitteeLearner::CommitteeLearner(const Options& options, const Shape& shape)
    : options_(options),
      task_(task_kind(options)),
      shape_(shape),
      budget_(static_cast<std::size_t>(options.integer("budget"))),
      limit_(options.text("memory") == "none" ? 0 : parse_memory(options.text("memory"))),
      schedule_(budget_, shape) {
  for (MemberPlan& plan : plan_members(options)) members_.push_back({.plan = std::move(plan)});
  begin(0, nullptr);
  if (const auto head = plan_head(options, 1, 1)) {
    const std::size_t rows = RowSample::bytes(shape, static_cast<std::size_t>(schedule_.kept));
    if (limit_ == 0 || running_bytes(shape) + rows + member_bytes(*head, shape) <= limit_) {
      rows_.emplace(shape, task_, static_cast<std::size_t>(schedule_.kept));
    }
  }
  for (std::size_t m = 1; m < members_.size() && members_[m].plan.role == MemberRole::scout; ++m) {
    if (!fits(members_[m].plan)) break;
    begin(m, nullptr);
  }
  begin_watch();
  begin_race(false);
  const std::size_t sample = RowSample::bytes(shape, static_cast<std::size_t>(schedule_.sampled()));
  samples_ = limit_ == 0 || (rows_ && running_bytes(shape) + sample <= limit_);
  begin_recent();
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
  if (rows_) rows_->add(rows, targets, weights);
  if (recent_ && judges_) recent_->add(rows, targets, weights);
  running_.clear();
  predictions_.resize(static_cast<std::size_t>(std::ranges::count_if(members_, &Member::runs)) * kChunk);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (!members_[m].runs()) continue;
    ProgressiveOutput out = m == leader_ ? before : ProgressiveOutput();
    if (out.predictions.empty()) {
      out.predictions = std::span(predictions_).subspan(running_.size() * kChunk, rows.count);
    }
    running_.push_back({.member = m, .out = out});
  }
  const double cost = static_cast<double>(running_.size() * rows.count * budget_) * (shape_.dimension + 10.0);
  share(running_.size(), 1, cost, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) learn_as(running_[r], rows, targets, weights);
  });
  const std::size_t scout = leading_scout();
  for (const Running& running : running_) {
    const std::size_t m = running.member;
    if (running.error) {
      if (m == leader_ || m == scout) std::rethrow_exception(running.error);
      leave(m);  // the others can do without it
      continue;
    }
    if (!judges_) continue;
    for (std::size_t i = 0; i < rows.count; ++i) {
      const double error = error_of(running.out.predictions[i], targets, i);
      const double weight = weights.empty() ? 1 : static_cast<double>(weights[i]);
      if (drift_ && m == leader_ && weight > 0) drift_->add(watched(error));
      members_[m].standing.add(error, weight);
    }
  }
}

// One of the running members learns, possibly on a thread of its own.
void CommitteeLearner::learn_as(Running& running, const Rows& rows, const Targets& targets,
                                std::span<const float> weights) {
  thread_local RowBuffer weighted;  // rows in the metric of one head
  const Member& member = members_[running.member];
  try {
    member.learner->learn_batch(in_metric_of(member.factors, rows, weighted), targets, weights, running.out);
  } catch (const Error&) {
    running.error = std::current_exception();
  }
}

double CommitteeLearner::error_of(const Prediction& prediction, const Targets& targets, std::size_t i) const {
  if (task_ != TaskKind::regress) return prediction.label == targets.classes[i] ? 0 : 1;
  const double difference = static_cast<double>(prediction.score) - static_cast<double>(targets.numbers[i]);
  return difference * difference;
}

void CommitteeLearner::begin_watch() {
  if (limit_ == 0 || running_bytes(shape_) + DriftWatch::bytes() <= limit_) drift_.emplace();
}

// An error of the leader as the watch for drift sees it. In regression it is 0 while nothing is known of what is usual.
double CommitteeLearner::watched(double error) const {
  if (task_ != TaskKind::regress) return error;
  const double usual = members_[leader_].standing.steady().mean();
  return usual > 0 ? error / (error + usual) : 0;
}

void CommitteeLearner::scores(const Rows& rows, std::span<float> out) const { scores_of(members_[leader_], rows, out); }

void CommitteeLearner::scores_of(const Member& member, const Rows& rows, std::span<float> out) {
  thread_local RowBuffer weighted;
  member.learner->scores(in_metric_of(member.factors, rows, weighted), out);
}

void CommitteeLearner::deviations(const Rows& rows, std::span<float> out) const {
  thread_local RowBuffer weighted;
  leader().deviations(in_metric_of(members_[leader_].factors, rows, weighted), out);
}

void CommitteeLearner::rescale_features(std::span<const float> ratios) {
  for (Member& member : members_) {
    if (!member.runs()) continue;
    if (member.plan.role != MemberRole::head) {
      member.learner->rescale_features(ratios);
      continue;
    }
    member.factors.resize(ratios.size(), 1.0F);
    for (std::size_t k = 0; k < ratios.size(); ++k) member.factors[k] /= ratios[k];
  }
  if (rows_) rows_->rescale_features(ratios);
  if (recent_) recent_->rescale_features(ratios);
  for (std::vector<Copy>* copies : {&snapshots_, &retired_}) {
    for (Copy& copy : *copies) copy.member.learner->rescale_features(ratios);
  }
}

// --- the ends of chunks ----------------------------------------------------------------------------------------------

void CommitteeLearner::end_chunk() {
  if (!judges_) return;
  if (examples_ > kChunk) {
    for (Member& member : members_) {
      if (member.runs()) member.standing.end_chunk();
    }
  }
  const Standing& standing = members_[leader_].standing;
  const bool is_alarm = drift_ && drift_->step(examples_, standing.recent_error(), standing.steady().mean());
  if (const auto scouts = schedule_.scouts_at(examples_)) climb_rung(*scouts);
  update_heads();
  step_trackers(is_alarm);
  choose_leader();
  history_.add({.end = examples_, .member = leader_, .recent_error = members_[leader_].standing.recent_error()});
}

// All but `scouts` scouts leave, the worst first; ties go to the first of the table.
void CommitteeLearner::climb_rung(std::size_t scouts) {
  std::vector<std::size_t> running;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].runs_as(MemberRole::scout)) running.push_back(m);
  }
  const auto error = [&](std::size_t m) { return members_[m].standing.error_since_mark(); };
  std::ranges::stable_sort(running, [&](std::size_t a, std::size_t b) { return is_less(error(a), error(b)); });
  if (scouts == 1 && running.size() > 1) {
    const auto gamma = [&](std::size_t m) {
      const Options& options = members_[m].plan.options;
      return options.has("gamma") ? options.real("gamma") : 0;
    };
    if (gamma(running[1]) < gamma(running[0]) && error(running[1]) <= kNearlyAsGood * error(running[0])) {
      std::swap(running[0], running[1]);
    }
  }
  for (std::size_t place = 0; place < running.size(); ++place) {
    if (place < scouts) {
      members_[running[place]].standing.mark();
    } else {
      leave(running[place]);
    }
  }
}

void CommitteeLearner::choose_leader() {
  const bool is_vacant = !members_[leader_].runs();
  std::size_t best = best_running();
  if (!is_vacant && !is_less(members_[best].standing.recent_error(), members_[leader_].standing.recent_error())) {
    best = leader_;
  }
  if (const std::size_t head = best_head(); head != kNone && may_lead(head)) {
    const bool is_other = !is_vacant && members_[leader_].plan.role != MemberRole::head;
    const double z = judges_ ? 1 : 2;
    if (members_[best].plan.role == MemberRole::head || !is_clearly_better(best, head, is_other ? z / 2 : z))
      best = head;
  }
  leader_ = best;
}

// While the stream goes on, a head that has predicted nothing leads only in the place of another head.
bool CommitteeLearner::may_lead(std::size_t head) const {
  return members_[head].standing.has_run() || members_[leader_].plan.role == MemberRole::head || !judges_;
}

bool CommitteeLearner::is_clearly_better(std::size_t one, std::size_t other, double z) const {
  return members_[one].standing.is_clearly_better(members_[other].standing, z, task_ != TaskKind::regress);
}

std::size_t CommitteeLearner::best_running(std::size_t besides) const {
  std::size_t best = kNone;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (m == besides || !members_[m].runs()) continue;
    if (best == kNone || is_less(members_[m].standing.recent_error(), members_[best].standing.recent_error())) best = m;
  }
  return best;
}

std::size_t CommitteeLearner::leading_scout() const {
  std::size_t best = kNone;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (!members_[m].runs_as(MemberRole::scout)) continue;
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
  members_[m].factors.clear();
  members_[m].standing.leave(examples_ / kChunk * kChunk);
  if (trackers_.tenant == m) trackers_.tenant = kNone;
}

}  // namespace kinglet
