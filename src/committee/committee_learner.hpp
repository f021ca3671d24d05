// A committee: several learners along the same stream, of which the one that predicts best at present answers. Nothing
// has to be set, because the stream decides between the settings (committee/members.hpp: which members there are, and
// when).
//
//   rows ─▶ every running member predicts, then learns ─▶ its errors (committee/standing.hpp)
//                     the leader's predictions are the committee's
//   end of a chunk:   scouts leave ─▶ heads begin or leave ─▶ trackers race ─▶ the leader of the next chunk
//
// Chunks are 64 examples (16 at the beginning), counted from the beginning of the stream. Everything is decided at
// their ends, so the division of rows into batches makes no difference.
//
// The leader. While there are no heads, the running member with the least recent error; ties go to the present leader,
// then to the first. Then the best head, because heads make better use of the same support vectors, and what looks
// better for a moment is often luck: another member leads only if its error is clearly less (z = 1), and as long as it
// still is (z = ½). At the end of a pass it must be twice as much, because the last head has learned more than the one
// whose errors it takes over. A head that has predicted nothing yet leads only where a head led before: its gamma may
// be far off.
//
// Scouts. All begin with the stream. At each rung those with the greatest errors since the last one leave, until one is
// left. Of the last two the one with the smaller gamma stays if it is nearly as good: its vectors serve more gammas.
//
// Heads. A head learns in the span of the support vectors of the leading scout. When it begins while the first rows are
// still kept, it learns them again; it is judged by later rows only. Several gammas are tried, and later ones start
// from the best so far. At the end of a pass that is shorter than the rows kept, there is one head of all of them. A
// head that is far behind the leader is dismissed before its time; after the kept rows, one that is worse than the
// scout leaves when heads are compared, and the next generation tries again.
//
// Metric. The scaler's metric follows the gradients of the leading scout. Scouts, trackers and the kept rows move with
// it; a head stays in the metric with which it began, because its covariance belongs to it, so its rows are multiplied
// by factors.
//
// Trackers. For a stream that changes there are members that forget. They race: all begin together, and after a
// quarter, a half and all of kRace examples three, two and one of them are left, those with the least error since the
// last of these points. The winner stays (the tenant) if its error is clearly the least of all members, or if there is
// no tenant; else it leaves. A tenant stays until it has not led for kTenure examples or another winner takes its
// place. The pause until the next race doubles while nobody wins clearly, and is short again after a win or when the
// leader's recent error is well above its error since it began. With a memory limit there is one challenger at a time,
// in turns, and where rows are very long there are fewer.
//
// Drift. The errors of the leader are watched (committee/drift_watch.hpp): where they became more there is an alarm,
// which is kept and told. It begins a race at once. Challengers start with the latest rows, after an alarm with those
// since the change.
//
// Recurring concepts. Every kSnapshot examples a copy of the tenant is put aside, and the last two are kept. On an
// alarm, the one from before the change is retired: it does not run any more. Of those that were retired before, the
// best on the rows since the change runs again, as a challenger, if it is better there than the leader was
// (retired.cpp). At most kMostRetired are kept, the latest.
//
// Review. At the end of a pass the model gives a sample of all its rows (review.cpp). Where the order of the rows
// mattered, a fresh committee learns the sample in random order, and its leader joins this one.
//
// Passes. Errors are honest in the first pass over some data only. In later ones members learn, but who leads and who
// runs stays.
//
// Budget and memory. No member has more support vectors than the budget, and the leader alone predicts, is exported and
// asked. With the option `memory`, members begin only while all that run fit into the limit together; where a higher
// dimension or a new class makes them too large, the worst leave.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "committee/drift_watch.hpp"
#include "committee/leader_history.hpp"
#include "committee/members.hpp"
#include "committee/recent_rows.hpp"
#include "committee/standing.hpp"
#include "core/learner.hpp"
#include "learn/row_buffer.hpp"
#include "learn/row_sample.hpp"

