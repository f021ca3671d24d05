#include "solver/crammer_singer.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace kinglet {
namespace {

class MultiClassProblem {
 public:
  MultiClassProblem(ExampleStore& store, std::span<const ClassId> labels, std::span<const double> boxes,
                    std::size_t classes)
      : store_(store),
        labels_(labels),
        boxes_(boxes),
        classes_(classes),
        tau_(labels.size() * classes, 0.0),
        gradient_(tau_.size(), 0.0),
        linear_(classes),
        next_(classes) {
    for (std::size_t i = 0; i < labels.size(); ++i) gradient(i, labels[i]) = -1;
  }

  std::vector<double> solve(double tolerance) {
    double largest = 1;  // τ = 0: every example has ψ = 1
    while (largest > tolerance) largest = pass(std::max(tolerance, kShare * largest));
    return std::move(tau_);
  }

 private:
  // Examples with a smaller share of the largest ψ wait for a later pass.
  static constexpr double kShare = 0.1;

  double& gradient(std::size_t i, std::size_t r) { return gradient_[r * labels_.size() + i]; }

  // Optimises every example with ψ above the limit; returns the largest ψ that it met.
  double pass(double limit) {
    double largest = 0;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const double here = violation(i);
      largest = std::max(largest, here);
      if (here > limit) optimise(i);
    }
    return largest;
  }
  // An example with k(x, x) = 0 has no effect on f.
  double violation(std::size_t i) {
    const double* tau = &tau_[i * classes_];
    double highest = -std::numeric_limits<double>::infinity();
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < classes_; ++r) {
      const double g = gradient(i, r);
      highest = std::max(highest, g);
      if (tau[r] < (r == labels_[i] ? boxes_[i] : 0)) lowest = std::min(lowest, g);
    }
    return store_.self_kernel(i) > 0 ? highest - lowest : 0;
  }
  void optimise(std::size_t i) {
    const double own = store_.self_kernel(i);
    const std::span<double> tau(&tau_[i * classes_], classes_);
    for (std::size_t r = 0; r < classes_; ++r) linear_[r] = gradient(i, r) - own * tau[r];
    solve_one_example(own, linear_, labels_[i], boxes_[i], next_);
    const float* row = store_.row(i);
    for (std::size_t r = 0; r < classes_; ++r) {
      const double step = next_[r] - tau[r];
      tau[r] = next_[r];
      if (step == 0) continue;
      double* gradients = &gradient(0, r);
      for (std::size_t j = 0; j < labels_.size(); ++j) gradients[j] += step * static_cast<double>(row[j]);
    }
  }

  ExampleStore& store_;
  std::span<const ClassId> labels_;
  std::span<const double> boxes_;
  std::size_t classes_;
  std::vector<double> tau_;
  std::vector<double> gradient_;  // g_ir, class after class
  std::vector<double> linear_;    // scratch, by class
  std::vector<double> next_;
};

}  // namespace

// With D_r = linear_r/own + box δ_{r,label} in decreasing order, θ = (Σ_{s≤k} D_(s) − box)/k at the first k with
// D_(k+1) ≤ θ, and τ_r = min(θ − D_r, 0) + box δ_{r,label}.
void solve_one_example(double own, std::span<const double> linear, std::size_t label, double box,
                       std::span<double> tau) {
  const std::size_t classes = linear.size();
  for (std::size_t r = 0; r < classes; ++r) tau[r] = linear[r] / own + (r == label ? box : 0);
  std::vector<double> sorted(tau.begin(), tau.end());
  std::ranges::sort(sorted, std::greater<>());
  double sum = 0;
  double theta = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    sum += sorted[k];
    theta = (sum - box) / static_cast<double>(k + 1);
    if (k + 1 < classes && sorted[k + 1] <= theta) break;
  }
  for (std::size_t r = 0; r < classes; ++r) tau[r] = std::min(theta - tau[r], 0.0) + (r == label ? box : 0);
}

std::vector<double> solve_crammer_singer(ExampleStore& store, std::span<const ClassId> labels,
                                         std::span<const double> boxes, std::size_t classes, double tolerance) {
  return MultiClassProblem(store, labels, boxes, classes).solve(tolerance);
}

}  // namespace kinglet
