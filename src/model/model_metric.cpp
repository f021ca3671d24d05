// The learned metric (option `metric`): when the features get new weights, and what the weights say about them.
#include <limits>
#include <numeric>

#include "core/compose.hpp"
#include "kinglet/error.hpp"
#include "model/model_state.hpp"

namespace kinglet {

std::uint64_t Model::State::rows_to_new_metric() const {
  const FeatureMetric* metric = scaler->metric();
  return metric == nullptr || shared ? std::numeric_limits<std::uint64_t>::max() : metric->due() - progress.examples;
}

void Model::State::learn_metric() {
  if (rows_to_new_metric() > 0) return;
  const std::span<const double> gradients = learner->gradient_squares();
  const std::span<const float> ratios = scaler->learn_metric(gradients, learner->gradient_count());
  if (gradients.empty()) return;
  learner->rescale_features(ratios);
  query.candidate().scaled.rescale(ratios);
}

bool Model::has_feature_importances() const { return has_learned() && state_->scaler->metric() != nullptr; }

std::vector<double> Model::feature_importances() const {
  if (!has_feature_importances()) {
    throw Error(has_learned()
                    ? compose("the model has no importances of features: train it with {}", option("metric", "learned"))
                    : Message("the model has learned nothing yet"));
  }
  const std::span<const float> weights = state_->scaler->metric()->weights();
  std::vector<double> importances(weights.begin(), weights.end());
  const std::span<const float> factors = state_->learner->feature_factors();
  for (std::size_t k = 0; k < importances.size(); ++k) {
    if (!factors.empty()) importances[k] *= static_cast<double>(factors[k]);
    importances[k] *= importances[k];
    if (state_->scaler->factor()[k] == 0) importances[k] = 0;  // constant so far
  }
  const double sum = std::accumulate(importances.begin(), importances.end(), 0.0);
  for (double& importance : importances) importance /= sum > 0 ? sum : 1;
  return importances;
}

}  // namespace kinglet
