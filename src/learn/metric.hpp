// A metric that learns which features matter: feature k is multiplied by a weight w_k that follows the stream. f
// changes fast along a feature that matters, so
//
//   ŵ_k² ∝ √(mean of (∂f/∂x_k)²)          x before it is weighted; the mean of ŵ² over the features is 1
//   w_k² = (n ŵ_k² + 30) / (n + 30)        n gradients; while they are few, the weights stay near 1
//
// over the examples that were learned from (learn/gradient_squares.hpp). The weights change at 300, 450, 675, …
// examples; the sums are halved then, so that old gradients fade. The learner multiplies its vectors by the ratios of
// new and old weights: nothing that it has learned is lost. w² is the importance of a feature.
//
// This is the diagonal of the average gradient outer product of Recursive Feature Machines (Radhakrishnan, Beaglehole,
// Pandit, Belkin: Mechanism for feature learning in neural networks and backpropagation-free machine learning models,
// Science 383, 2024), along a stream. The square root was best or equal in trials: without it the metric overdoes it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/state.hpp"
#include "kinglet/options.hpp"

namespace kinglet {

bool learns_metric(const Options& options);  // complete ones

class FeatureMetric {
 public:
  static constexpr std::uint64_t kFirst = 300;
  static constexpr double kPrior = 30;  // as many gradients say that all features matter alike

  explicit FeatureMetric(std::uint32_t dimension) : weights_(dimension, 1.0F), ratios_(dimension, 1.0F) {}

  std::span<const float> weights() const { return weights_; }
  // The number of examples at which the weights change next.
  std::uint64_t due() const { return due_; }

  // New weights from Learner::gradient_squares() and their count; if they are empty, the weights stay. A feature
  // without a gradient has not varied yet: its weight stays 1, and it does not count for the mean. Returns new weight /
  // old weight.
  std::span<const float> learn(std::span<const double> gradient_squares, double count);

  void resize(std::uint32_t dimension) {
    weights_.resize(dimension, 1.0F);
    ratios_.resize(dimension, 1.0F);
  }
  void save(StateWriter& out) const;
  void load(StateReader& in);  // the dimension becomes the saved one

 private:
  std::vector<float> weights_;
  std::vector<float> ratios_;  // of the last change; not saved
  std::uint64_t due_ = kFirst;
};

}  // namespace kinglet
