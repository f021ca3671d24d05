// A learner: predicts, then learns, one example or a block of them at a time. It sees scaled features and class
// ids; labels as text, scaling and files are the Model's (model.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kinglet/example.hpp"
#include "kinglet/options.hpp"

namespace kinglet {

class StateReader;  // src/core/state.hpp: what a learner saves and restores
class StateWriter;

// What is learned: classes, numbers, or what is normal (the option `task`).
enum class TaskKind { classify, regress, novelty };
TaskKind task_kind(const Options& options);  // of complete options

// What is known of the data before learning starts. All of it may grow later.
struct Shape {
  std::uint32_t dimension = 0;
  std::uint32_t classes = 0;  // 0 for regression, 2 for novelty
  bool sparse = false;        // keep support vectors in sparse form
};

struct Prediction {
  ClassId label = kNoClass;  // kNoClass before the first class was seen
  float score = 0;           // two classes: f(x), positive for class 1. More: the winning class's score. Regression:
                             // the predicted number (label stays kNoClass). Novelty: positive for class 1, normal
};

// What is to be learned, one for each row: classes, or numbers for regression. Novelty detection needs neither.
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

// Where a learner leaves what it made of each row before it learned it; an empty span is not filled.
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
  // Of row `i`: the scores, and the prediction that they make.
  void take(std::size_t i, const Prediction& prediction, std::span<const float> row_scores) const {
    if (!predictions.empty()) predictions[i] = prediction;
    if (!scores.empty())
      std::ranges::copy(row_scores, scores.begin() + static_cast<std::ptrdiff_t>(i * row_scores.size()));
  }

  std::span<Prediction> predictions{};  // one per row
  std::span<float> scores{};            // outputs() per row
};

// The decision that goes with the scores of one example.
inline Prediction decision(std::span<const float> scores, std::uint32_t classes) {
  if (classes == 0) return {};
  if (scores.size() == 1) return {static_cast<ClassId>(scores[0] >= 0) & static_cast<ClassId>(classes == 2), scores[0]};
  ClassId best = 0;
  for (ClassId c = 1; c < scores.size(); ++c) {
    if (scores[c] > scores[best]) best = c;
  }
  return {best, scores[best]};
}

// A term of what was learned, for people to look at: coefficients[c] k(x, ·) on output c.
struct SupportVector {
  std::vector<float> x;  // in dense form
  std::vector<double> coefficients;

  double weight() const;  // the length of `coefficients`
};

// Numbers for people: progress bars, `info`, result tables.
struct LearnerStats {
  std::uint64_t examples = 0;  // learned so far
  std::uint64_t updates = 0;   // examples that changed the support set
  std::size_t support_vectors = 0;
  std::size_t budget = 0;  // 0: none
  std::uint32_t dimension = 0;
  std::uint32_t classes = 0;
  std::size_t memory_bytes = 0;   // what the learner holds
  std::uint64_t maintenance = 0;  // how often the budget rule had to act
  // What it takes from f each time, on average, as a share of what was just added: ‖Δ‖/‖α k(x, ·)‖, the gradient error of
  // BSGD. Where it takes several terms at once, the sum of theirs. NaN: none taken yet, or the rule does not know.
  double maintenance_loss = std::numeric_limits<double>::quiet_NaN();
  bool learns_at_end = false;            // of a pass: predictions on the way mean nothing
  std::size_t stored_examples = 0;       // dual learners: support vectors and others that are kept
  std::uint64_t kernel_evaluations = 0;  // dual learners: kernel values computed since it was made or loaded
  bool only_predicts = false;            // it learns no more: what kinglet compress makes
};

class Learner {
 public:
  virtual ~Learner() = default;

  // Number of scores per example: 1 for up to two classes, else one per class.
  virtual std::size_t outputs() const = 0;
  // Scores of every row, outputs() per row, row after row.
  virtual void scores(const Rows& rows, std::span<float> out) const = 0;

  // For each row in turn: predict (into `before`, as far as it asks), then learn. Bit for bit the same as one call
  // per row. `weights` is empty (all 1) or one per row.
  virtual void learn_batch(const Rows& rows, const Targets& targets, std::span<const float> weights,
                           const ProgressiveOutput& before) = 0;

  Prediction learn(const Example& example);
  Prediction predict(const Features& x) const;
  // The prediction that goes with scores as scores() gives them.
  virtual Prediction decide(std::span<const float> scores) const { return decision(scores, classes()); }
  // How certain the class is that goes with such scores: |f(x)| for two classes, f_first(x) − f_second(x) of the two
  // best for more, 0 while fewer than two classes are known. Labels are asked for where it is low (option `query`).
  virtual double certainty(std::span<const float> scores) const;
  // The same for scores of one class against the rest, f and −f for two: half of what separates the two best.
  double certainty_against_rest(std::span<const float> scores) const {
    return Learner::certainty(scores) / (scores.size() == 1 ? 1 : 2);
  }

  // A pass is over: what was put off until then is done now.
  virtual void finish() {}

  virtual std::uint32_t classes() const = 0;
  virtual void grow(const Shape& shape) = 0;  // a higher dimension or more classes from here on

  virtual LearnerStats stats() const = 0;
  virtual SupportVector support_vector(std::size_t i) const = 0;  // i < stats().support_vectors; x is scaled
  virtual double bias(std::size_t) const { return 0; }  // what is added to the sum over support vectors, by output
  virtual void save(StateWriter& out) const = 0;
  virtual void load(StateReader& in) = 0;
};

// Builds a learner from complete options (registry.hpp: complete_options()).
std::unique_ptr<Learner> make_learner(const Options& options, const Shape& shape);

// Bytes that make_learner(options, shape) will hold once its budget is full.
std::size_t learner_memory(const Options& options, const Shape& shape);

}  // namespace kinglet
