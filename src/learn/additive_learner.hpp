// The learner that combines an update rule, which decides when to learn and how much, with a budget rule, which adds
// the new term to the expansion. Most algorithms of the papers are such combinations.
//
// Learning looks ahead: the kernel values of a window of examples against the whole support set are one matrix product.
// When the set changes, only the changed columns are recomputed. A kernel value depends only on its pair, and a score
// only on its kernel row, so the result is bit for bit the same as learning one example at a time.
//
// Margins and directions are defined by the task (learn/tasks.hpp).
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "budget/budget_rule.hpp"
#include "core/learner.hpp"
#include "core/random.hpp"
#include "expansion/model_function.hpp"
#include "expansion/term.hpp"
#include "learn/gradient_squares.hpp"
#include "learn/tasks.hpp"
#include "rules/update_rule.hpp"

namespace kinglet {

class AdditiveLearner final : public Learner {
 public:
  AdditiveLearner(const Options& options, const Shape& shape);

  std::size_t outputs() const override { return f_.outputs(); }
  void scores(const Rows& rows, std::span<float> out) const override;
  void learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                   const ProgressiveOutput& before) override;
  Prediction decide(std::span<const float> scores) const override;
  std::uint32_t classes() const override { return classes_; }
  void grow(const Shape& shape) override;
  bool can_lower_budget() const override { return budget_ > 0 && !function_.average; }  // an average keeps all vectors
  void lower_budget(std::size_t budget) override;
  std::span<double> gradient_squares() override { return gradients_ ? gradients_->sums() : std::span<double>(); }
  double gradient_count() const override { return gradients_ ? gradients_->count() : 0; }
  void rescale_features(std::span<const float> ratios) override;
  LearnerStats stats() const override;
  SupportVector support_vector(std::size_t i) const override;
  double bias(std::size_t) const override { return -threshold_.value(); }  // 0 except in novelty detection
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  const Expansion& expansion() const { return f_; }
  const Random& random() const { return random_; }
  static std::size_t bytes(const Options& options, const Shape& shape);

 private:
  static std::size_t outputs_for(TaskKind task, std::uint32_t classes);

  // Calls act with the task, which depends on the options and the number of classes so far.
  template <class Act>
  auto with_task(Act act);
  template <class Task>
  void learn_window(const Task& task, const Rows& rows, const Targets& targets, const float* weights,
                    const ProgressiveOutput& before);
  struct Learned {
    std::size_t examples = 0;
    bool changed_f = false;  // by the last of them; more than its scale
  };
  template <class Task>
  Learned learn_group(const Task& task, const Rows& rows, const Targets& targets, const float* weights,
                      const ProgressiveOutput& before, std::size_t first, std::size_t n);
  template <class Task>
  bool add_term(const TaskMargin& example, const Update& update, Term term);
  std::span<const float> average_scores(const Features& x, const float* kernel_row);
  template <class Task>
  void set_coefficients(const TaskMargin& example, double step);
  // `dropped`: the new term was not added, so all of it is lost.
  void count_maintenance(bool dropped) {
    ++maintenance_;
    if (!function_.loss) return;
    const double loss = dropped ? 1 : function_.loss->value();
    if (!(loss < std::numeric_limits<double>::infinity())) return;
    relative_loss_ += loss;
    ++relative_steps_;
  }
  // Scores of the function used for prediction: the average if it is kept, else the last function.
  double final_coefficient(std::size_t slot, std::size_t output) const {
    return function_.average ? function_.average->coefficient(slot, output) : f_.coefficient(slot, output);
  }
  void load_losses(StateReader& in);
  void reserve_window();
  std::size_t memory_bytes() const;
  // Sparse vectors take an unknown amount of memory, and merged ones more than others. If they take too much, the
  // budget rule takes terms out.
  void keep_within_limit();
  // Far from every support vector, kernel values underflow in single precision, and so does f(x). Its sign is still
  // defined by the nearest vectors and can be computed in double precision, which reaches down to exp(−745). The scores
  // become the computed values, or tiny numbers in the same proportions. Scores that are small because terms cancel are
  // not changed.
  void rescue_underflow(const Features& x, const float* kernel_row, std::span<float> scores) const;

  static constexpr std::size_t kLargestGroup = 8;

  std::size_t budget_ = 0;          // 0: none
  std::uint64_t memory_limit_ = 0;  // 0: none, or the budget already keeps the learner within it
  TaskKind task_ = TaskKind::classify;
  std::uint32_t classes_ = 0;
  std::unique_ptr<UpdateRule> update_;
  std::unique_ptr<BudgetRule> maintain_;
  ModelFunction function_;
  Expansion& f_;            // of function_
  float shrink_first_ = 1;  // what the rules ask for
  bool watches_ = false;
  bool projects_ = false;
  Random random_;
  double epsilon_ = 0;   // regression
  Threshold threshold_;  // novelty
  std::uint64_t examples_ = 0;
  std::uint64_t updates_ = 0;
  std::uint64_t maintenance_ = 0;
  double relative_loss_ = 0;          // Σ ‖Δ‖/‖term‖ over maintenance steps, where it is known
  std::uint64_t relative_steps_ = 0;  // number of these steps; terms of length 0 do not count

  std::optional<GradientSquares> gradients_;  // with the option `metric`

  ZeroedFloats window_;  // kernel values of the window, one padded row per example
  std::size_t window_stride_ = 0;
  std::size_t group_ = 1;     // number of examples to score at once; does not affect the result
  std::vector<float> ahead_;  // their scores, unscaled
  std::vector<float> scores_;
  std::vector<float> average_;  // of one example
  std::vector<double> coefficients_;
};

}  // namespace kinglet
