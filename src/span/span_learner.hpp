// A learner in the span of centres: f_c(x) = Σ_j W_jc k(z_j, x). The centres are support vectors that do not change;
// what is learned are their coefficients, by one of three rules (h = S k, v = kᵀSk, r the noise; span_statistics.hpp):
//
//   margin     examples with a margin m < 1
//     two classes    w ← w + y (1 − m)/(v + r) h                              S ← S − h hᵀ/(v + r)
//     more classes   a = (1 − m)/(2v + r);  W_y ← W_y + a h,  W_rival ← W_rival − a h;   S ← S − ½ h hᵀ/(v + r)
//                    (AROW of Crammer, Kulesza, Dredze: NIPS 2009, in the span of the centres)
//   squares    every example: W_c ← W_c + (y_c − f_c)/(v + r) h,  S ← S − h hᵀ/(v + r): recursive least squares, exact; for
//              classes, y_c = ±1. Regression always does this.
//   gradient   S stays what it is, and λ S = (K + εD)⁻¹: on a margin m < 1 (regression: always) a step of η along
//              (K + εD)⁻¹ k, which is gradient descent on the Nyström features of x
//
// The centres are given at the start, or examples become centres along the stream until the budget is full:
//   violators     examples with a margin below 1, with the step of kernel gradient descent as coefficient (gradient rule only)
//   independent   examples that are not in the span of the centres so far (dictionary.hpp), with the coefficient 0
//
// An example of weight c counts as c examples: r becomes r/c (gradient: η becomes cη).
//
// Once it has made as many updates as the option `thin-after` says (kManyUpdates without it), the margin rule takes
// only one in kThinning of the examples whose margin is at least 0, with kThinning times their weight; mistakes are
// always learned. By then single examples matter little, and most violators of a noisy stream are of this kind. Which
// ones depends on the seed and the number of the example alone. Models that will be added up can begin earlier, since
// their sum counts.
//
// Learning looks ahead: kernel rows of a window of examples are one matrix product, and the directions of those that
// will probably be learned are prepared together. Scores and directions of an example do not depend on the others of
// its window, so the result is bit for bit that of one example at a time.
//
// A learner that adds up keeps the same observations as sums in double precision besides. At the end of a pass it takes
// its coefficients from them, so that they do not depend on how rows were divided among learners: exactly for least
// squares.
//
// For regression it estimates the noise of the targets along the stream, σ² = mean of e²/(1 + v/r) over the progressive
// errors e, and from it the deviation of a prediction: σ √(1 + v/r).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/learner.hpp"
#include "expansion/support_set.hpp"
#include "learn/tasks.hpp"
#include "span/dictionary.hpp"
#include "span/residual_variance.hpp"
#include "span/span_statistics.hpp"
#include "span/span_sums.hpp"

namespace kinglet {

enum class SpanRule { margin, squares, gradient };
enum class SpanGrowth { given, violators, independent };

// What kind of learner in a span.
struct SpanKind {
  SpanRule rule = SpanRule::margin;
  SpanGrowth growth = SpanGrowth::given;
  bool adds_up = false;  // keeps what models that share the span add up (span_sums.hpp); centres are given
};

struct SpanSettings {
  SpanKind kind{};
  SpanPrior prior{};
  double noise = 10;      // r
  double rate = 1;        // η, gradient only
  double dependence = 0;  // ν, independent centres only
  std::uint64_t thin_after = kManyUpdates;

  static constexpr std::uint64_t kManyUpdates = 40'000;

  static SpanSettings from(const Options& options, SpanKind kind);
};

class SpanLearner final : public Learner {
 public:
  // No centres yet: they are added by add_centres().
  SpanLearner(const Options& options, const Shape& shape, SpanKind kind = {});
  // In the span of the vectors of another set, of the same kernel and dimension.
  SpanLearner(const Options& options, const Shape& shape, const SupportSet& centres, SpanKind kind = {});

