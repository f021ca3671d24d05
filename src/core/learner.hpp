// The interface of a learner: it predicts and then learns one example, or a block of them, at a time. A learner sees
// scaled features and class ids. Label texts, scaling and files belong to the Model (kinglet/model.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/shape.hpp"
#include "kinglet/example.hpp"
#include "kinglet/options.hpp"
#include "kinglet/prediction.hpp"
#include "kinglet/standings.hpp"
#include "kinglet/stats.hpp"

namespace kinglet {

class StateReader;  // core/state.hpp
class StateWriter;

TaskKind task_kind(const Options& options);  // of complete options

// One example to learn: its class, or its number for regression.
struct Example {
  Features x;
  ClassId label = kNoClass;
  float weight = 1;
  float number = 0;
};

// The targets of a block of rows: classes, or numbers for regression. Novelty detection needs neither.
struct Targets {
  Targets() = default;
  Targets(std::span<const ClassId> given) : classes(given.data()), count(given.size()) {}
  Targets(std::span<const float> given) : numbers(given.data()), count(given.size()) {}
  Targets(const std::vector<ClassId>& given) : Targets(std::span(given)) {}
  Targets(const ClassId* given, std::size_t n) : Targets(std::span(given, n)) {}
  Targets(const float* given, std::size_t n) : Targets(std::span(given, n)) {}

  Targets slice(std::size_t begin, std::size_t n) const {
    Targets part = *this;
    if (classes != nullptr) part.classes += begin;
    if (numbers != nullptr) part.numbers += begin;
    part.count = n;
    return part;
  }

  const ClassId* classes = nullptr;
  const float* numbers = nullptr;
  std::size_t count = 0;
};

// Receives the predictions and scores that a learner computes for each row before it learns it. A span left empty is
// not filled.
struct ProgressiveOutput {
  ProgressiveOutput() = default;
  ProgressiveOutput(std::span<Prediction> wanted) : predictions(wanted) {}
  ProgressiveOutput(std::vector<Prediction>& wanted) : predictions(wanted) {}
  ProgressiveOutput(Prediction* wanted, std::size_t n) : predictions(wanted, n) {}
  ProgressiveOutput(std::span<Prediction> wanted, std::span<float> with_scores)
      : predictions(wanted), scores(with_scores) {}

  bool wants_anything() const { return !predictions.empty() || !scores.empty(); }
  ProgressiveOutput slice(std::size_t begin, std::size_t n, std::size_t outputs) const {
    return {predictions.empty() ? predictions : predictions.subspan(begin, n),
            scores.empty() ? scores : scores.subspan(begin * outputs, n * outputs)};
  }
  // Records the scores of row `i` and the prediction made from them.
  void take(std::size_t i, const Prediction& prediction, std::span<const float> row_scores) const {
    if (!predictions.empty()) predictions[i] = prediction;
    if (!scores.empty())
      std::ranges::copy(row_scores, scores.begin() + static_cast<std::ptrdiff_t>(i * row_scores.size()));
  }

  std::span<Prediction> predictions{};  // one per row
  std::span<float> scores{};            // outputs() per row
};

// The prediction for the scores of one example.
inline Prediction decision(std::span<const float> scores, std::uint32_t classes) {
  if (classes == 0) return {};
  if (scores.size() == 1) return {static_cast<ClassId>(scores[0] >= 0) & static_cast<ClassId>(classes == 2), scores[0]};
  ClassId best = 0;
  for (ClassId c = 1; c < scores.size(); ++c) {
    if (scores[c] > scores[best]) best = c;
  }
  return {best, scores[best]};
}

class Learner {
 public:
  virtual ~Learner() = default;

  // Number of scores per example: 1 for up to two classes, else one per class.
  virtual std::size_t outputs() const = 0;
  // Scores of every row, outputs() per row, row after row.
  virtual void scores(const Rows& rows, std::span<float> out) const = 0;

  // For each row in turn: predicts (`before` receives what it asks for), then learns. The result is bit for bit that of
  // one call per row. `weights` is empty (all 1) or has one weight per row.
  virtual void learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                           const ProgressiveOutput& before) = 0;

