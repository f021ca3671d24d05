// Measures the predictions of a model on labelled data: accuracy, confusion matrix, precision, recall and F1 of each
// class, and the reliability of probabilities; in regression, the errors.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "kinglet/source.hpp"
#include "lab/ranking.hpp"
#include "lab/stream_record.hpp"
#include "learn/target_moments.hpp"

namespace kinglet {

struct Evaluation {
  TaskKind task = TaskKind::classify;
  std::vector<std::string> labels;               // labels of the model
  std::vector<std::uint64_t> confusion;          // labels² counts; row: the true class, column: the predicted class
  std::map<std::string, std::uint64_t> unknown;  // labels that the model has never seen, which are always errors
  std::vector<std::uint64_t> predicted_for_unknown;  // predictions for these examples, by class
  std::uint64_t examples = 0;
  std::uint64_t correct = 0;
  double squared_error = 0;  // in regression: sums over all examples
  double absolute_error = 0;
  TargetMoments targets;
  Reliability reliability;           // of probabilities, if any, on examples whose labels the model knows
  std::uint64_t ignored_values = 0;  // number of values of features that training never saw
  double seconds = 0;
  bool stopped = false;  // before the end of the data

  std::uint64_t count(std::size_t truth, std::size_t predicted) const {
    return confusion[truth * labels.size() + predicted];
  }
  std::uint64_t actual(std::size_t label) const;     // examples of this class
  std::uint64_t predicted(std::size_t label) const;  // predictions of this class
  double precision(std::size_t label) const;         // NaN if the class was never predicted
  double recall(std::size_t label) const;            // NaN if the class never occurs
  double f1(std::size_t label) const;  // 2 / (1/precision + 1/recall); NaN if the class neither occurs nor is predicted
  double accuracy() const;
  // The mean recall of the classes that occur; that of a label that the model does not know is 0.
  double balanced_accuracy() const;
  // The class that counts as positive if there are two: the second one; in novelty detection, the novel one.
  std::optional<std::size_t> positive() const;
  // F1 of the positive class. With more classes the mean over those that occur or are predicted; that of a label that
  // the model does not know is 0.
  double f1() const;
  // The error of always predicting the most frequent class of these data.
  double majority_error() const;

  // In regression; NaN if there are no examples.
  double rmse() const;
  double mae() const;
  double r2() const;             // 1 − Σ(y − f)²/Σ(y − mean)², the share of explained variance
  double baseline_rmse() const;  // RMSE of always predicting the mean of these data
};

// Throws Error if the labels of the batch do not fit the task of the model; `rows_before` is for the message.
void require_labels(TaskKind task, const Batch& batch, const Source& source, std::uint64_t rows_before);

// What else to fill in during an evaluation; null: not wanted.
struct EvaluationExtras {
  Ranking* ranking = nullptr;  // in regression it stays empty
  StreamRecord* record = nullptr;
};

// Reads the source to its end, or until `stopped` returns true. A row without a label is an Error (in novelty detection
// it counts as normal). `each`, if given, is called with every batch before it is scored.
Evaluation evaluate(const Model& model, Source& source, unsigned threads, const std::function<bool()>& stopped,
                    const std::function<void(const Batch&)>& each = {}, const EvaluationExtras& extras = {});

}  // namespace kinglet
