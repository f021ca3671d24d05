// How good the predictions along a stream are, compared with predictions that need no features.
//
// With p the accuracy so far, a Kappa is (p − p₀)/(1 − p₀): 1 if all predictions are right, 0 if they are no better
// than p₀, the accuracy of
//   Kappa     guesses that are drawn with the frequencies of the predictions, Σ_c P(label c) P(prediction c)
//   Kappa-M   always the most frequent class so far
//   Kappa-T   the last label again, which is hard to beat where labels come in runs
// The last two know the labels that were known when the example was predicted.
// Bifet, de Francisci Morales, Read, Holmes, Pfahringer: KDD (2015).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinglet/model.hpp"
#include "lab/delayed_labels.hpp"
#include "lab/training.hpp"

namespace kinglet {

class StreamMetrics {
 public:
  static constexpr std::size_t kRecent = 1000;  // examples
  static constexpr double kFading = 0.999;      // the weight of an example is multiplied by it with every later one

  struct OfClass {
    std::uint64_t examples = 0;
    std::uint64_t predictions = 0;
    std::uint64_t correct = 0;
    std::optional<double> recall() const;     // nullopt if there are no examples
    std::optional<double> precision() const;  // nullopt if it was never predicted
  };

  // A label becomes known `delay` rows after the prediction of its row.
  explicit StreamMetrics(std::uint64_t delay = 0) : delay_(delay) {}

  // The prediction of an example and, known afterwards, its class. kNoClass: no prediction, which is wrong.
  void add(ClassId truth, ClassId predicted);

  std::uint64_t examples() const { return examples_; }
  // Nullopt before the first example.
  std::optional<double> accuracy() const { return share(correct_, examples_); }
  std::optional<double> recent_accuracy() const;
  std::optional<double> fading_accuracy() const;
  // Accuracies of the comparisons. Before the first example there is no last label, and no most frequent class.
  std::optional<double> majority_accuracy() const { return share(majority_correct_, examples_); }
  std::optional<double> repetition_accuracy() const { return share(repetition_correct_, examples_); }
  // Nullopt where the comparison is always right, or there are no examples.
  std::optional<double> kappa() const;
  std::optional<double> kappa_m() const { return kappa(majority_accuracy()); }
  std::optional<double> kappa_t() const { return kappa(repetition_accuracy()); }
  const std::vector<OfClass>& classes() const { return classes_; }  // by ClassId

 private:
  static std::optional<double> share(std::uint64_t part, std::uint64_t all);
  std::optional<double> kappa(std::optional<double> by_chance) const;

  void learn(ClassId label);

  std::uint64_t delay_;
  std::uint64_t examples_ = 0;
  std::uint64_t correct_ = 0;
  std::uint64_t majority_correct_ = 0;
  std::uint64_t repetition_correct_ = 0;
  std::vector<OfClass> classes_;
  std::deque<ClassId> unknown_;       // labels that the next example's prediction does not know yet
  std::vector<std::uint64_t> known_;  // number of known labels, by class
  ClassId most_frequent_ = kNoClass;  // of these
  ClassId last_ = kNoClass;
  std::vector<bool> recent_;  // a ring: whether each of the last kRecent predictions was right
  std::size_t recent_correct_ = 0;
  double fading_correct_ = 0;
  double fading_examples_ = 0;
};

// Judges the predictions of a training run as its labels come, each `delay` rows after its prediction.
class StreamJudge {
 public:
  // With `arrivals`, the rows that come with their labels were predicted on arrival, otherwise just before they were
  // learned.
  explicit StreamJudge(const Model& model, std::uint64_t delay = 0, DelayedLabels* arrivals = nullptr);

  void add(const LearnedPart& part);  // its rows that come with their labels
  // A row whose label was asked for, before the model learns the label.
  void add(const Prediction& prediction, const std::string& label);

  // Told of every row that is judged: 1 for a mistake, or the squared error, and the classes (kNoClass in regression).
  using Judgement = std::function<void(double loss, ClassId truth, ClassId predicted)>;
  void on_judgement(Judgement tell) { tell_ = std::move(tell); }

  const StreamMetrics& metrics() const { return metrics_; }  // of classes
  const Judged& judged() const { return judged_; }

 private:
  void add(const Prediction& prediction, ClassId label);
  void judge(double loss, ClassId truth, ClassId predicted);

  const Model& model_;
  DelayedLabels* arrivals_;
  Model::LabelMap classes_of_;
  StreamMetrics metrics_;
  Judged judged_;
  Judgement tell_;
};

}  // namespace kinglet