  Prediction learn(const Example& example);
  Prediction predict(const Features& x) const;
  // The prediction for one row of scores(), and how certain it is: |f(x)| for two classes, the difference of the two
  // highest scores for more, 0 while fewer than two classes are known. Active learning asks for the label where the
  // certainty is low (option `query`).
  virtual Prediction decide(std::span<const float> scores) const { return decision(scores, classes()); }
  virtual double certainty(std::span<const float> scores) const;
  // The certainty for one-against-rest scores: half the difference of the two highest (f and −f for two classes).
  double certainty_against_rest(std::span<const float> scores) const {
    return Learner::certainty(scores) / (scores.size() == 1 ? 1 : 2);
  }

  // Regression: whether it estimates how uncertain its numbers are, and the standard deviation of the prediction of
  // each row.
  virtual bool gives_deviations() const { return false; }
  virtual void deviations(const Rows& rows, std::span<float> out) const;  // only if gives_deviations()

  // The next rows are new data, not those of the passes so far.
  virtual void begin_data() {}
  // The end of a pass: does the work that was put off until then.
  virtual void finish() {}
  // How many rows of a pass the model should sample for review(); 0: none.
  virtual std::size_t sampled_rows() const { return 0; }
  // After finish(): a sample of all rows of the pass, scaled as rows are now. Where the order of the rows mattered, a
  // learner may change its mind.
  virtual void review(const Rows& /*rows*/, const Targets& /*targets*/, std::span<const float> /*weights*/) {}

  // With the option `metric` = learned: Σ weight (∂f/∂x_k)² over the examples that were learned from, by feature, where
  // x is scaled and gradients are relative to their usual length (learn/gradient_squares.hpp). Empty if the learner
  // does not collect it, or no longer does: then the metric stays as it is.
  virtual std::span<double> gradient_squares() { return {}; }
  virtual double gradient_count() const { return 0; }  // the number of gradients in these sums
  // The metric has changed: feature k of every stored vector or row is multiplied by ratios[k] > 0. gradient_squares()
  // are divided by its square, and halved with their count, so that old gradients fade. Only called for a learner that
  // has them.
  virtual void rescale_features(std::span<const float> ratios);

  // Multiplied into the scaled features before the kernel: the metric of the function that predicts, relative to that
  // of the scaler. support_vector() includes it. Empty: 1.
  virtual std::span<const float> feature_factors() const { return {}; }

  virtual std::uint32_t classes() const = 0;
  virtual void grow(const Shape& shape) = 0;  // accepts a higher dimension or more classes from now on
  // Support vectors leave, as the learner removes them when its budget is full, until there are at most `budget` ≥ 1 of
  // them. Afterwards save() writes the state of a learner that was made with that budget; nothing else may be called.
  virtual bool can_lower_budget() const { return false; }
  virtual void lower_budget(std::size_t /*budget*/) {}

  // A learner in the same span as this one that has learned nothing: with its prior, and with its present coefficients
  // if `keeps_coefficients`. Null: the learner has no span to share; a new one of the same options is as good.
  virtual std::unique_ptr<Learner> start(bool /*keeps_coefficients*/) const { return nullptr; }
  // Whether both have the span and the first coefficients of one start(), so that they add up. Their first classes are
  // those of the start.
  virtual bool shares_start(const Learner& /*other*/) const { return false; }
  // A learner that has learned everything that `parts` have, which share a start; class c of part i is class
  // classes[i][c] of the sum, of so many classes. Null: what it learns does not add up.
  virtual std::unique_ptr<Learner> sum(std::span<const Learner* const> /*parts*/,
                                       std::span<const std::vector<ClassId>> /*classes*/,
                                       std::uint32_t /*class_count*/) const {
    return nullptr;
  }

  virtual LearnerStats stats() const = 0;
  virtual SupportVector support_vector(std::size_t i) const = 0;  // i < stats().support_vectors; x is scaled
  // The options of the function that predicts: those of the learner itself, `own`, unless it chose among several
  // learners.
  virtual Options settled_options(const Options& own) const { return own; }
  virtual Standings standings() const {
    return {};
  }  // of a committee; errors are in the units of the learner's targets
  virtual std::uint64_t drift_alarms() const { return 0; }  // Standings::alarms
  virtual double bias(std::size_t) const { return 0; }  // the constant added to the sum over support vectors, by output
  virtual void save(StateWriter& out) const = 0;
  virtual void load(StateReader& in) = 0;
};

}  // namespace kinglet
