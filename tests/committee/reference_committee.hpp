// A plain committee for the tests: one row at a time, every decision straight from the description in
// committee/committee_learner.hpp, with members that are learners of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "committee/committee_learner.hpp"
#include "committee/drift_watch.hpp"
#include "committee/members.hpp"
#include "core/state.hpp"
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
    begin_race(false);
  }

  Prediction learn(const Example& example) {
    Prediction answer;
    first_.push_back({{example.x.values, example.x.values + example.x.count}, example});
    if (!ended_pass_) {
      if (recent_.size() == kMostRecent) recent_.erase(recent_.begin(), recent_.begin() + kMostRecent / 2);
      recent_.push_back(first_.back());
    }
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!members_[m].learner) continue;
      const Prediction prediction = members_[m].learner->learn(example);
      if (m == leader_) answer = prediction;
      if (ended_pass_) continue;
      const double difference = static_cast<double>(prediction.score) - static_cast<double>(example.number);
      const double error = regresses_ ? difference * difference : prediction.label != example.label;
      const auto weight = static_cast<double>(example.weight);
      if (weight == 0) continue;
      if (m == leader_) watch_.add(watched(error));
      for (Mean* mean : members_[m].means()) mean->add(error, weight);
    }
    ++rows_;
    if (ended_pass_) return answer;
    if (rows_ < 64 ? rows_ % 16 == 0 : rows_ % 64 == 0) end_chunk();
    return answer;
  }

  // The end of a pass, once.
  void finish() {
    ended_pass_ = true;
    for (const std::size_t m : challengers()) {
      if (m == leader_) {
        if (tenant_) leave(tenant_);
        tenant_ = m;
      } else {
        members_[m].learner.reset();
      }
    }
    const bool is_first = !best_head();
    renew_heads(1, {is_first ? 0.25 : 1});
    if (is_first && best_head()) leader_ = *best_head();
    choose_leader();
    const std::size_t scout = leading_scout();
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (members_[m].plan.role == MemberRole::scout && m != scout && m != leader_) members_[m].learner.reset();
    }
  }

  std::size_t leader() const { return leader_; }
  std::size_t recalls() const { return recalls_; }
  std::uint64_t alarms() const { return watch_.count(); }
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
    bool recalled = false;
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

  // A tracker as it was.
  struct Copy {
    std::uint64_t at;
    MemberPlan plan;
    std::unique_ptr<Learner> learner;
  };
  static constexpr std::size_t kMostRecent = 256;

  void end_chunk() {
    if (rows_ > 64) {
      for (Member& member : members_) {
        if (!member.learner) continue;
        member.faded.recent.fade(0.9);
        member.faded.steady.fade(0.997);
      }
    }
    const Faded& leaders = members_[leader_].faded;
    const bool alarm = watch_.step(rows_, leaders.recent.value(), leaders.steady.value());
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
    track(alarm);
    choose_leader();
  }

  // z = 2 is two deviations of the difference of two counts of mistakes, or a tenth of the squared error. If recent
  // errors do not tell, half of it is enough in steady ones, unless recent ones tell the opposite.
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
    const auto head = best_head();
    const bool after_head = members_[leader_].plan.role == MemberRole::head;
    if (head && (ended_pass_ || after_head || rows_ > members_[*head].began)) {
      const bool away = !vacant && !after_head;
      if (members_[best].plan.role == MemberRole::head ||
          !clearly(best, *head, (away ? 0.5 : 1) * (ended_pass_ ? 2 : 1))) {
        best = *head;
      }
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

  double watched(double error) const {
    if (!regresses_) return error;
    const double usual = members_[leader_].faded.steady.value();
    return usual > 0 && !std::isinf(usual) ? error / (error + usual) : 0;
  }

  std::vector<std::size_t> challengers() const {
    std::vector<std::size_t> all;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (members_[m].learner && members_[m].plan.role == MemberRole::tracker && m != tenant_) all.push_back(m);
    }
    return all;
  }

  void track(bool alarm) {
    if (tenant_ == leader_) tenant_led_ = rows_;
    if (races_) step_race();
    if (tenant_ && rows_ - tenant_led_ >= CommitteeLearner::kTenure) leave(tenant_);
    if (alarm) change_tenants();
    const Member& leader = members_[leader_];
    if (!races_ && leader.learner && leader.faded.recent.value() > 1.5 * leader.total.value()) {
      pause_ = std::min(pause_, CommitteeLearner::kShortPause);
    }
    if (!races_ && (alarm || rows_ - ended_ >= pause_)) begin_race(alarm);
    if (tenant_ && rows_ % 256 == 0) {
      snapshots_.push_back(copy(*tenant_));
      if (snapshots_.size() > 2) snapshots_.pop_front();
    }
  }

  // The worst leaves until three, two, one are left.
  void step_race() {
    const std::uint64_t age = rows_ - race_began_;
    if (age != 1024 && age != 2048 && age != 4096) return;
    const std::size_t stay = age == 1024 ? 3 : age == 2048 ? 2 : 1;
    while (challengers().size() > stay) {
      const std::vector<std::size_t> racing = challengers();
      std::size_t worst = racing.front();
      for (const std::size_t m : racing) {
        if (members_[m].marked.value() >= members_[worst].marked.value()) worst = m;
      }
      members_[worst].learner.reset();
    }
    for (const std::size_t m : challengers()) members_[m].marked = {};
    if (age == 4096) end_race(challengers().front());
  }

  void end_race(std::size_t winner) {
    races_ = false;
    ended_ = rows_;
    std::optional<std::size_t> rival;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (m == winner || !members_[m].learner) continue;
      if (!rival || members_[m].faded.recent.value() < members_[*rival].faded.recent.value()) rival = m;
    }
    const bool wins = clearly(winner, *rival, 2);
    pause_ = wins ? CommitteeLearner::kShortPause
                  : std::clamp(2 * pause_, CommitteeLearner::kShortPause, CommitteeLearner::kLongPause);
    if (tenant_ && !wins) {
      members_[winner].learner.reset();
      return;
    }
    if (tenant_) leave(tenant_);
    tenant_ = winner;
    tenant_led_ = rows_;
  }

  // All trackers that do not run, with the recent rows: all of them, or after an alarm those since the change.
  void begin_race(bool alarm) {
    races_ = true;
    race_began_ = ended_ = rows_;
    for (Member& member : members_) {
      if (member.plan.role != MemberRole::tracker || member.learner || member.recalled) continue;
      begin(member, members_[leader_].learner ? members_[leader_].faded : Faded());
      for (std::size_t i = recent_.size() - (alarm ? since_change() : recent_.size()); i < recent_.size(); ++i) {
        recent_[i].second.x = Features::dense(recent_[i].first);
        member.learner->learn(recent_[i].second);
      }
    }
  }

  std::size_t since_change() const {
    return std::min<std::size_t>(recent_.size(), rows_ - watch_.alarms().back().since);
  }

  Copy copy(std::size_t m) const {
    StateWriter state;
    members_[m].learner->save(state);
    auto learner = make_learner(members_[m].plan.options, shape_);
    StateReader in(state.bytes());
    learner->load(in);
    return {rows_, members_[m].plan, std::move(learner)};
  }

  // Of the retired, the best on the last 64 rows since the change runs again; the tenant as it was before the change is
  // retired.
  void change_tenants() {
    const bool has_recalled = std::ranges::any_of(challengers(), [&](std::size_t m) { return members_[m].recalled; });
    double least = watch_.error();
    auto best = retired_.end();
    for (auto old = retired_.begin(); old != retired_.end() && !has_recalled; ++old) {
      Mean mean;
      for (std::size_t i = recent_.size() - std::min<std::size_t>(64, since_change()); i < recent_.size(); ++i) {
        const Prediction said = old->learner->predict(Features::dense(recent_[i].first));
        const double difference = static_cast<double>(said.score) - static_cast<double>(recent_[i].second.number);
        mean.add(watched(regresses_ ? difference * difference : said.label != recent_[i].second.label),
                 static_cast<double>(recent_[i].second.weight));
      }
      if (const double error = mean.value(); error < least) {
        best = old;
        least = error;
      }
    }
    if (best != retired_.end()) {
      recall(*best);
      retired_.erase(best);
    }
    std::optional<Copy> last;
    for (Copy& snapshot : snapshots_) {
      if (snapshot.at <= watch_.alarms().back().since) last = std::move(snapshot);
    }
    if (last) retired_.push_back(std::move(*last));
    if (retired_.size() > 3) retired_.pop_front();
    snapshots_.clear();
  }

  void recall(Copy& old) {
    auto place =
        std::ranges::find_if(members_, [](const Member& member) { return member.recalled && !member.learner; });
    if (place == members_.end()) place = members_.insert(members_.end(), Member());
    *place = {.plan = old.plan,
              .learner = std::move(old.learner),
              .began = rows_,
              .recalled = true,
              .faded = members_[leader_].learner ? members_[leader_].faded : Faded()};
    ++recalls_;
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
  bool races_ = false;
  std::uint64_t race_began_ = 0;
  DriftWatch watch_;
  std::vector<std::pair<std::vector<float>, Example>> recent_;
  std::deque<Copy> snapshots_, retired_;
  std::size_t recalls_ = 0;
  std::uint64_t tenant_led_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t pause_ = 0;
};

}  // namespace kinglet
