#include "model/class_weights.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kinglet {

ClassWeights::ClassWeights(std::string_view option)
    : balanced_(option == kBalancedClasses), given_(parse_class_weights(option)) {}

void ClassWeights::grow(std::span<const std::string> labels) {
  if (balanced_) counts_.resize(labels.size());
  if (given_.empty()) return;
  weights_.resize(labels.size(), 1);
  for (const ClassWeight& item : given_) {
    for (std::size_t c = 0; c < labels.size(); ++c) {
      if (same_label(labels[c], item.label)) weights_[c] = item.weight;
    }
  }
}

float ClassWeights::next(ClassId label) {
  if (balanced_) {
    classes_ += counts_[label] == 0 ? 1 : 0;
    ++counts_[label];
    ++total_;
  }
  return weight(label);
}

float ClassWeights::weight(ClassId label) const {
  if (!balanced_) return given_.empty() ? 1 : weights_[label];
  return static_cast<float>(static_cast<double>(total_) /
                            (static_cast<double>(classes_) * static_cast<double>(counts_[label])));
}

void ClassWeights::set_counts(std::vector<std::uint64_t> counts) {
  counts_ = std::move(counts);
  total_ = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  classes_ = counts_.size() - static_cast<std::uint64_t>(std::ranges::count(counts_, 0u));
}

}  // namespace kinglet
