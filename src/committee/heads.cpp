// The committee's heads: second-order learners in the span of the leading scout's support vectors.
#include <algorithm>
#include <numeric>

#include "committee/committee_learner.hpp"
#include "core/parallel.hpp"
#include "kinglet/error.hpp"
#include "span/span_learner.hpp"

namespace kinglet {
namespace {

double gamma_of(const Options& options) { return options.has("gamma") ? options.real("gamma") : 1; }

}  // namespace

std::size_t CommitteeLearner::best_head() const {
  std::size_t best = kNone;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (!members_[m].runs_as(MemberRole::head)) continue;
    if (best == kNone || is_less(members_[m].standing.error_since_mark(), members_[best].standing.error_since_mark())) {
      best = m;
    }
  }
  return best;
}

void CommitteeLearner::update_heads() {
  if (rows_) {
    if (const Schedule::HeadRung* rung = schedule_.heads_at(examples_)) renew_heads(rung->share, rung->multiples);
    if (examples_ >= schedule_.kept) rows_.reset();
  }
  dismiss_heads();
  if (schedule_.settles_heads_at(examples_)) settle_heads();
  if (schedule_.begins_generation_at(examples_)) begin_generation();
  if (!schedule_.marks_at(examples_)) return;
  for (Member& member : members_) {
    if (member.runs()) member.standing.mark();
  }
}

// A head is expensive. One that is far behind the leader leaves before its time, but not before it had the time to
// learn.
void CommitteeLearner::dismiss_heads() {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (!members_[m].runs_as(MemberRole::head) || m == leader_ || !members_[leader_].runs()) continue;
    if (members_[m].standing.examples() >= 2 * schedule_.kept && is_clearly_better(leader_, m, kFarBehind)) leave(m);
  }
}

// Heads of several gammas replace the present ones. They lead only if those did, until they have errors of their own;
// the first has the best gamma so far.
void CommitteeLearner::renew_heads(std::size_t share, std::span<const double> multiples) {
  const std::size_t best = best_head();
  const std::size_t scout = leading_scout();
  const double gamma = gamma_of(members_[best == kNone ? scout : best].plan.options);
  const Standing like = members_[best == kNone ? leader_ : best].standing;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].runs_as(MemberRole::head)) leave(m);
  }
  const bool is_grid = options_.text(kGammas) == "grid";
  std::vector<double> gammas;
  for (const double multiple : multiples.first(is_grid ? multiples.size() : 1)) gammas.push_back(multiple * gamma);
  begin_heads(share, gammas, like);
}

// A head of the scout's present vectors, which may be better by now, beside the present head.
void CommitteeLearner::begin_generation() {
  const std::size_t present = best_head();
  const std::size_t like = present == kNone ? leading_scout() : present;
  const double gamma = gamma_of(members_[like].plan.options);
  begin_heads(1, {&gamma, 1}, Standing(members_[like].standing));
}

// There is no head where it is not possible: an option was given that it does not take, the memory does not allow it,
// the scout has no support vectors yet, or the head diverges.
void CommitteeLearner::begin_heads(std::size_t share, std::span<const double> gammas, const Standing& like) {
  const std::size_t before = members_.size();
  for (const double gamma : gammas) {
    std::optional<MemberPlan> plan = plan_head(options_, share, gamma);
    if (!plan || !fits(*plan)) continue;
    auto head = std::make_unique<SpanLearner>(plan->options, shape_);
    add_centres(*head, member_budget(plan->role, budget_, share));
    if (head->stats().support_vectors == 0) continue;
    members_.push_back({.plan = std::move(*plan), .learner = std::move(head)});
    members_.back().standing.begin(examples_, &like);
  }
  if (rows_) learn_kept_rows(before);
}

// The members from `first` on learn the kept rows, each on a thread of its own. Those that diverge are gone.
void CommitteeLearner::learn_kept_rows(std::size_t first) {
  std::vector<char> diverged(members_.size() - first, 0);
  parallel_for(diverged.size(), static_cast<unsigned>(ThreadAllowance::current()), [&](std::size_t i) {
    try {
      members_[first + i].learner->learn_batch(rows_->rows(), rows_->targets(), rows_->weights(), {});
    } catch (const Error&) {
      diverged[i] = 1;
    }
  });
  for (std::size_t i = diverged.size(); i-- > 0;) {
    if (diverged[i] != 0) members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(first + i));
  }
}

// The heaviest vectors of the leading scout, in their order.
void CommitteeLearner::add_centres(SpanLearner& head, std::size_t most) const {
  const Learner& scout = *members_[leading_scout()].learner;
  const std::size_t count = scout.stats().support_vectors;
  std::vector<double> weights;
  for (std::size_t j = 0; j < count; ++j) weights.push_back(scout.support_vector(j).weight());
  std::vector<std::size_t> heaviest(count);
  std::iota(heaviest.begin(), heaviest.end(), std::size_t{0});
  std::ranges::stable_sort(heaviest, [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  heaviest.resize(std::min(count, most));
  std::ranges::sort(heaviest);
  std::vector<float> values;
  std::vector<std::uint32_t> indices;
  indices.reserve(1);  // a null pointer would mean a dense vector
  for (const std::size_t j : heaviest) {
    const SupportVector vector = scout.support_vector(j);
    if (!shape_.has_sparse_vectors()) {
      head.add_centre(Features::dense(vector.x));
      continue;
    }
    values.clear();
    indices.clear();
    for (std::uint32_t k = 0; k < vector.x.size(); ++k) {
      if (vector.x[k] == 0) continue;
      values.push_back(vector.x[k]);
      indices.push_back(k);
    }
    head.add_centre(Features::sparse(indices, values));
  }
}

// The best head since the mark goes on, unless the scout or the leader was better without it.
void CommitteeLearner::settle_heads() {
  const std::size_t best = best_head();
  const auto error = [&](std::size_t m) { return members_[m].standing.error_since_mark(); };
  const auto is_worse = [&](std::size_t than) {
    return members_[than].runs() && than != best && error(best) > kWorseHead * error(than);
  };
  const bool goes_on = best != kNone && !is_worse(leading_scout()) && !is_worse(leader_);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].runs_as(MemberRole::head) && !(goes_on && m == best)) leave(m);
  }
}

// The end of a pass. While the first rows are kept, one head of all of them replaces the others: it knows more than
// they do. Then the rows and the scouts that do not lead the others are not needed any more. A head likes a smaller
// gamma than its scout; where no heads were compared yet, it is a quarter.
void CommitteeLearner::finish() {
  for (Member& member : members_) {
    if (member.runs()) member.learner->finish();
  }
  if (judges_) stop_race();
  judges_ = false;
  if (!rows_) return;
  const bool is_first = best_head() == kNone;
  const double multiple = is_first ? 0.25 : 1;
  renew_heads(1, {&multiple, 1});
  rows_.reset();
  if (const std::size_t head = best_head(); head != kNone) members_[head].learner->finish();
  if (const std::size_t head = best_head(); is_first && head != kNone) leader_ = head;
  choose_leader();
  const std::size_t scout = leading_scout();
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].runs_as(MemberRole::scout) && m != scout && m != leader_) leave(m);
  }
}

}  // namespace kinglet
