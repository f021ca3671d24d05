// Converts scores to probabilities; calibrated along the stream.
//
//   P(c | x) = exp(a f_c(x)) / Σ_r exp(a f_r(x)),   a = exp(θ_ŷ)/m > 0, ŷ the predicted class
//
// (two classes: f_1 − f_0 = f). A positive slope a keeps the order of the scores, so the predicted class is always the
// most probable one. Each class has its own slope, used when it is predicted, because the prediction of a rare class is
// less reliable than the same score for a common class. m is the running geometric mean of the lead f_ŷ − f_second over
// all rows, so that all slopes adapt when scores grow or shrink during learning.
//
// θ is updated by one Newton step on the logistic loss per example, with the scores from before it was learned. With
// u_c = a (f_c − f_ŷ) ≤ 0 and targets t smoothed as in Platt's method, 1 − 1/(n + 2) instead of 1,
//
//   g = Σ_c (p_c − t_c) u_c        h = Σ_c p_c u_c² − (Σ_c p_c u_c)²        H ← ρ H + w (h + g²)/2        θ ← θ − w g/H
//
// where ρ = 1 − max(2/n, 1e-4) for the n-th example of the slope, so that examples from the beginning, or from before a
// drift, are forgotten. (If the probabilities are right, h and g² have the same mean; if not, g² keeps the steps
// short.) The probability that smoothing takes from the true class goes to the second best class, or to the predicted
// one if it was wrong. A class that is predicted for the first time starts with the mean of the other slopes. Weights w
// are divided by their mean.
//
// Platt: Probabilistic Outputs for Support Vector Machines, Advances in Large Margin Classifiers (1999). Lin, Lin,
// Weng: A Note on Platt's Probabilistic Outputs, Machine Learning 68 (2007). Guo, Pleiss, Sun, Weinberger: On
// Calibration of Modern Neural Networks, ICML (2017), for one slope and more than two classes.
#pragma once

#include <span>
#include <vector>

#include "core/state.hpp"
#include "kinglet/example.hpp"
#include "kinglet/reliability.hpp"

namespace kinglet {

class Calibration {
 public:
  // Learns from one example: its scores before it was learned, the predicted class and the true class.
  void learn(std::span<const float> scores, ClassId predicted, ClassId truth, double weight);
  // Adds what another one has learned from other examples; its class c is class classes[c] here. Slopes are weighed by
  // how well they are known.
  void add(const Calibration& other, std::span<const ClassId> classes);
  // Only updates the mean lead, for an example that was learned before, as scores also change in later passes.
  // Probabilities are from now on those of `other`, for another function. What is known about their quality stays.
  void take_slopes(const Calibration& other);
  void update_mean_lead(std::span<const float> scores, ClassId predicted);
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
  void add_lead(double lead);                 // to the mean m

  std::vector<Slope> slopes_;  // by predicted class
  double log_lead_ = 0;        // log m
  double mean_weight_ = 0;
  std::uint64_t leads_ = 0;    // rows that these two are made of
  std::uint64_t weights_ = 0;  // likewise
  Reliability reliability_;
  std::vector<float> row_;  // probabilities of one example
};

}  // namespace kinglet
