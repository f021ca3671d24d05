// Numbers about a model: how well it predicted along the stream, how large it is, and its support vectors.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace kinglet {

// Progressive validation: the model predicts each example before it learns it. This counts how well.
struct Progress {
  std::uint64_t examples = 0;
  std::uint64_t mistakes = 0;    // classification and novelty
  std::uint64_t labels = 0;      // classification: labels learned, fewer than `examples` with the option `query`
  std::uint64_t unlabelled = 0;  // examples whose label is unknown: counted neither as right nor as wrong
  double squared_error = 0;      // regression: the sum over all examples
  double absolute_error = 0;     // likewise

  std::uint64_t judged() const { return examples - unlabelled; }
  double online_error() const { return mean(static_cast<double>(mistakes)); }  // the share of mistakes
  double online_rmse() const { return std::sqrt(mean(squared_error)); }
  double online_mae() const { return mean(absolute_error); }

  // As if the examples of both had been learned.
  Progress& operator+=(const Progress& other) {
    examples += other.examples;
    mistakes += other.mistakes;
    labels += other.labels;
    unlabelled += other.unlabelled;
    squared_error += other.squared_error;
    absolute_error += other.absolute_error;
    return *this;
  }

 private:
  double mean(double sum) const { return judged() == 0 ? 0 : sum / static_cast<double>(judged()); }
};

// The size of a learner and the work it has done.
struct LearnerStats {
  std::uint64_t examples = 0;  // examples learned
  std::uint64_t updates = 0;   // examples that changed the support vectors
  std::size_t support_vectors = 0;
  std::size_t budget = 0;  // the most support vectors allowed; 0: no limit
  std::uint32_t dimension = 0;
  std::uint32_t classes = 0;
  std::size_t memory_bytes = 0;   // memory that the learner holds
  std::uint64_t maintenance = 0;  // how often the budget rule had to make room
  // The average change that the budget rule makes to f, relative to the term just added: ‖Δ‖/‖α k(x, ·)‖, the gradient
  // error of BSGD. A rule that removes several terms at once counts the sum over them. NaN: the budget rule has not
  // acted yet, or does not compute it.
  double maintenance_loss = std::numeric_limits<double>::quiet_NaN();
  bool learns_at_end = false;            // learns at the end of a pass only: predictions before that mean nothing
  std::size_t stored_examples = 0;       // dual learners: examples kept, support vectors included
  std::uint64_t kernel_evaluations = 0;  // dual learners: kernel values computed since the model was made or loaded
  bool only_predicts = false;            // cannot learn: compressed, imported, or `svm` without its solver
};

// A support vector x with its coefficient for each output c: the term coefficients[c] k(x, ·) of f_c.
struct SupportVector {
  std::vector<float> x;  // in dense form
  std::vector<double> coefficients;

  double weight() const;  // the Euclidean norm of `coefficients`
};

}  // namespace kinglet