namespace kinglet {

class CommitteeLearner final : public Learner {
 public:
  static constexpr std::size_t kChunk = 64;
  static constexpr std::uint64_t kRace = 4096;
  static constexpr std::uint64_t kTenure = 8192;
  static constexpr std::uint64_t kShortPause = 2048;
  static constexpr std::uint64_t kLongPause = 131072;
  static constexpr std::size_t kRoom = 4'800'000;  // bytes of all members, for challengers
  static constexpr std::uint64_t kSnapshot = 256;
  static constexpr std::size_t kMostRetired = 3;
  static constexpr std::size_t kJudged = 64;     // rows since a change by which retired members are judged
  static constexpr double kFarBehind = 4;        // z of its recent error behind the leader's
  static constexpr double kWorseHead = 1.05;     // than the scout, when heads are compared
  static constexpr double kNearlyAsGood = 1.08;  // of the last two scouts
  static constexpr double kClearlyWorse = 1.5;   // than the leader used to be
  static constexpr double kOrderMattered = 3;    // z of the leader's errors on the sample of a pass

  CommitteeLearner(const Options& options, const Shape& shape);

  std::size_t outputs() const override { return leader().outputs(); }
  void scores(const Rows& rows, std::span<float> out) const override;
  void learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                   const ProgressiveOutput& before) override;
  Prediction decide(std::span<const float> scores) const override { return leader().decide(scores); }
  double certainty(std::span<const float> scores) const override { return leader().certainty(scores); }
  bool gives_deviations() const override { return leader().gives_deviations(); }
  void deviations(const Rows& rows, std::span<float> out) const override;
  void begin_data() override { judges_ = true; }
  void finish() override;
  std::size_t sampled_rows() const override { return samples_ ? static_cast<std::size_t>(schedule_.sampled()) : 0; }
  void review(const Rows& rows, const Targets& targets, std::span<const float> weights) override;
  std::uint32_t classes() const override { return shape_.classes; }
  void grow(const Shape& shape) override;
  bool can_lower_budget() const override;
  void lower_budget(std::size_t budget) override;
  LearnerStats stats() const override;
  SupportVector support_vector(std::size_t i) const override { return leader().support_vector(i); }
  double bias(std::size_t output) const override { return leader().bias(output); }
  // The leading scout's, because it learns as long as the stream; heads keep the metric with which they began.
  std::span<double> gradient_squares() override { return members_[leading_scout()].learner->gradient_squares(); }
  double gradient_count() const override { return members_[leading_scout()].learner->gradient_count(); }
  void rescale_features(std::span<const float> ratios) override;
  std::span<const float> feature_factors() const override { return members_[leader_].factors; }
  Options settled_options(const Options&) const override { return members_[leader_].plan.options; }
  Standings standings() const override;
  std::uint64_t drift_alarms() const override { return drift_ ? drift_->count() : 0; }
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  // The bytes that a committee takes at most.
  static std::size_t bytes(const Options& options, const Shape& shape);
  // The largest budget within a memory limit: that of all members if it is at least the default one. Otherwise members
  // are given up for it, from the end of the table, at most all but the first. 0: there is none.
  static std::int64_t largest_budget(const Options& options, const Shape& shape, std::uint64_t limit);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Member {
    MemberPlan plan{};
    Standing standing{};
    std::unique_ptr<Learner> learner{};  // null: it does not run
    std::vector<float> factors{};        // heads: the metric with which it began / the present one; empty: 1
    bool reviewed = false;               // it learned a sample of a whole pass in random order (review.cpp)
    bool recalled = false;               // a place for a member that was retired

    bool runs() const { return learner != nullptr; }
    bool runs_as(MemberRole role) const { return runs() && plan.role == role; }
  };

  // A member that learns the present part of a chunk.
  struct Running {
    std::size_t member = 0;
    ProgressiveOutput out{};     // with its predictions
    std::exception_ptr error{};  // it diverged
  };

  // The trackers' part of the state. Challengers are the trackers that run, but for the tenant.
  struct Trackers {
    std::size_t tenant = kNone;    // places in members_
    std::size_t latest = kNone;    // the last one that began
    std::uint64_t tenant_led = 0;  // examples of the stream when the tenant led last
    bool race = false;             // one goes on
    std::uint64_t began = 0;       // when it did
    std::uint64_t ended = 0;       // when the last race ended
    std::uint64_t pause = 0;       // after it
  };

