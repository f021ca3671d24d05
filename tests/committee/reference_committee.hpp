// A plain committee for the tests: one row at a time, every decision straight from the description in
// committee/committee_learner.hpp, with members that are learners of their own.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "committee/committee_learner.hpp"
#include "committee/members.hpp"
#include "learn/make_learner.hpp"

namespace kinglet {

class ReferenceCommittee {
 public:
  ReferenceCommittee(const Options& options, const Shape& shape)
      : shape_(shape), regresses_(options.text("task") == "regress") {
    for (const MemberPlan& plan : plan_members(options)) {
      members_.push_back({.plan = plan});
      if (plan.role == MemberRole::scout) begin(members_.back());
    }
    begin_trial();
  }

  Prediction learn(const Example& example) {
    Prediction answer;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!members_[m].learner) continue;
      const Prediction prediction = members_[m].learner->learn(example);
      if (m == leader_) answer = prediction;
      const double difference = static_cast<double>(prediction.score) - static_cast<double>(example.number);
      const double error = regresses_ ? difference * difference : prediction.label != example.label;
      const auto weight = static_cast<double>(example.weight);
      if (weight == 0) continue;
      for (Mean* mean : {&members_[m].total, &members_[m].rung, &members_[m].recent}) mean->add(error, weight);
    }
    ++rows_;
    if (rows_ < 64 ? rows_ % 16 == 0 : rows_ % 64 == 0) end_chunk();
    return answer;
  }

  std::size_t leader() const { return leader_; }
  bool runs(std::size_t m) const { return members_[m].learner != nullptr; }
  double error(std::size_t m) const { return members_[m].total.value(); }

 private:
  struct Mean {
    double sum = 0;
    double weight = 0;
    void add(double error, double w) {
      sum += w * error;
      weight += w;
    }
    void fade(double by) {
      sum *= by;
      weight *= by;
    }
    // Greater than every error while it is unknown.
    double value() const { return weight > 0 ? sum / weight : std::numeric_limits<double>::infinity(); }
  };
  struct Member {
    MemberPlan plan{};
    std::unique_ptr<Learner> learner{};
    std::uint64_t began = 0;
    Mean total{}, rung{}, recent{};
  };

  void begin(Member& member) { begin(member, Mean()); }
  void begin(Member& member, const Mean& recent) {
    member.learner = make_learner(member.plan.options, shape_);
    member.began = rows_;
    member.total = member.rung = {};
    member.recent = recent;
  }
  void leave(std::optional<std::size_t>& place) {
    members_[*place].learner.reset();
    place.reset();
  }

  void end_chunk() {
    if (rows_ > 64) {
      for (Member& member : members_) {
        if (member.learner) member.recent.fade(0.9);
      }
    }
    for (const Rung& rung : rungs()) {
      if (rows_ == rung.examples) halve(rung.scouts);
    }
    track();
    std::size_t best = leader_;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!members_[m].learner) continue;
      if (!members_[best].learner || members_[m].recent.value() < members_[best].recent.value()) best = m;
    }
    leader_ = best;
  }

  void halve(std::size_t scouts) {
    while (true) {
      std::optional<std::size_t> worst;
      std::size_t running = 0;
      for (std::size_t m = 0; m < members_.size(); ++m) {
        if (!members_[m].learner || members_[m].plan.role != MemberRole::scout) continue;
        ++running;
        if (!worst || members_[m].rung.value() >= members_[*worst].rung.value()) worst = m;
      }
      if (running <= scouts) break;
      members_[*worst].learner.reset();
    }
    for (Member& member : members_) {
      if (member.learner && member.plan.role == MemberRole::scout) member.rung.fade(0.5);
    }
  }

  void track() {
    if (tenant_ == leader_) tenant_led_ = rows_;
    if (challenger_ && rows_ - members_[*challenger_].began == CommitteeLearner::kTrial) {
      bool wins = true;
      for (std::size_t m = 0; m < members_.size(); ++m) {
        if (m == *challenger_ || !members_[m].learner) continue;
        wins = wins && members_[*challenger_].recent.value() < members_[m].recent.value();
      }
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
    if (leader.learner && leader.recent.value() > 1.5 * leader.total.value()) {
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
      begin(members_[m], members_[leader_].learner ? members_[leader_].recent : Mean());
      return;
    }
    pause_ = CommitteeLearner::kLongPause;
  }

  Shape shape_;
  bool regresses_;
  std::vector<Member> members_;
  std::size_t leader_ = 0;
  std::uint64_t rows_ = 0;
  std::optional<std::size_t> tenant_;
  std::optional<std::size_t> challenger_;
  std::size_t last_ = 0;  // the first scout: trackers come after it
  std::uint64_t tenant_led_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t pause_ = 0;
};

}  // namespace kinglet
