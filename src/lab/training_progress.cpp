// Lines and points: when they are due, and their errors.
#include "lab/training_progress.hpp"

#include <algorithm>
#include <cmath>

namespace kinglet {
namespace {

constexpr std::uint64_t kFirstLine = 128;
constexpr std::uint64_t kFirstPoint = 10;

// The smallest first · 2^k above `count`.
std::uint64_t doubling_after(std::uint64_t first, std::uint64_t count) {
  std::uint64_t next = first;
  while (next <= count) next *= 2;
  return next;
}

std::uint64_t line_after(std::uint64_t examples) { return doubling_after(kFirstLine, examples); }

}  // namespace

TrainingProgress::TrainingProgress(const Model& model, const TrainingPlan& plan, const TrainingEvents& events,
                                   bool asks)
    : model_(model),
      plan_(plan),
      events_(events),
      asks_(asks),
      line_examples_(examples()),
      line_judged_(judged()),
      line_loss_(loss()),
      next_point_(doubling_after(kFirstPoint, labels())),
      point_judged_(line_judged_),
      point_loss_(line_loss_) {}

std::uint64_t TrainingProgress::rows_to_line() const { return line_after(examples()) - examples(); }

bool TrainingProgress::line_is_due() const { return line_after(line_examples_) <= examples() || line_is_late(); }

void TrainingProgress::tell(std::uint64_t at, std::uint64_t judged, double loss, bool exact) {
  ProgressLine line;
  line.examples = at;
  line.error_since = error_of(loss - line_loss_, judged - line_judged_);
  line.error_so_far = error_of(loss, judged);
  if (exact) {
    line.labels = labels();
    line.support_vectors = model_.stats().support_vectors;
    line.examples_per_second = static_cast<double>(at - line_examples_) / std::max(seconds_since_line(), 1e-9);
    line_time_ = std::chrono::steady_clock::now();
  }
  line_examples_ = at;
  line_judged_ = judged;
  line_loss_ = loss;
  if (events_.line) events_.line(line);
}

void TrainingProgress::tell_inside(const Batch& batch, const std::vector<Prediction>& before) {
  if (plan_.oracle || events_.judged) return;  // labels that were not asked for are unknown
  Model::LabelMap classes_of(model_);
  const auto truth = classes_of(batch);
  double sum = 0;
  std::uint64_t judged = 0;
  for (std::size_t i = 0; i + 1 < before.size(); ++i) {
    const bool is_judged = !asks_ || batch.labels[i] != kNoLabel;
    judged += is_judged;
    if (regresses()) {
      const double error = static_cast<double>(batch.targets[i]) - static_cast<double>(before[i].score);
      sum += error * error;
    } else {
      sum += is_judged && before[i].label != truth[i] ? 1 : 0;
    }
    if (line_after(i) == i + 1) tell(i + 1, judged, sum, false);
  }
}

void TrainingProgress::note_point() {
  CurvePoint point{.labels = labels(), .examples = examples()};
  point.error_since = error_of(loss() - point_loss_, judged() - point_judged_);
  curve_.push_back(point);
  next_point_ = doubling_after(kFirstPoint, labels());
  point_judged_ = judged();
  point_loss_ = loss();
}

double TrainingProgress::loss() const {
  if (events_.judged) return events_.judged().loss;
  return regresses() ? model_.progress().squared_error : static_cast<double>(model_.progress().mistakes);
}

double TrainingProgress::error_of(double loss, std::uint64_t judged) const {
  const double mean = loss / static_cast<double>(judged);  // NaN if there are none
  return regresses() ? std::sqrt(mean) : mean;
}

double TrainingProgress::seconds_since_line() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - line_time_).count();
}

}  // namespace kinglet
