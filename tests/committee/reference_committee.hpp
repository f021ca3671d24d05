// A plain committee for the tests: one row at a time, every decision straight from the description in
// committee/committee_learner.hpp, with members that are learners of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "committee/committee_learner.hpp"
#include "committee/members.hpp"
#include "learn/make_learner.hpp"
#include "span/span_learner.hpp"

namespace kinglet {

class ReferenceCommittee {
 public:
  ReferenceCommittee(const Options& options, const Shape& shape)
      : options_(options),
        shape_(shape),
        schedule_(static_cast<std::size_t>(options.integer("budget")), shape),
        regresses_(options.text("task") == "regress") {
    for (const MemberPlan& plan : plan_members(options)) {
      members_.push_back({.plan = plan});
      if (plan.role == MemberRole::scout) begin(members_.back());
    }
    begin_trial();
  }

  Prediction learn(const Example& example) {
    Prediction answer;
    first_.push_back({{example.x.values, example.x.values + example.x.count}, example});
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!members_[m].learner) continue;
      const Prediction prediction = members_[m].learner->learn(example);
      if (m == leader_) answer = prediction;
      if (ended_pass_) continue;
      const double difference = static_cast<double>(prediction.score) - static_cast<double>(example.number);
      const double error = regresses_ ? difference * difference : prediction.label != example.label;
      const auto weight = static_cast<double>(example.weight);
      if (weight == 0) continue;
      for (Mean* mean : members_[m].means()) mean->add(error, weight);
    }
    ++rows_;
    if (ended_pass_) return answer;
    if (rows_ < 64 ? rows_ % 16 == 0 : rows_ % 64 == 0) end_chunk();
    return answer;
  }

  // The end of a pass, once.
  void finish() {
    const bool is_first = !best_head();
    renew_heads(1, {is_first ? 0.25 : 1});
    if (is_first && best_head()) leader_ = *best_head();
    choose_leader();
    const std::size_t scout = leading_scout();
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (members_[m].plan.role == MemberRole::scout && m != scout && m != leader_) members_[m].learner.reset();
    }
    ended_pass_ = true;
  }

  std::size_t leader() const { return leader_; }
  bool runs(std::size_t m) const { return members_[m].learner != nullptr; }
  double error(std::size_t m) const { return members_[m].total.value(); }

 private:
  struct Mean {
    double sum = 0;
    double weight = 0;
    double variance = 0;
    void add(double error, double w) {
      sum += w * error;
      weight += w;
      variance += w * w * error;
    }
    void fade(double by) {
      sum *= by;
      weight *= by;
      variance *= by * by;
    }
    // Greater than every error while it is unknown.
    double value() const { return weight > 0 ? sum / weight : std::numeric_limits<double>::infinity(); }
  };
  // Over about the last 600 and the last 20,000 rows.
  struct Faded {
    Mean recent{}, steady{};
  };
  struct Member {
    MemberPlan plan{};
    std::unique_ptr<Learner> learner{};
    std::uint64_t began = 0;
    Mean total{}, marked{};
    Faded faded{};

    std::array<Mean*, 4> means() { return {&total, &marked, &faded.recent, &faded.steady}; }
  };

  void begin(Member& member) { begin(member, Faded()); }
  void begin(Member& member, const Faded& faded) {
    member.learner = make_learner(member.plan.options, shape_);
    member.began = rows_;
    member.total = member.marked = {};
    member.faded = faded;
  }
  void leave(std::optional<std::size_t>& place) {
    members_[*place].learner.reset();
    place.reset();
  }

  void end_chunk() {
    if (rows_ > 64) {
      for (Member& member : members_) {
        if (!member.learner) continue;
        member.faded.recent.fade(0.9);
        member.faded.steady.fade(0.997);
      }
    }
    if (const auto scouts = schedule_.scouts_at(rows_)) halve(*scouts);
    if (schedule_.heads_at(rows_) != nullptr) {
      renew_heads(schedule_.heads_at(rows_)->share, schedule_.heads_at(rows_)->multiples);
    }
    for (std::size_t m = 0; m < members_.size(); ++m) {
      Member& head = members_[m];
      if (!head.learner || head.plan.role != MemberRole::head || !members_[leader_].learner) continue;
      if (m != leader_ && rows_ - head.began >= 2 * schedule_.kept && clearly(leader_, m, 4)) head.learner.reset();
    }
    if (schedule_.settles_heads_at(rows_)) settle();
    if (schedule_.begins_generation_at(rows_)) {
      const std::size_t like = best_head() ? *best_head() : leading_scout();
      begin_head(1, members_[like].plan.options.real("gamma"), members_[like].faded, false);
    }
    if (schedule_.marks_at(rows_)) {
      for (Member& member : members_) member.marked = {};
    }
    track();
    choose_leader();
  }

  // z = 2 is two deviations of the difference of two counts of mistakes, or a tenth of the squared error. If recent errors do
  // not tell, half of it is enough in steady ones, unless recent ones tell the opposite.
  bool clearly(std::size_t one, std::size_t other, double z) const {
    const auto less = [&](const Mean& a, const Mean& b, double by) {
      return regresses_ ? a.value() < (1 - by / 20) * b.value()
                        : b.sum - a.sum > by * std::sqrt(a.variance + b.variance);
    };
    const Faded& mine = members_[one].faded;
    const Faded& theirs = members_[other].faded;
    return less(mine.recent, theirs.recent, z) ||
           (less(mine.steady, theirs.steady, z / 2) && !less(theirs.recent, mine.recent, z / 2));
  }

  void settle() {
    const auto best = best_head();
    bool stays = best.has_value();
    for (const std::size_t other : {leading_scout(), leader_}) {
      if (!best || other == *best || !members_[other].learner) continue;
      stays = stays && !(members_[*best].marked.value() > 1.05 * members_[other].marked.value());
    }
    leave_all_heads_but(stays ? best : std::nullopt);
  }

  void choose_leader() {
    const bool vacant = !members_[leader_].learner;
    std::size_t best = leader_;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!members_[m].learner) continue;
      if (!members_[best].learner || members_[m].faded.recent.value() < members_[best].faded.recent.value()) best = m;
    }
    if (const auto head = best_head()) {
      const bool away = !vacant && members_[leader_].plan.role != MemberRole::head;
      if (members_[best].plan.role == MemberRole::head || !clearly(best, *head, away ? 1 : 2)) best = *head;
    }
    leader_ = best;
  }

  std::size_t leading_scout() const {
    std::optional<std::size_t> best;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!members_[m].learner || members_[m].plan.role != MemberRole::scout) continue;
      if (!best || members_[m].faded.recent.value() < members_[*best].faded.recent.value()) best = m;
    }
    return *best;
  }

  std::optional<std::size_t> best_head() const {
    std::optional<std::size_t> best;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!members_[m].learner || members_[m].plan.role != MemberRole::head) continue;
      if (!best || members_[m].marked.value() < members_[*best].marked.value()) best = m;
    }
    return best;
  }

  void halve(std::size_t scouts) {
    while (true) {
      std::optional<std::size_t> worst;
      std::vector<std::size_t> running;
      for (std::size_t m = 0; m < members_.size(); ++m) {
        if (!members_[m].learner || members_[m].plan.role != MemberRole::scout) continue;
        running.push_back(m);
        if (!worst || members_[m].marked.value() >= members_[*worst].marked.value()) worst = m;
      }
      if (running.size() <= scouts) break;
      if (scouts == 1 && running.size() == 2) {
        const std::size_t best = running[0] == *worst ? running[1] : running[0];
        const bool is_smoother = gamma(*worst) < gamma(best);
        if (is_smoother && members_[*worst].marked.value() <= 1.08 * members_[best].marked.value()) worst = best;
      }
      members_[*worst].learner.reset();
    }
    for (Member& member : members_) {
      if (member.learner && member.plan.role == MemberRole::scout) member.marked = {};
    }
  }

  double gamma(std::size_t m) const { return members_[m].plan.options.real("gamma"); }

  void leave_all_heads_but(std::optional<std::size_t> kept) {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (m != kept && members_[m].plan.role == MemberRole::head) members_[m].learner.reset();
    }
  }

  void renew_heads(std::size_t share, const std::vector<double>& multiples) {
    const auto best = best_head();
    const double base = gamma(best ? *best : leading_scout());
    const Faded like = members_[best ? *best : leader_].faded;
    leave_all_heads_but(std::nullopt);
    for (const double multiple : multiples) begin_head(share, multiple * base, like, true);
  }

  // The scout's heaviest vectors in their order; then the first rows again, one by one.
  void begin_head(std::size_t share, double gamma, const Faded& like, bool replays) {
    const auto plan = plan_head(options_, share, gamma);
    auto head = std::make_unique<SpanLearner>(plan->options, shape_);
    const Learner& scout = *members_[leading_scout()].learner;
    std::vector<std::pair<double, std::size_t>> heaviest;
    for (std::size_t j = 0; j < scout.stats().support_vectors; ++j) {
      heaviest.emplace_back(-scout.support_vector(j).weight(), j);
    }
    std::ranges::sort(heaviest);
    heaviest.resize(std::min<std::size_t>(heaviest.size(), static_cast<std::size_t>(plan->options.integer("budget"))));
    std::ranges::sort(heaviest, {}, &std::pair<double, std::size_t>::second);
    for (const auto& [weight, j] : heaviest) head->add_centre(Features::dense(scout.support_vector(j).x));
    if (heaviest.empty()) return;
    for (auto& [x, example] : first_) {
      example.x = Features::dense(x);
      if (replays) head->learn(example);
    }
    members_.push_back({.plan = *plan, .learner = std::move(head), .began = rows_, .faded = like});
  }

  void track() {
    if (tenant_ == leader_) tenant_led_ = rows_;
    if (challenger_ && rows_ - members_[*challenger_].began == CommitteeLearner::kTrial) {
      std::optional<std::size_t> rival;
      for (std::size_t m = 0; m < members_.size(); ++m) {
        if (m == *challenger_ || !members_[m].learner) continue;
        if (!rival || members_[m].faded.recent.value() < members_[*rival].faded.recent.value()) rival = m;
      }
      const bool wins = clearly(*challenger_, *rival, 2);
      ended_ = rows_;
      if (wins) {
        if (tenant_) leave(tenant_);
        tenant_ = challenger_;
        challenger_.reset();
        tenant_led_ = rows_;
        pause_ = CommitteeLearner::kShortPause;
      } else {
        leave(challenger_);
        pause_ = std::clamp(2 * pause_, CommitteeLearner::kShortPause, CommitteeLearner::kLongPause);
      }
    }
    if (tenant_ && rows_ - tenant_led_ >= CommitteeLearner::kTenure) leave(tenant_);
    if (challenger_) return;
    const Member& leader = members_[leader_];
    if (leader.learner && leader.faded.recent.value() > 1.5 * leader.total.value()) {
      pause_ = std::min(pause_, CommitteeLearner::kShortPause);
    }
    if (rows_ - ended_ >= pause_) begin_trial();
  }

  // The next tracker after the last challenger, round and round.
  void begin_trial() {
    ended_ = rows_;
    for (std::size_t step = 1; step <= members_.size(); ++step) {
      const std::size_t m = (last_ + step) % members_.size();
      if (members_[m].plan.role != MemberRole::tracker || members_[m].learner) continue;
      challenger_ = last_ = m;
      begin(members_[m], members_[leader_].learner ? members_[leader_].faded : Faded());
      return;
    }
    pause_ = CommitteeLearner::kLongPause;
  }

  Options options_;
  Shape shape_;
  Schedule schedule_;
  bool regresses_;
  std::vector<std::pair<std::vector<float>, Example>> first_;
  std::vector<Member> members_;
  std::size_t leader_ = 0;
  std::uint64_t rows_ = 0;
  bool ended_pass_ = false;
  std::optional<std::size_t> tenant_;
  std::optional<std::size_t> challenger_;
  std::size_t last_ = 0;  // the first scout: trackers come after it
  std::uint64_t tenant_led_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t pause_ = 0;
};

}  // namespace kinglet
