// Records a training run along its stream.
#include "lab/stream_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kinglet {
namespace {

std::vector<float> dense(const Features& x, std::uint32_t dimension) {
  std::vector<float> out(std::max(dimension, x.extent()), 0);
  for (std::uint32_t k = 0; k < x.count; ++k) out[x.is_sparse() ? x.indices[k] : k] = x.values[k];
  return out;
}

}  // namespace

StreamRecord::StreamRecord(const Model& model, bool judges)
    : model_(model), judges_(judges), classes_of_(model), before_(model.progress().examples) {}

void StreamRecord::add(const LearnedPart& part) {
  const std::size_t rows = part.before.size();
  const auto truth = classes_of_(part.rows);
  if (rows == 0) return;
  if (part.timed_alone) note_time(part.seconds);
  const double seconds = part.seconds / static_cast<double>(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    StreamWindow& window = open_window();
    ++seen_;
    ++window.examples;
    window.end = before_ + seen_;
    if (!part.timed_alone) {
      ++window.batched;
      window.seconds += seconds;
    }
    if (judges_) judge_prediction(part, i, truth[i]);
    window.judged += std::exchange(judged_.examples, 0);
    window.loss += std::exchange(judged_.loss, 0);
    sample(part, i, truth[i]);
  }
  windows_.back().support_vectors = model_.stats().support_vectors;
}

StreamWindow& StreamRecord::open_window() {
  if (windows_.empty() || windows_.back().examples >= width_) {
    if (windows_.size() == kMostWindows) halve();
    windows_.push_back({.end = before_ + seen_});
  }
  return windows_.back();
}

// Joins neighbouring windows in pairs.
void StreamRecord::halve() {
  for (std::size_t i = 0; i < windows_.size() / 2; ++i) {
    StreamWindow& merged = windows_[i];
    const StreamWindow& first = windows_[2 * i];
    const StreamWindow& second = windows_[2 * i + 1];
    merged = {.end = second.end,
              .examples = first.examples + second.examples,
              .judged = first.judged + second.judged,
              .loss = first.loss + second.loss,
              .batched = first.batched + second.batched,
              .seconds = first.seconds + second.seconds,
              .support_vectors = second.support_vectors ? second.support_vectors : first.support_vectors};
  }
  windows_.resize(windows_.size() / 2);
  width_ *= 2;
}

void StreamRecord::judge_prediction(const LearnedPart& part, std::size_t row, ClassId truth) {
  const Prediction& prediction = part.before[row];
  if (model_.task() == TaskKind::regress) {
    const double error = static_cast<double>(part.rows.targets[row]) - static_cast<double>(prediction.score);
    judge(error * error, kNoClass, kNoClass);
  } else if (truth != kNoClass) {
    judge(prediction.label == truth ? 0 : 1, truth, prediction.label);
  }
}

void StreamRecord::judge(double loss, ClassId truth, ClassId predicted) {
  ++judged_.examples;
  judged_.loss += loss;
  if (truth != kNoClass) count(truth, predicted);
}

void StreamRecord::count(ClassId truth, ClassId predicted) {
  const std::size_t known = std::max<std::size_t>(model_.labels().size(), truth + 1);  // it may be the next class
  if (known > kMostClasses) {
    confusion_.clear();
    classes_ = 0;
    return;
  }
  if (known > classes_) {
    std::vector<std::uint64_t> wider(known * known, 0);
    for (std::size_t i = 0; i < classes_; ++i) {
      for (std::size_t j = 0; j < classes_; ++j) wider[i * known + j] = confusion_[i * classes_ + j];
    }
    confusion_ = std::move(wider);
    classes_ = known;
  }
  if (predicted != kNoClass) ++confusion_[truth * classes_ + predicted];
}

// Reservoir sampling: every example is in the sample with the same probability (Vitter's algorithm R).
void StreamRecord::sample(const LearnedPart& part, std::size_t row, ClassId truth) {
  const std::size_t most =
      std::clamp<std::size_t>(kMostSampledValues / std::max(1U, part.rows.dimension), 1, kMostSampled);
  std::uint64_t slot = sample_.rows.size();
  if (slot >= most) {
    slot = random_.below(seen_);
    if (slot >= most) return;
  } else {
    sample_.rows.emplace_back();
    sample_.classes.push_back(kNoClass);
    sample_.targets.push_back(0);
  }
  sample_.dimension = std::max(sample_.dimension, part.rows.dimension);
  sample_.rows[slot] = dense(part.rows.features()[row], part.rows.dimension);
  sample_.classes[slot] = truth;
  if (!part.rows.targets.empty()) sample_.targets[slot] = part.rows.targets[row];
}

void StreamRecord::note_time(double seconds) {
  ++timed_;
  if (times_.size() < kMostTimes) {
    times_.push_back(seconds);
    return;
  }
  const std::uint64_t slot = random_.below(timed_);
  if (slot < kMostTimes) times_[slot] = seconds;
}

}  // namespace kinglet
