#include "learn/metric.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"

namespace kinglet {

bool learns_metric(const Options& options) { return options.has("metric") && options.text("metric") == "learned"; }

std::span<const float> FeatureMetric::learn(std::span<const double> gradient_squares, double count) {
  due_ += due_ / 2;
  std::ranges::fill(ratios_, 1.0F);
  if (gradient_squares.empty()) return ratios_;
  KINGLET_ASSERT(gradient_squares.size() == weights_.size());
  // The gradients are with respect to the weighted features: ∂f/∂x_k = w_k ∂f/∂(w_k x_k).
  const auto steepness = [&](std::size_t k) {
    return static_cast<double>(weights_[k]) * std::sqrt(gradient_squares[k]);
  };
  double sum = 0;
  std::size_t varied = 0;
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    sum += steepness(k);
    varied += steepness(k) > 0;
  }
  if (!(sum > 0 && std::isfinite(sum))) return ratios_;
  KINGLET_ASSERT(count > 0);
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    if (!(steepness(k) > 0)) continue;
    const double square = steepness(k) / sum * static_cast<double>(varied);
    const auto weight = static_cast<float>(std::sqrt((count * square + kPrior) / (count + kPrior)));
    ratios_[k] = weight / weights_[k];
    weights_[k] = weight;
  }
  return ratios_;
}

void FeatureMetric::save(StateWriter& out) const {
  out.put_array(weights_);
  out.put(due_);
}

void FeatureMetric::load(StateReader& in) {
  weights_ = in.get_array<float>();
  const auto possible = [](float w) { return w > 0 && std::isfinite(w * w) && std::isfinite(1 / (w * w)); };
  StateReader::require(std::ranges::all_of(weights_, possible), "a weight of a feature");
  due_ = in.get<std::uint64_t>();
  StateReader::require(due_ >= kFirst && due_ < std::uint64_t{1} << 62, "when the metric changes");
  ratios_.assign(weights_.size(), 1.0F);
}

}  // namespace kinglet