  // A tracker as it was after so many examples. It does not learn.
  struct Copy {
    std::uint64_t at = 0;
    Member member{};
  };

  // committee_learner.cpp: learning, scouts, the leader
  const Learner& leader() const { return *members_[leader_].learner; }
  static void scores_of(const Member& member, const Rows& rows, std::span<float> out);
  static std::uint64_t chunk_end(std::uint64_t examples);
  void learn_part(const Rows& rows, const Targets& targets, std::span<const float> weights,
                  const ProgressiveOutput& before);
  void learn_as(Running& running, const Rows& rows, const Targets& targets, std::span<const float> weights);
  double error_of(const Prediction& prediction, const Targets& targets, std::size_t i) const;
  void begin_watch();
  double watched(double error) const;
  void end_chunk();
  void climb_rung(std::size_t scouts);
  void choose_leader();
  bool may_lead(std::size_t head) const;
  bool is_clearly_better(std::size_t one, std::size_t other, double z) const;
  std::size_t best_running(std::size_t besides = kNone) const;
  std::size_t leading_scout() const;  // the least recent error; ties go to the first
  void begin(std::size_t member, const Standing* like);
  void leave(std::size_t member);

  // review.cpp
  std::vector<double> row_errors(const Member& member, const Rows& rows, const Targets& targets) const;
  ErrorSum errors_of(const Member& member, const Rows& rows, const Targets& targets,
                     std::span<const float> weights) const;
  void learn_shuffled(const Rows& rows, const Targets& targets, std::span<const float> weights);

  // heads.cpp
  // The running head with the least error since the last mark; ties go to the first, kNone if there is none.
  std::size_t best_head() const;
  void update_heads();
  void renew_heads(std::size_t share, std::span<const double> multiples);
  void begin_generation();
  void begin_heads(std::size_t share, std::span<const double> gammas, const Standing& like);
  void learn_kept_rows(std::size_t first);
  void add_centres(class SpanLearner& head, std::size_t most) const;
  void settle_heads();
  void dismiss_heads();

  // trackers.cpp
  void step_trackers(bool is_alarm);
  void begin_race(bool is_alarm);
  void step_race();
  void end_race(std::size_t winner);
  void stop_race();
  std::vector<std::size_t> challengers() const;
  void learn_recent_rows(std::size_t member, bool is_alarm);
  std::size_t rows_since_change() const;
  bool is_worse_than_usual() const;

  // retired.cpp
  void change_tenants();
  void take_snapshot();
  void recall(Member old);
  std::size_t best_retired() const;

  // committee_size.cpp
  bool fits(const MemberPlan& plan) const;
  std::size_t running_bytes(const Shape& shape) const;
  std::size_t member_sum(const Shape& shape) const;
  std::size_t recent_bytes(const Shape& shape) const;
  void begin_recent();
  void make_room_for(const Shape& shape);

  // committee_state.cpp
  void save_member(const Member& member, StateWriter& out) const;
  Member load_member(StateReader& in) const;
  void save_trackers(StateWriter& out) const;
  void load_trackers(StateReader& in);

  Options options_;
  TaskKind task_;
  Shape shape_;
  std::size_t budget_;
  std::uint64_t limit_;  // of memory; 0: none
  Schedule schedule_;
  std::vector<Member> members_;
  std::size_t leader_ = 0;
  std::uint64_t examples_ = 0;
  std::optional<RowSample> rows_;  // the first ones, while heads may learn them again
  bool samples_ = false;           // whether there is memory for the sample of a pass
  bool judges_ = true;             // in the first pass over some data
  Trackers trackers_;
  std::optional<RecentRows> recent_;  // this and copies: as long as there is memory for them
  std::vector<Copy> snapshots_;       // of the tenant, the older one first
  std::vector<Copy> retired_;         // likewise
  LeaderHistory history_;
  std::optional<DriftWatch> drift_;  // as long as there is memory for it
  std::vector<Running> running_;
  std::vector<Prediction> predictions_;  // of each of these, kChunk places
};

// The bytes of a member once its budget is full.
std::size_t member_bytes(const MemberPlan& plan, const Shape& shape);

}  // namespace kinglet
