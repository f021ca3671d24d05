// A learner in two phases, for good centres from a stream that is seen once:
//
//   scouting    a scout (Pegasos with merging: an AdditiveLearner with the same kernel and budget) learns the first n₀ examples
//               and predicts; RowSample keeps them
//   hand-over   the scout's support vectors become the centres of a SpanLearner, which starts from its prior and learns the
//               rows of the head in their order; scout and head are freed
//   span        the SpanLearner learns the rest of the stream
//
// The hand-over comes after n₀ examples (option `scout`), or at the end of a pass that is shorter. With a memory limit
// the head has no more memory than the span learner: where n₀ rows do not fit, it keeps an even sample of them.
#pragma once

#include <memory>
#include <optional>

#include "core/learner.hpp"
#include "learn/additive_learner.hpp"
#include "learn/row_sample.hpp"
#include "span/span_learner.hpp"

namespace kinglet {

// The complete options of the scout of a learner with these complete options.
Options scout_options(const Options& options);
// How many rows its head keeps.
std::size_t head_capacity(const Options& options, const Shape& shape, SpanKind kind = {});
// The span learner of a scout after it has learned the rows of the head.
std::unique_ptr<SpanLearner> hand_over(const Options& options, const Shape& shape, const AdditiveLearner& scout,
                                       const RowSample& head, SpanKind kind = {});

class ScoutedLearner final : public Learner {
 public:
  ScoutedLearner(const Options& options, const Shape& shape, SpanKind kind = {});

  std::size_t outputs() const override { return current().outputs(); }
  void scores(const Rows& rows, std::span<float> out) const override { current().scores(rows, out); }
  void learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                   const ProgressiveOutput& before) override;
  Prediction decide(std::span<const float> scores) const override { return current().decide(scores); }
  bool gives_deviations() const override { return current().gives_deviations(); }
  void deviations(const Rows& rows, std::span<float> out) const override { current().deviations(rows, out); }
  void finish() override;
  std::uint32_t classes() const override { return current().classes(); }
  void grow(const Shape& shape) override;
  bool can_lower_budget() const override { return current().can_lower_budget(); }
  void lower_budget(std::size_t budget) override;
  // The metric follows the scout; it is frozen at the hand-over.
  std::span<double> gradient_squares() override { return current().gradient_squares(); }
  double gradient_count() const override { return current().gradient_count(); }
  void rescale_features(std::span<const float> ratios) override;
  std::unique_ptr<Learner> start(bool keeps_coefficients) const override;
  bool shares_start(const Learner& other) const override;
  std::unique_ptr<Learner> sum(std::span<const Learner* const> parts, std::span<const std::vector<ClassId>> classes,
                               std::uint32_t class_count) const override;
  LearnerStats stats() const override;
  SupportVector support_vector(std::size_t i) const override { return current().support_vector(i); }
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  bool is_scouting() const { return scout_ != nullptr; }
  const SpanLearner* span() const { return span_.get(); }  // null while scouting
  static std::size_t bytes(const Options& options, const Shape& shape, SpanKind kind = {});

 private:
  Learner& current() { return scout_ ? static_cast<Learner&>(*scout_) : *span_; }
  const Learner& current() const { return const_cast<ScoutedLearner*>(this)->current(); }
  void start_scouting();
  void hand_over_now();

  // A learner past its hand-over in the span of this one, for so many classes.
  const SupportSet& centres() const;  // of the span, or the vectors of the scout
  std::unique_ptr<ScoutedLearner> in_same_span(std::uint32_t classes) const;

  Options options_;
  Shape shape_;
  SpanKind kind_;         // of the span learner
  std::size_t scouting_;  // n₀
  std::unique_ptr<AdditiveLearner> scout_;
  std::optional<RowSample> head_;
  std::unique_ptr<SpanLearner> span_;
  std::uint64_t examples_ = 0;
  std::uint64_t updates_ = 0;  // of the scout, less those with which the span learner caught up
};

}  // namespace kinglet
