// What a training run tells of its progress: lines of progressive validation, and the points of the curve of accuracy
// against labels. Both have the error since the last one, so this keeps what was judged up to there.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "lab/training.hpp"

namespace kinglet {

class TrainingProgress {
 public:
  // `asks`: rows may come without labels. What the model has learned so far belongs to earlier runs.
  TrainingProgress(const Model& model, const TrainingPlan& plan, const TrainingEvents& events, bool asks);

  // Lines: at 128, 256, 512, … examples, by time, and at the end.
  void begin(std::chrono::steady_clock::time_point now) { line_time_ = now; }
  std::uint64_t rows_to_line() const;
  bool has_news() const { return examples() > line_examples_; }  // since the last line
  bool line_is_late() const { return has_news() && seconds_since_line() >= plan_.line_seconds; }
  bool line_is_due() const;
  void tell() { tell(examples(), judged(), loss(), true); }
  // The lines inside the first batch, from its progressive predictions.
  void tell_inside(const Batch& batch, const std::vector<Prediction>& before);

  // The curve: its next point is due at so many labels.
  bool point_is_due() const { return labels() >= next_point_; }
  void note_point();
  std::vector<CurvePoint>& curve() { return curve_; }

 private:
  void tell(std::uint64_t at, std::uint64_t judged, double loss, bool exact);
  double error_of(double loss, std::uint64_t judged) const;
  double loss() const;  // the sum from which errors are computed: mistakes, or squared errors
  std::uint64_t judged() const { return events_.judged ? events_.judged().examples : model_.progress().judged(); }
  std::uint64_t examples() const { return model_.progress().examples; }
  std::uint64_t labels() const { return model_.progress().labels; }
  bool regresses() const { return model_.task() == TaskKind::regress; }
  double seconds_since_line() const;

  const Model& model_;
  const TrainingPlan& plan_;
  const TrainingEvents& events_;
  bool asks_;

  std::uint64_t line_examples_;  // number of examples at the last line
  std::uint64_t line_judged_;
  double line_loss_;
  std::chrono::steady_clock::time_point line_time_;
  std::vector<CurvePoint> curve_;
  std::uint64_t next_point_;    // number of labels at the next point of the curve
  std::uint64_t point_judged_;  // number of judged examples at the last point
  double point_loss_;
};

}  // namespace kinglet
