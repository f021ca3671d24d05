// The learner that the papers' additive algorithms are points of: an update rule decides when and how much to learn, a
// budget rule how the expansion takes the new term in.
//
// Learning looks ahead: the kernel values of a window of examples against the whole support set are one matrix product;
// when the set changes, only the changed columns are computed again. A kernel value depends on its pair alone and a score
// on its kernel row alone, so the result is bit for bit that of learning one example at a time.
//
// Two classes share one output: f(x) ≥ 0 means class 1. More classes have one output each (Crammer, Singer: JMLR 2,
// 2001): the margin is f_y − max_{r≠y} f_r, an update adds the step to y and takes it from the rival r.
#pragma once

#include <memory>
#include <vector>

#include "budget/budget_rule.hpp"
#include "core/random.hpp"
#include "kinglet/learner.hpp"
#include "model/expansion.hpp"
#include "rules/update_rule.hpp"

namespace kinglet {

class AdditiveLearner final : public Learner {
 public:
  AdditiveLearner(const Options& options, const Shape& shape);

  std::size_t outputs() const override { return f_.outputs(); }
  void scores(const Rows& rows, std::span<float> out) const override;
  void learn_batch(const Rows& rows, std::span<const ClassId> labels, std::span<const float> weights,
                   std::span<Prediction> before) override;
  std::uint32_t classes() const override { return classes_; }
  void grow(const Shape& shape) override;
  Facts facts() const override;
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  const Expansion& expansion() const { return f_; }
  static std::size_t bytes(const Options& options, const Shape& shape);

 private:
  // The margin of an example and the class that comes closest to (or beats) its own.
  struct Margin {
    double value = 0;
    ClassId rival = 0;
  };
  Margin margin(std::span<const float> scores, ClassId label) const;
  void learn_window(const Rows& rows, const ClassId* labels, const float* weights, Prediction* before);
  void take_in(const Features& x, const float* kernel_row, double self_kernel, const Update& update);
  void set_coefficients(ClassId label, ClassId rival, double step);
  void reserve_window();

  static constexpr std::size_t kLargestGroup = 8;

  std::size_t budget_ = 0;  // 0: none
  std::uint32_t classes_ = 0;
  Expansion f_;
  std::unique_ptr<UpdateRule> update_;
  std::unique_ptr<BudgetRule> maintain_;
  Random random_;
  std::uint64_t examples_ = 0;
  std::uint64_t updates_ = 0;
  std::uint64_t maintenance_ = 0;

  AlignedFloats window_;  // kernel values of the window, one padded row per example
  std::size_t window_stride_ = 0;
  std::size_t group_ = 1;     // how many examples to score at once; no part of the result
  std::vector<float> ahead_;  // their scores, unscaled
  std::vector<float> scores_;
  std::vector<double> coefficients_;
};

}  // namespace kinglet
