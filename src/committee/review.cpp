// The end of a pass over rows whose order mattered: sorted by class, say, or drifting. There the leader is good at the
// last rows, but whoever trains on a file asks about rows like all of them. A sample of the whole pass tells:
//
//   1. Does the leader make clearly more errors on the sample than it made along the stream lately? If not, all is well.
//   2. A fresh committee learns the sample in random order.
//   3. Its leader becomes a member, and leads, if its progressive error is clearly less than the old leader's on the sample.
//
// The comparison favours the old leader, which has learned the rows of the sample before. Then the errors of all
// members are those on the sample, in case more data come.
#include <algorithm>
#include <numeric>

#include "committee/committee_learner.hpp"
#include "core/random.hpp"

namespace kinglet {
namespace {

constexpr std::size_t kFewest = 16;  // rows

// The rows of `rows` at `places`, copied to `buffer`.
Rows gather(const Rows& rows, std::span<const std::size_t> places, RowBuffer& buffer) {
  if (!rows.is_sparse()) {
    float* to = RowBuffer::room(buffer.values, places.size() * rows.dimension);
    for (const std::size_t i : places) to = std::copy_n(rows.values + i * rows.stride, rows.dimension, to);
    return buffer.dense_view(places.size(), rows.dimension);
  }
  buffer.begin_sparse(rows);
  for (const std::size_t i : places) {
    const Features x = rows[i];
    const std::uint64_t begin = buffer.offsets.back();
    std::copy_n(x.values, x.count, &buffer.values[begin]);
    std::copy_n(x.indices, x.count, &buffer.indices[begin]);
    buffer.offsets.push_back(begin + x.count);
  }
  return buffer.sparse_view(rows.dimension);
}

}  // namespace

void CommitteeLearner::review(const Rows& rows, const Targets& targets, std::span<const float> weights) {
  if (rows.count < kFewest) return;
  const bool counts_mistakes = task_ != TaskKind::regress;
  const ErrorSum before = errors_of(members_[leader_], rows, targets, weights);
  if (!is_clearly_less(members_[leader_].standing.steady(), before, kOrderMattered, counts_mistakes)) return;
  Options options = options_;
  if (limit_ != 0) {
    const std::uint64_t running = running_bytes(shape_) + RowSample::bytes(shape_, rows.count);  // these rows
    if (running + member_bytes(members_[0].plan, shape_) > limit_) return;
    options.set("memory", std::to_string(limit_ - running));
  }
  CommitteeLearner fresh(options, shape_);
  fresh.learn_shuffled(rows, targets, weights);
  fresh.finish();
  Member& best = fresh.members_[fresh.leader_];
  if (!is_clearly_less(best.standing.recent(), before, 2, counts_mistakes)) return;
  const Standing standing = best.standing;
  best.standing.begin(examples_, &standing);
  best.reviewed = true;
  for (Member& member : members_) {
    if (member.runs()) member.standing.judge_again(errors_of(member, rows, targets, weights));
  }
  const auto last = std::ranges::find(members_, true, &Member::reviewed);  // it takes the place of an earlier one
  leader_ = static_cast<std::size_t>(last - members_.begin());
  if (last == members_.end()) members_.emplace_back();
  members_[leader_] = std::move(best);
  if (members_[leader_].plan.role == MemberRole::head) return;
  members_[leader_].plan.role = MemberRole::tracker;  // the tenant: it leaves if it does not lead for long
  if (trackers_.tenant != kNone && trackers_.tenant != leader_) leave(trackers_.tenant);
  trackers_.tenant = leader_;
  trackers_.tenant_led = examples_;
}

// The leader may have left by now: only the member itself is asked.
std::vector<double> CommitteeLearner::row_errors(const Member& member, const Rows& rows, const Targets& targets) const {
  const std::size_t outputs = member.learner->outputs();
  std::vector<float> all(rows.count * outputs);
  scores_of(member, rows, all);
  std::vector<double> errors(rows.count);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Prediction prediction = member.learner->decide(std::span(all).subspan(i * outputs, outputs));
    errors[i] = error_of(prediction, targets, i);
  }
  return errors;
}

ErrorSum CommitteeLearner::errors_of(const Member& member, const Rows& rows, const Targets& targets,
                                     std::span<const float> weights) const {
  const std::vector<double> errors = row_errors(member, rows, targets);
  ErrorSum sum;
  for (std::size_t i = 0; i < rows.count; ++i) sum.add(errors[i], static_cast<double>(weights[i]));
  return sum;
}

void CommitteeLearner::learn_shuffled(const Rows& rows, const Targets& targets, std::span<const float> weights) {
  std::vector<std::size_t> order(rows.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(static_cast<std::uint64_t>(options_.integer("seed")));
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  RowBuffer buffer;
  for (std::size_t at = 0; at < order.size(); at += kChunk) {
    const auto places = std::span(order).subspan(at, std::min(kChunk, order.size() - at));
    std::vector<ClassId> classes;
    std::vector<float> numbers;
    std::vector<float> chosen;
    for (const std::size_t i : places) {
      if (task_ == TaskKind::regress) {
        numbers.push_back(targets.numbers[i]);
      } else {
        classes.push_back(targets.classes[i]);
      }
      chosen.push_back(weights[i]);
    }
    learn_batch(gather(rows, places, buffer),
                task_ == TaskKind::regress ? Targets(std::span<const float>(numbers)) : classes, chosen, {});
  }
}

}  // namespace kinglet