  // Adds centres before any example is learned; at most as many as the budget.
  void add_centre(const Features& centre);
  const SupportSet& centres() const { return *set_; }
  const SpanStatistics& statistics() const { return statistics_; }
  std::size_t outputs() const override { return statistics_.outputs(); }
  void scores(const Rows& rows, std::span<float> out) const override;
  void learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                   const ProgressiveOutput& before) override;
  Prediction decide(std::span<const float> scores) const override;
  bool gives_deviations() const override {
    return task_ == TaskKind::regress && settings_.kind.rule != SpanRule::gradient && residuals_.is_known();
  }
  void deviations(const Rows& rows, std::span<float> out) const override;
  void finish() override;
  std::uint32_t classes() const override { return classes_; }
  void grow(const Shape& shape) override;
  bool can_lower_budget() const override { return !sums_; }  // models of one start have the same centres
  void lower_budget(std::size_t budget) override;
  LearnerStats stats() const override;
  SupportVector support_vector(std::size_t i) const override;
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  // For a learner that adds up, before its first example: its coefficients are those of another one, and W₀ of its
  // sums.
  void begin_at(const SpanLearner& other);
  // Whether both add up and have the same centres and W₀ (Learner::shares_start).
  bool has_start_of(const SpanLearner& other) const;
  // For a learner that adds up and has learned nothing: it has learned what all these have, which share its span
  // (Learner::sum).
  void become_sum(std::span<const SpanLearner* const> parts, std::span<const std::vector<ClassId>> classes);

  static std::size_t bytes(const Options& options, const Shape& shape, SpanKind kind = {});

  static constexpr std::uint64_t kThinning = 4;

 private:
  static constexpr std::size_t kWindow = 64;

  template <class Task>
  void learn_window(const Task& task, const Rows& rows, const Targets& targets, const float* weights,
                    const ProgressiveOutput& before);
  // Scores of the window from row `from` on, and which of these rows will probably be learned.
  template <class Task>
  void look_ahead(const Task& task, const Targets& targets, std::size_t from);
  template <class Task>
  bool learn_one(const Task& task, const TaskMargin& example, const Targets& targets, std::size_t q, double weight,
                 std::span<const float> scores);
  template <class Task>
  bool learns_all() const {
    return std::is_same_v<Task, Regression> || settings_.kind.rule == SpanRule::squares;
  }
  // How often example number `number` counts; 0: it is not learned.
  template <class Task>
  double times_learned(const TaskMargin& example, std::uint64_t number) const;
  // The example in row q becomes a centre if it should. Returns whether it does.
  bool grow_span(const TaskMargin& example, const Rows& rows, std::size_t q, double weight);
  template <class Task>
  void find_direction(const Task& task, const Targets& targets, std::size_t q);
  template <class Task>
  void prepare_from(const Task& task, const Targets& targets, std::size_t q);
  // Keeps the observation of row q for the sums: its noise, its targets, or the scores and the step that was made from
  // them.
  template <class Task>
  void keep_observation(const TaskMargin& example, const Targets& targets, std::size_t q, double noise,
                        std::span<const float> scores, double step);
  std::vector<double> prior_precision() const;
  void take_coefficients(const SpanSolution& solution);
  void reserve();
  static std::size_t window_bytes(std::size_t budget, std::size_t outputs);

  SpanSettings settings_;
  std::size_t budget_;
  TaskKind task_;
  std::uint32_t classes_;
  bool sparse_;
  std::uint64_t seed_;
  std::unique_ptr<SupportSet> set_;
  SpanStatistics statistics_;
  std::optional<Dictionary> dictionary_;  // of independent centres
  std::optional<SpanSums> sums_;          // of a learner that adds up
  ResidualVariance residuals_;            // regression
  std::uint64_t examples_ = 0;
  std::uint64_t updates_ = 0;

  // The window: kernel rows, scores when it was last looked at, and whether these say that an example will be learned.
  std::size_t stride_ = 0;
  ZeroedFloats kernel_rows_;
  std::vector<float> scores_;
  std::vector<char> is_likely_;
  std::vector<float> current_;   // the scores of one example
  std::vector<double> targets_;  // what the outputs should be, for the sums
  std::size_t window_rows_ = 0;
  std::vector<std::size_t> prepared_;  // which rows of the window are prepared, in order
  std::uint64_t prepared_at_ = 0;      // statistics_.folds() when they were
};

}  // namespace kinglet
