#include "lab/stream_metrics.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace kinglet {

std::optional<double> StreamMetrics::share(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(all);
}

std::optional<double> StreamMetrics::OfClass::recall() const { return share(correct, examples); }
std::optional<double> StreamMetrics::OfClass::precision() const { return share(correct, predictions); }

void StreamMetrics::add(ClassId truth, ClassId predicted) {
  KINGLET_ASSERT(truth != kNoClass);
  const std::size_t highest = predicted == kNoClass ? truth : std::max(truth, predicted);
  if (classes_.size() <= highest) classes_.resize(highest + 1);
  const bool is_right = truth == predicted;
  majority_correct_ += truth == most_frequent_ ? 1 : 0;
  repetition_correct_ += truth == last_ ? 1 : 0;
  correct_ += is_right ? 1 : 0;
  ++classes_[truth].examples;
  if (predicted != kNoClass) ++classes_[predicted].predictions;
  if (is_right) ++classes_[truth].correct;
  unknown_.push_back(truth);
  if (unknown_.size() > delay_) {
    learn(unknown_.front());
    unknown_.pop_front();
  }
  if (recent_.size() < kRecent) {
    recent_.push_back(is_right);
  } else {
    const std::size_t at = examples_ % kRecent;
    recent_correct_ -= recent_[at] ? 1 : 0;
    recent_[at] = is_right;
  }
  recent_correct_ += is_right ? 1 : 0;
  fading_correct_ = kFading * fading_correct_ + (is_right ? 1 : 0);
  fading_examples_ = kFading * fading_examples_ + 1;
  ++examples_;
}

// For the comparisons.
void StreamMetrics::learn(ClassId label) {
  if (known_.size() <= label) known_.resize(label + 1);
  ++known_[label];
  if (most_frequent_ == kNoClass || known_[label] > known_[most_frequent_]) most_frequent_ = label;
  last_ = label;
}

std::optional<double> StreamMetrics::recent_accuracy() const { return share(recent_correct_, recent_.size()); }

std::optional<double> StreamMetrics::fading_accuracy() const {
  if (examples_ == 0) return std::nullopt;
  return fading_correct_ / fading_examples_;
}

std::optional<double> StreamMetrics::kappa(std::optional<double> by_chance) const {
  if (!by_chance || *by_chance >= 1) return std::nullopt;
  return (*accuracy() - *by_chance) / (1 - *by_chance);
}

std::optional<double> StreamMetrics::kappa() const {
  if (examples_ == 0) return std::nullopt;
  double by_chance = 0;
  for (const OfClass& each : classes_) {
    by_chance += static_cast<double>(each.examples) * static_cast<double>(each.predictions);
  }
  return kappa(by_chance / (static_cast<double>(examples_) * static_cast<double>(examples_)));
}

StreamJudge::StreamJudge(const Model& model, std::uint64_t delay, DelayedLabels* arrivals)
    : model_(model), arrivals_(arrivals), classes_of_(model), metrics_(delay) {}

void StreamJudge::add(const LearnedPart& part) {
  const auto truth = classes_of_(part.rows);
  for (std::size_t i = 0; i < part.before.size(); ++i) {
    const std::optional<Prediction> prediction = arrivals_ != nullptr ? arrivals_->take() : part.before[i];
    if (!prediction) continue;
    if (model_.task() == TaskKind::regress) {
      const double error = static_cast<double>(part.rows.targets[i]) - static_cast<double>(prediction->score);
      judge(error * error, kNoClass, kNoClass);
    } else if (truth[i] != kNoClass) {
      add(*prediction, truth[i]);
    }
  }
}

void StreamJudge::add(const Prediction& prediction, const std::string& label) {
  const auto labels = model_.labels();
  // A new label becomes the next class.
  add(prediction, static_cast<ClassId>(std::find(labels.begin(), labels.end(), label) - labels.begin()));
}

void StreamJudge::add(const Prediction& prediction, ClassId label) {
  metrics_.add(label, prediction.label);
  judge(prediction.label == label ? 0 : 1, label, prediction.label);
}

void StreamJudge::judge(double loss, ClassId truth, ClassId predicted) {
  judged_.loss += loss;
  ++judged_.examples;
  if (tell_) tell_(loss, truth, predicted);
}

}  // namespace kinglet
