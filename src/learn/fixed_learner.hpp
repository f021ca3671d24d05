// A learner that only predicts, with the functions of a FlatModel: of compressed, averaged and imported models. In
// their options, `algo` is "fixed", which users cannot choose, and `origin` says where the model came from.
#pragma once

#include "learn/flat_model.hpp"
#include "solver/support_vectors.hpp"

namespace kinglet {

class FixedLearner final : public Learner {
 public:
  FixedLearner(const Options& options, const Shape& shape);  // without vectors, to be loaded
  FixedLearner(const FlatModel& plain, const Options& options);

  std::size_t outputs() const override { return decision_ == Decision::votes ? classes_ : support_.outputs(); }
  // With votes, the number of votes of each class; the largest is the prediction, and ties go to the first.
  void scores(const Rows& rows, std::span<float> out) const override;
  void learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                   const ProgressiveOutput& before) override;
  Prediction decide(std::span<const float> scores) const override;
  std::uint32_t classes() const override { return classes_; }
  void grow(const Shape& shape) override;
  LearnerStats stats() const override;
  SupportVector support_vector(std::size_t i) const override { return support_.vector(i); }
  double bias(std::size_t function) const override { return support_.bias(function); }
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  Decision decision() const { return decision_; }
  std::size_t functions() const { return support_.outputs(); }
  static Decision decision_of(const Options& options, std::size_t classes);

 private:
  void take(const SupportSet& vectors, std::span<const double> coefficients, std::span<const double> biases);

  TaskKind task_;
  Decision decision_;
  Kernel kernel_;
  Shape shape_;
  std::uint32_t classes_;
  SupportVectors support_;
};

// Whether complete options are those of a model that only predicts.
bool is_fixed(const Options& options);
Options fixed_options(const FlatModel& plain);
// Throws Error unless fixed_options() could have made them.
void check_fixed_options(const Options& options);

// Why a model with these options does not learn.
std::string why_fixed(const Options& options);

}  // namespace kinglet
