// The progressive errors of one member of a committee: sums over the examples that it predicted before it learned them,
// weighted as the examples are. An error is 1 for a mistake, or the squared error in regression.
//
//   since it began        error() = Σ w e / Σ w
//   since the last mark   what decides who goes on at a rung: early errors say little about later ones
//   recent                fades: at the end of a chunk the sums are multiplied by kFade; about the last 600 examples
//   steady                fades slowly (kSlowFade); about the last 20,000 examples
//
// Recent errors are few, so a smaller sum may be luck. Mistakes are counted, so the variance of their sum E is V = Σ w²
// e, faded with the square of the factor, and E is clearly smaller than E' if (E' − E) > z √(V + V'). Squared errors
// have no such scale: there the mean must be smaller by a tenth for z = 2. Differences that are too small for the
// recent errors show in the steady ones: they decide if the recent ones do not speak against it. There half of z will
// do, because mistakes at the same examples cancel.
//
// A member that begins late starts with the faded sums of another one (the leader), so it leads only once it was
// better.
#pragma once

#include <cstdint>
#include <limits>

#include "core/state.hpp"

namespace kinglet {

struct ErrorSum {
  double error = 0;
  double weight = 0;
  double squares = 0;  // Σ w² e, the variance of the error if it counts mistakes

  void add(double e, double w) {
    error += w * e;
    weight += w;
    squares += w * w * e;
  }
  void add(const ErrorSum& other) {
    error += other.error;
    weight += other.weight;
    squares += other.squares;
  }
  void fade(double factor) {
    error *= factor;
    weight *= factor;
    squares *= factor * factor;
  }
  double mean() const { return weight > 0 ? error / weight : std::numeric_limits<double>::quiet_NaN(); }
  void save(StateWriter& out) const;
  void load(StateReader& in);
};

// Whether the mean of `mine` is clearly less, where both are brought to the weight of the one that has less.
bool is_clearly_less(ErrorSum mine, ErrorSum theirs, double z, bool counts_mistakes);

class Standing {
 public:
  static constexpr double kFade = 0.9;  // for each chunk of 64 examples
  static constexpr double kSlowFade = 0.997;

  void begin(std::uint64_t examples_before, const Standing* like);
  void leave(std::uint64_t examples_so_far) { left_ = examples_so_far; }
  void add(double error, double weight) {
    ++examples_;
    if (weight == 0) return;  // such an example is not learned, and tells nothing
    total_.add(error, weight);
    since_mark_.add(error, weight);
    recent_.add(error, weight);
    steady_.add(error, weight);
  }
  void end_chunk() {
    recent_.fade(kFade);
    steady_.fade(kSlowFade);
  }
  void mark() { since_mark_ = {}; }

  // The errors of the recent past are replaced by these, which it makes on other rows.
  void judge_again(const ErrorSum& errors) { since_mark_ = recent_ = steady_ = errors; }

  bool has_run() const { return examples_ > 0; }
  std::uint64_t began() const { return began_; }
  std::uint64_t left() const { return left_; }  // 0: it did not
  std::uint64_t examples() const { return examples_; }
  double error() const { return total_.mean(); }
  double error_since_mark() const { return since_mark_.mean(); }
  double recent_error() const { return recent_.mean(); }
  const ErrorSum& recent() const { return recent_; }
  const ErrorSum& steady() const { return steady_; }
  // Whether its error is clearly less than that of another member that ran along the same recent examples.
  bool is_clearly_better(const Standing& other, double z, bool counts_mistakes) const;

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  std::uint64_t began_ = 0;
  std::uint64_t left_ = 0;
  std::uint64_t examples_ = 0;
  ErrorSum total_;
  ErrorSum since_mark_;
  ErrorSum recent_;
  ErrorSum steady_;
};

// Whether the first error is smaller; an unknown one is smaller than none.
inline bool is_less(double a, double b) { return a < b || (a == a && b != b); }

}  // namespace kinglet
