#include "lab/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kinglet {

void Ranking::add(std::span<const float> scores, ClassId truth) {
  if (dropped_) return;
  if (scores_.size() + scores.size() > most_) {
    dropped_ = true;
    scores_ = {};
    truth_ = {};
    return;
  }
  has_nan_ |= std::ranges::any_of(scores, [](float score) { return std::isnan(score); });
  width_ = scores.size();
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  truth_.push_back(truth);
}

double Ranking::auc() const {
  if (has_nan_) return std::numeric_limits<double>::quiet_NaN();  // such scores have no order
  if (classes_ == 2) return auc_of(1, width_ - 1);
  double sum = 0;
  std::size_t occurring = 0;
  for (ClassId label = 0; label < classes_; ++label) {
    if (std::ranges::find(truth_, label) == truth_.end()) continue;
    sum += auc_of(label, width_ == 1 ? 0 : label);
    ++occurring;
  }
  return occurring == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(occurring);
}

// Goes through the scores from the lowest up. NaN if all examples are of the class, or none.
double Ranking::auc_of(ClassId positive, std::size_t output) const {
  std::vector<std::pair<float, bool>> ranked;
  ranked.reserve(truth_.size());
  for (std::size_t i = 0; i < truth_.size(); ++i) {
    ranked.emplace_back(scores_[i * width_ + output], truth_[i] == positive);
  }
  std::ranges::sort(ranked, {}, &std::pair<float, bool>::first);
  double below = 0;  // examples of other classes with a lower score
  double positives = 0;
  double wins = 0;
  for (std::size_t begin = 0; begin < ranked.size();) {
    double equal[2] = {0, 0};  // examples with this score: of other classes, and of the class
    std::size_t end = begin;
    for (; end < ranked.size() && ranked[end].first == ranked[begin].first; ++end) ++equal[ranked[end].second ? 1 : 0];
    wins += equal[1] * (below + equal[0] / 2);
    below += equal[0];
    positives += equal[1];
    begin = end;
  }
  const double pairs = below * positives;
  return pairs == 0 ? std::numeric_limits<double>::quiet_NaN() : wins / pairs;
}

}  // namespace kinglet
