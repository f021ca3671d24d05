// Probabilities from scores, learned along the stream.
//
//   P(c | x) = exp(a f_c(x)) / Σ_r exp(a f_r(x)),   a = exp(θ_ŷ)/m > 0, ŷ the class that is predicted
//
// (two classes: f_1 − f_0 = f). A positive slope leaves the order of the scores as it is, so the label is the most
// probable class by construction. Each class has a slope of its own, used where it is predicted, because a prediction of
// a rare class deserves less trust than the same score for a common one. m is the running geometric mean of the lead
// f_ŷ − f_second over all rows: scores that grow or shrink as the learner goes on take all slopes with them, whatever
// their unit.
//
// θ follows the logistic loss by a Newton step for each example, on the scores that it had before it was learned. With
// u_c = a (f_c − f_ŷ) ≤ 0 and targets t that are smoothed as Platt's, 1 − 1/(n + 2) instead of 1,
//
//   g = Σ_c (p_c − t_c) u_c        h = Σ_c p_c u_c² − (Σ_c p_c u_c)²        H ← ρ H + w (h + g²)/2        θ ← θ − w g/H
//
// where ρ = 1 − max(2/n, 1e-4) for the n-th example that the slope sees: what was learned while the learner was young, or
// before a drift, fades. (h and g² have the same mean where probabilities are right; g² keeps steps short where they are
// not.) What smoothing takes from the true class goes to the next best, or to the predicted one where that was wrong.
// A class that is predicted for the first time starts from the mean of the other slopes. Weights w count in units of
// their mean.
//
// Platt: Probabilistic Outputs for Support Vector Machines, Advances in Large Margin Classifiers (1999). Lin, Lin, Weng:
// A Note on Platt's Probabilistic Outputs, Machine Learning 68 (2007). Guo, Pleiss, Sun, Weinberger: On Calibration of
// Modern Neural Networks, ICML (2017), for one slope and more than two classes.
#pragma once

#include <span>
#include <vector>

#include "core/state.hpp"
#include "kinglet/example.hpp"
#include "kinglet/reliability.hpp"

namespace kinglet {

class Calibration {
 public:
  // Takes in one example: its scores before it was learned, the class that they predict and the true one.
  void learn(std::span<const float> scores, ClassId predicted, ClassId truth, double weight);
  // Takes note of the lead alone, of an example that was learned before: the scores of a learner that goes over its
  // examples again grow or shrink as well.
  void follow(std::span<const float> scores, ClassId predicted);
  // Of all classes, out.size() of them; `predicted` is the class that the scores predict.
  void probabilities(std::span<const float> scores, ClassId predicted, std::span<float> out) const;

  void grow(std::uint32_t classes);  // room for them
  const Reliability& reliability() const { return reliability_; }

  void save(StateWriter& out) const;
  void load(StateReader& in);  // for as many classes as it has room for

 private:
  struct Slope {
    double theta = 0;      // its logarithm, where leads have the size 1
    double curvature = 0;  // H
    std::uint64_t examples = 0;
    double right = 0;  // predictions that were, and those that were not; both fade
    double wrong = 0;
  };

  double theta_of(ClassId predicted) const;
  double mean_theta() const;
  double factor_of(ClassId predicted) const;  // a
  void follow_lead(double lead);

  std::vector<Slope> slopes_;  // by predicted class
  double log_lead_ = 0;        // log m
  double mean_weight_ = 0;
  std::uint64_t leads_ = 0;    // rows that these two are made of
  std::uint64_t weights_ = 0;  // likewise
  Reliability reliability_;
  std::vector<float> row_;  // probabilities of one example
};

}  // namespace kinglet
