// What a run was like along its stream, for people to look at: errors, speed and support vectors in windows of equal
// length, the time single examples took, progressive predictions by class, and some of the examples. All of it fits a
// fixed memory, however long the stream: when there are too many windows, two become one.
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
  std::uint64_t end = 0;  // examples learned up to its end, earlier runs included
  std::uint64_t examples = 0;
  std::uint64_t judged = 0;   // those of which a label is known
  double loss = 0;            // mistakes, or squared errors for regression
  std::uint64_t batched = 0;  // those that were learned together with others, and the time that took
  double seconds = 0;
  std::optional<std::size_t> support_vectors;  // where they were known last; not known inside a batch
};

// Examples that were drawn from all alike, in dense form.
struct SampledExamples {
  std::uint32_t dimension = 0;
  std::vector<std::vector<float>> rows;
  std::vector<ClassId> classes;  // kNoClass: not known
  std::vector<float> targets;    // of regression
};

class StreamRecord {
 public:
  static constexpr std::size_t kMostWindows = 128;
  static constexpr std::size_t kMostTimes = 1u << 16;
  static constexpr std::size_t kMostSampled = 1500;
  static constexpr std::size_t kMostSampledValues = 4u << 20;  // of all features together
  static constexpr std::size_t kMostClasses = 64;

  explicit StreamRecord(const Model& model);

  void add(const LearnedPart& part);

  std::span<const StreamWindow> windows() const { return windows_; }  // the last may be shorter
  std::uint64_t examples_before() const { return before_; }           // learned before this run
  // Of examples that were learned one by one, in seconds.
  std::span<const double> learning_times() const { return times_; }
  const SampledExamples& sample() const { return sample_; }
  // classes² counts of progressive predictions, row: the true class; empty where there are too many classes or none.
  std::span<const std::uint64_t> confusion() const { return confusion_; }
  std::size_t classes() const { return classes_; }

 private:
  void judge(const LearnedPart& part, std::size_t row, ClassId truth);
  StreamWindow& open_window();
  void halve();
  void count(ClassId truth, ClassId predicted);
  void sample(const LearnedPart& part, std::size_t row, ClassId truth);
  void note_time(double seconds);

  const Model& model_;
  Model::LabelMap classes_of_;
  Random random_;
  std::uint64_t before_;
  std::uint64_t seen_ = 0;
  std::uint64_t width_ = 16;  // of a window
  std::vector<StreamWindow> windows_;
  std::vector<double> times_;
  std::uint64_t timed_ = 0;
  std::size_t classes_ = 0;
  std::vector<std::uint64_t> confusion_;
  SampledExamples sample_;
};

}  // namespace kinglet
