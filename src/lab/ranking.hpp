// The area under the ROC curve (AUC): the probability that an example of a class has a higher score for it than an
// example of another class; ties count half.
//
//   two classes     from f(x)
//   more classes    the mean over all classes that occur, each against the rest, from the score of that class
//
// The result is exact. It needs the scores of all examples, so they are kept; if there are more than `most` numbers,
// they are dropped, and there is no result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kinglet/example.hpp"

namespace kinglet {

class Ranking {
 public:
  static constexpr std::size_t kMostScores = 4'000'000;

  explicit Ranking(std::size_t classes, std::size_t most = kMostScores) : classes_(classes), most_(most) {}

  // The scores of one example, one or one per class, and its class.
  void add(std::span<const float> scores, ClassId truth);
  bool is_dropped() const { return dropped_; }
  std::size_t most() const { return most_; }
  // NaN if fewer than two classes occur, or if the scores were dropped.
  double auc() const;

 private:
  double auc_of(ClassId positive, std::size_t output) const;

  std::size_t classes_;
  std::size_t most_;
  bool has_nan_ = false;
  bool dropped_ = false;
  std::size_t width_ = 1;  // scores per example
  std::vector<float> scores_;
  std::vector<ClassId> truth_;
};

}  // namespace kinglet
