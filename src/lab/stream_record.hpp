// Records a training run along its stream, for reports: errors, speed and support vectors in windows of equal length,
// the time of single examples, progressive predictions by class, and a sample of the examples. It uses a fixed amount
// of memory, however long the stream: if there are too many windows, they are joined in pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "kinglet/model.hpp"
#include "lab/training.hpp"

namespace kinglet {

struct StreamWindow {
  std::uint64_t end = 0;  // examples learned up to its end, including earlier runs
  std::uint64_t examples = 0;
  std::uint64_t judged = 0;   // examples with a known label
  double loss = 0;            // mistakes, or squared errors in regression
  std::uint64_t batched = 0;  // examples learned together with others, and the time this took
  double seconds = 0;
  std::optional<std::size_t> support_vectors;  // the last known number; unknown inside a batch
};

// A uniform sample of the examples, in dense form.
struct SampledExamples {
  std::uint32_t dimension = 0;
  std::vector<std::vector<float>> rows;
  std::vector<ClassId> classes;  // kNoClass: unknown
  std::vector<float> targets;    // in regression
};

class StreamRecord {
 public:
  static constexpr std::size_t kMostWindows = 128;
  static constexpr std::size_t kMostTimes = 1u << 16;
  static constexpr std::size_t kMostSampled = 1500;
  static constexpr std::size_t kMostSampledValues = 4u << 20;  // all features together
  static constexpr std::size_t kMostClasses = 64;

  // With `judges` false, judge() tells how good the predictions were: their labels come late.
  explicit StreamRecord(const Model& model, bool judges = true);

  void add(const LearnedPart& part);
  // Of a row of the next part. `loss` is 1 for a mistake, or the squared error in regression, which has no classes.
  void judge(double loss, ClassId truth, ClassId predicted);

  std::span<const StreamWindow> windows() const { return windows_; }  // the last may be shorter
  std::uint64_t examples_before() const { return before_; }           // learned before this run
  // The times, in seconds, of examples that were learned one by one.
  std::span<const double> learning_times() const { return times_; }
  const SampledExamples& sample() const { return sample_; }
  // classes² counts of progressive predictions; row: the true class. Empty if there are no classes or too many.
  std::span<const std::uint64_t> confusion() const { return confusion_; }
  std::size_t classes() const { return classes_; }

 private:
  void judge_prediction(const LearnedPart& part, std::size_t row, ClassId truth);
  StreamWindow& open_window();
  void halve();
  void count(ClassId truth, ClassId predicted);
  void sample(const LearnedPart& part, std::size_t row, ClassId truth);
  void note_time(double seconds);

  const Model& model_;
  bool judges_;
  Judged judged_;  // of the next part
  Model::LabelMap classes_of_;
  Random random_;
  std::uint64_t before_;
  std::uint64_t seen_ = 0;
  std::uint64_t width_ = 16;  // length of a window
  std::vector<StreamWindow> windows_;
  std::vector<double> times_;
  std::uint64_t timed_ = 0;
  std::size_t classes_ = 0;
  std::vector<std::uint64_t> confusion_;
  SampledExamples sample_;
};

}  // namespace kinglet
