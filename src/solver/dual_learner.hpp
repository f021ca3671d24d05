// The learner of all dual algorithms except tvm: it keeps the examples, passes each to the solver (with more than two
// classes, one solver for each class against the rest, sharing one store), and predicts with the support vectors.
//
//   learn(x, y)   f(x) at the support vectors → store.append(x) → solver.append, solver.learn → changed coefficients
//                 → support vectors; then examples that no solver needs are removed from the store
//
// A model file contains the store and the state of each solver; support vectors are rebuilt from them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/learner.hpp"
#include "solver/dual_options.hpp"
#include "solver/dual_solver.hpp"
#include "solver/support_vectors.hpp"

namespace kinglet {

using MakeSolver = std::function<std::unique_ptr<DualSolver>()>;

class DualLearner final : public Learner {
 public:
  // For a problem that is solved for all outputs together: what finish() calls it with, after the solvers' own
  // finish().
  struct Joint {
    ExampleStore& store;
    std::span<const ClassId> labels;  // by slot, as the boxes C_i
    std::span<const double> boxes;
    std::span<const std::unique_ptr<DualSolver>> solvers;  // by output; one for two classes
  };
  using SolveJointly = std::function<void(const Joint&)>;

  DualLearner(const Options& options, const Shape& shape, MakeSolver make_solver, SolveJointly solve_jointly = {});

  std::size_t outputs() const override { return support_.outputs(); }
  void scores(const Rows& rows, std::span<float> out) const override { support_.scores(rows, out); }
  void learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                   const ProgressiveOutput& before) override;
  void finish() override;
  double certainty(std::span<const float> scores) const override { return certainty_against_rest(scores); }
  std::uint32_t classes() const override { return classes_; }
  void grow(const Shape& shape) override;
  LearnerStats stats() const override;
  SupportVector support_vector(std::size_t i) const override { return support_.vector(i); }
  double bias(std::size_t output) const override { return support_.bias(output); }
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  const ExampleStore& store() const { return store_; }
  const DualSolver& solver(std::size_t output) const { return *solvers_[output]; }
  ClassId label(std::size_t slot) const { return labels_[slot]; }

 private:
  void learn_one(const Features& x, ClassId label, double weight);
  void learn_outputs(std::size_t slot);
  double sign(ClassId label, std::size_t output) const;
  void take_over_changes();
  void make_support(std::span<const std::uint32_t> slots);
  void load_support(std::span<const std::uint32_t> slots);
  void drop_unneeded();

  MakeSolver make_solver_;
  SolveJointly solve_jointly_;  // empty: every solver solves its own problem
  double box_;                  // C
  std::uint32_t classes_;
  ExampleStore store_;
  std::vector<ClassId> labels_;                       // by slot
  std::vector<double> boxes_;                         // by slot: C times the weight
  std::vector<std::unique_ptr<DualSolver>> solvers_;  // by output
  SupportVectors support_;
  std::uint64_t examples_ = 0;
  std::uint64_t updates_ = 0;

  std::vector<double> values_;  // scratch, by output
  std::vector<double> coefficients_;
  std::vector<float> scores_;
  std::vector<char> needed_;
};

}  // namespace kinglet
