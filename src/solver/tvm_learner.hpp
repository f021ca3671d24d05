// A support vector machine over at most B prototypes, each of which represents many nearby examples:
//   prototype p = (x, s_1 … s_C),   s_c: the total weight of the examples of class c that it represents
// For the machine of class c against the rest, a prototype is a pair of twins: examples of opposite labels at x with
// the boxes C s_c and C Σ_{k≠c} s_k. The machine is exact over all twins after every example
// (solver/incremental_svm.hpp).
//
//   learn(x, y)   near the boundary, |f(x)| ≤ band, or if the budget is not full: add a prototype; else do nothing
//   over budget   remove the prototype farthest from the boundary if it is well outside the band, |f(x)| > 2 band; else
//                 merge two prototypes into one at their weighted mean:
//                 argmin s_p s_q/(s_p + s_q) ‖φ(x_p) − φ(x_q)‖²,   times 10 if their majority classes differ
//                 Each prototype stores its best partner: adding one costs O(B), removing one O(B) for each prototype
//                 whose partner it was.
// With more than two classes, the distance from the boundary is that from the nearest boundary, min_c |f_c(x)|.
//
// Wang, Vucetic: Twin Vector Machines for Online Learning on a Budget, SDM (2009).
#pragma once

#include <vector>

#include "core/learner.hpp"
#include "solver/incremental_svm.hpp"
#include "solver/support_vectors.hpp"

namespace kinglet {

class TvmLearner final : public Learner {
 public:
  TvmLearner(const Options& options, const Shape& shape);
  static std::size_t bytes(const Options& options, const Shape& shape);  // with a full budget

  std::size_t outputs() const override { return support_.outputs(); }
  void scores(const Rows& rows, std::span<float> out) const override { support_.scores(rows, out); }
  void learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                   const ProgressiveOutput& before) override;
  double certainty(std::span<const float> scores) const override { return certainty_against_rest(scores); }
  std::uint32_t classes() const override { return classes_; }
  void grow(const Shape& shape) override;
  LearnerStats stats() const override;
  SupportVector support_vector(std::size_t i) const override { return support_.vector(i); }
  double bias(std::size_t output) const override { return support_.bias(output); }
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

  std::size_t prototypes() const { return store_.size(); }
  double count(std::size_t prototype, ClassId of) const { return counts_[prototype * classes_ + of]; }
  std::vector<float> place(std::size_t prototype) const;
  double accepted() const { return accepted_; }  // weight of the examples that became prototypes
  double removed() const { return removed_; }    // weight of the examples whose prototype was removed
  const IncrementalSvm& machine(std::size_t output) const { return machines_[output]; }
  ExampleStore& store() { return store_; }

 private:
  // Data of a prototype for merging, derived from the store and the counts.
  struct Nearest {
    double weight = 0;           // Σ_c s_c
    ClassId majority_class = 0;  // argmax_c s_c
    double own = 0;              // k(x, x)
    double loss = 0;  // loss of merging it with its partner, the one with the smallest loss; ties go to the first
    std::size_t partner = 0;
  };
  // The store contains each prototype once. In a machine, its twins have the slots 2p (the class of the output) and 2p
  // + 1 (the rest).
  static std::size_t twin(std::size_t prototype, bool of_the_rest) { return 2 * prototype + (of_the_rest ? 1 : 0); }

  Shape shape() const { return {.dimension = store_.set().dimension(), .classes = classes_, .storage = storage_}; }
  void learn_one(const Features& x, ClassId label, double weight);
  bool is_near(const Features& x);
  double box(std::size_t prototype, std::size_t output, bool of_the_rest) const;
  void add(const Features& x, std::span<const double> counts);
  void learn_twins(std::size_t prototype, std::size_t output);
  void drop(std::size_t prototype);
  void reduce();
  std::size_t farthest(double& distance) const;
  void look_around(std::size_t prototype);
  void find_partners();
  void forget_nearest(std::size_t prototype, std::size_t last);
  void merge_nearest();
  void take_over_changes();
  void set_support(std::size_t prototype);

  std::size_t budget_;
  double box_;  // C
  double band_;
  std::uint32_t classes_;
  Storage storage_;
  ExampleStore store_;
  std::vector<double> counts_;            // s of each prototype, classes_ entries each
  std::vector<Nearest> nearest_;          // by prototype
  std::vector<IncrementalSvm> machines_;  // by output
  SupportVectors support_;                // by prototype
  std::uint64_t examples_ = 0;
  std::uint64_t updates_ = 0;
  std::uint64_t maintenance_ = 0;
  double accepted_ = 0;
  double removed_ = 0;

  std::vector<double> values_;  // scratch, by output
  std::vector<double> coefficients_;
  std::vector<float> scores_;
  std::vector<double> new_counts_;
  std::vector<std::size_t> stale_;
};

}  // namespace kinglet
