// The tasks: how scores become a prediction, how well an example is fitted (its margin), and the direction u of a step
// over the outputs. Update rules see only margins and lengths (rules/update_rule.hpp), so each of them works for every
// task.
//
//   task                   margin                         u              outputs
//   two classes            y f(x)                         y              1: f(x) ≥ 0 means class 1
//   more classes           f_y(x) − max_{r≠y} f_r(x)      e_y − e_r      1 per class (Crammer, Singer: JMLR 2, 2001)
//   regression             1 + ε − |y − f(x)|             sign(y − f)    1
//   novelty                f(x)                           1              1: f(x) ≥ ρ means normal, ρ the ν-quantile
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/learner.hpp"
#include "core/state.hpp"

namespace kinglet {

// An example as the rules see it: its margin under a task, and the direction u of a step.
struct TaskMargin {
  double margin = 0;
  double sign = 1;    // one output: u
  ClassId label = 1;  // more outputs: u = e_label − e_rival
  ClassId rival = 0;
};

// Defaults shared by the tasks: no state is updated by an example.
struct Task {
  void note(std::span<const float>) const {}
};

struct TwoClasses : Task {
  static constexpr bool kOneOutput = true;
  static constexpr double kLength = 1;  // ‖u‖²

  std::uint32_t classes = 2;  // 1 before the second class appears

  Prediction decide(std::span<const float> scores) const { return decision(scores, classes); }
  // No branches on the label or the score, which the processor cannot predict.
  TaskMargin margin(std::span<const float> scores, const Targets& targets, std::size_t i) const {
    const ClassId label = targets.classes[i];
    const double sign = 2.0 * static_cast<double>(label) - 1;
    return {sign * static_cast<double>(scores[0]), sign, label, 1 - label};
  }
};

struct ManyClasses : Task {
  static constexpr bool kOneOutput = false;
  static constexpr double kLength = 2;

  std::uint32_t classes = 0;

  Prediction decide(std::span<const float> scores) const { return decision(scores, classes); }
  TaskMargin margin(std::span<const float> scores, const Targets& targets, std::size_t i) const {
    const ClassId label = targets.classes[i];
    ClassId rival = label == 0 ? 1 : 0;
    for (ClassId c = 0; c < scores.size(); ++c) {
      if (c != label && scores[c] > scores[rival]) rival = c;
    }
    return {static_cast<double>(scores[label]) - static_cast<double>(scores[rival]), 1, label, rival};
  }
};

struct Regression : Task {
  static constexpr bool kOneOutput = true;
  static constexpr double kLength = 1;

  double epsilon = 0;

  Prediction decide(std::span<const float> scores) const { return {kNoClass, scores[0]}; }
  TaskMargin margin(std::span<const float> scores, const Targets& targets, std::size_t i) const {
    const double residual = static_cast<double>(targets.numbers[i]) - static_cast<double>(scores[0]);
    return {1 + epsilon - std::abs(residual), residual < 0 ? -1.0 : 1.0};
  }
};

// Tracks the ν-quantile of a stream of scores, which may drift: steps of η_t = max(1/√t, 1e-3) towards it, in units of
// the mean absolute score.
class Threshold {
 public:
  explicit Threshold(double nu = 0) : nu_(nu) {}
  double value() const { return value_; }
  void take_in(double score) {
    const auto t = static_cast<double>(++count_);
    size_ += std::max(1 / t, 1e-3) * (std::abs(score) - size_);
    value_ += std::max(1 / std::sqrt(t), 1e-3) * size_ * (nu_ - (score < value_ ? 1 : 0));
  }
  void save(StateWriter& out) const {
    out.put(value_);
    out.put(size_);
    out.put(count_);
  }
  void load(StateReader& in) {
    value_ = in.get<double>();
    size_ = in.get<double>();
    StateReader::require(std::isfinite(value_) && std::isfinite(size_), "a threshold that is not a number");
    count_ = in.get<std::uint64_t>();
  }

 private:
  double nu_;
  double value_ = 0;
  double size_ = 0;
  std::uint64_t count_ = 0;
};

struct Novelty {
  static constexpr bool kOneOutput = true;
  static constexpr double kLength = 1;

  Threshold* threshold = nullptr;

  // Class 1 is normal, class 0 novel; the score is the distance from the threshold.
  Prediction decide(std::span<const float> scores) const {
    const float above = scores[0] - static_cast<float>(threshold->value());
    return {above >= 0 ? 1U : 0U, above};
  }
  TaskMargin margin(std::span<const float> scores, const Targets&, std::size_t) const {
    return {static_cast<double>(scores[0])};
  }
  void note(std::span<const float> scores) const { threshold->take_in(static_cast<double>(scores[0])); }
};

}  // namespace kinglet
