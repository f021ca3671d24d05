// How well a model predicts a labelled set: accuracy, the confusion matrix, precision and recall of each class, and how far
// its probabilities can be trusted; of regression, the sizes of the errors.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kinglet/model.hpp"
#include "kinglet/source.hpp"
#include "lab/target_moments.hpp"

namespace kinglet {

struct Evaluation {
  std::vector<std::string> labels;               // of the model
  std::vector<std::uint64_t> confusion;          // labels² counts, row: the true class, column: the predicted one
  std::map<std::string, std::uint64_t> unknown;  // labels that the model has never seen: always errors
  std::uint64_t examples = 0;
  std::uint64_t correct = 0;
  double squared_error = 0;  // regression: sums over all examples
  double absolute_error = 0;
  TargetMoments targets;
  Reliability reliability;           // of a model with probabilities, on the examples whose labels it knows
  std::uint64_t ignored_values = 0;  // of features that training never saw
  double seconds = 0;
  bool stopped = false;  // before the end of the data

  std::uint64_t count(std::size_t truth, std::size_t predicted) const {
    return confusion[truth * labels.size() + predicted];
  }
  std::uint64_t actual(std::size_t label) const;     // examples of this class
  std::uint64_t predicted(std::size_t label) const;  // predictions of this class
  double precision(std::size_t label) const;         // NaN when it was never predicted
  double recall(std::size_t label) const;            // NaN when it never occurs
  double accuracy() const;
  // The error of always naming the most frequent class of these data.
  double majority_error() const;

  // Regression; NaN where there are no examples.
  double rmse() const;
  double mae() const;
  double r2() const;             // 1 − Σ(y − f)²/Σ(y − mean)²: the share of the variance that is explained
  double baseline_rmse() const;  // of always naming the mean of these data
};

// Throws Error for a batch whose labels say nothing about a model of this task; `rows_before` is for the message.
void require_labels(TaskKind task, const Batch& batch, const Source& source, std::uint64_t rows_before);

// Reads the source to its end, or until `stopped` says so. A row without a label is an Error (for novelty: it is normal).
// `each`, when given, sees every batch before it is scored.
Evaluation evaluate(const Model& model, Source& source, unsigned threads, const std::function<bool()>& stopped,
                    const std::function<void(const Batch&)>& each = {});

}  // namespace kinglet
