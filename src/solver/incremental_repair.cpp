// IncrementalSvm: how it finds and repairs rounding errors at the end of every operation. Examples that violate their
// condition are moved like a new one; if that takes too many events, coordinate ascent first brings all variables near
// the optimum.
#include <algorithm>
#include <cmath>
#include <limits>

#include "simd/vector_ops.hpp"
#include "solver/incremental_svm.hpp"
#include "solver/vectors.hpp"

namespace kinglet {
namespace {

// The error of g that is tolerated.
constexpr double kOptimalityTolerance = 1e-8;
constexpr double kMarginTolerance = 1e-10;
// If the error is still larger than this after everything else, coordinate ascent runs until it is well below.
constexpr double kTooWrong = 1e-6;
constexpr double kAscentTolerance = 1e-7;
constexpr double kValueRounding = 1e-16;   // rounding errors of f relative to the terms of its sum
constexpr std::size_t kMostRepairs = 100;  // limit for repairing examples that are still wrong

}  // namespace

void IncrementalSvm::change(ExampleStore& store, std::size_t slot, double by) {
  add_scaled(by, store.exact_row(site(slot)), values_.data(), sites());
  coefficients_[slot] += by;
  touched_[slot] = 1;
}

// Brings g on the margin back to 0: M (Δb, Δa) = (−Σ a, y − f).
void IncrementalSvm::correct_margin(ExampleStore& store) {
  for (int round = 0; round < 8 && !margin_.empty(); ++round) {
    if (inverse_.has_drifted()) rebuild_margin(store);
    double wrong = 0;
    for (const std::uint32_t m : margin_) wrong = std::max(wrong, std::abs(slack(m)));
    if (wrong <= kMarginTolerance + noise_ / 10) return;
    column_.clear();
    if (settings_.bias) {
      double sum = 0;
      for (const double a : coefficients_) sum += a;
      column_.push_back(-sum);
    }
    for (const std::uint32_t m : margin_) column_.push_back(signs_[m] * slack(m));
    const std::span<const double> changes = inverse_.solve(column_);
    rates_.assign(changes.begin(), changes.end());
    flow_.assign(round_up(sites(), kPadding), 0.0);
    add_rows(store);
    Event first{1, Ending::none, 0, 0};
    first_of_margin(1, first);
    // As in advance(), but no other variable moves.
    for (std::size_t j = 0; j < margin_.size(); ++j) {
      const std::size_t m = margin_[j];
      const double a = alpha(m) + signs_[m] * first.length * rates_[inverse_.border() + j];
      coefficients_[m] = signs_[m] * std::clamp(a, 0.0, boxes_[m]);
      touched_[m] = 1;
    }
    if (settings_.bias) bias_ += first.length * rates_[0];
    add_scaled(first.length, flow_.data(), values_.data(), sites());
    if (first.ending != Ending::leaves) continue;
    coefficients_[margin_[first.who]] = signs_[margin_[first.who]] * first.goal;
    leave(first.who, first.goal == 0 ? Place::out : Place::full);
  }
}

// The example with the largest violation, and its size. A loose example counts as violated, because it must be placed.
double IncrementalSvm::worst(std::size_t& slot) const {
  double most = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (places_[i] == Place::margin || places_[i] == Place::apart) continue;
    const double wrong = std::max(violation(i), places_[i] == Place::loose ? 2 * tolerance() : 0.0);
    if (wrong <= most) continue;
    most = wrong;
    slot = i;
  }
  return most;
}

// Called at the start of every operation: estimates the rounding error of f, a sum of terms a k(x, ·).
void IncrementalSvm::start() {
  allot_events();
  double sum = 0, largest = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    sum += std::abs(coefficients_[i]) * roots_[site(i)];
    largest = std::max(largest, roots_[site(i)]);
  }
  noise_ = kValueRounding * sum * largest;
}

void IncrementalSvm::allot_events() {
  events_left_ = settings_.most_events == 0 ? 0 : settings_.most_events + 4 * margin_.size();
}

double IncrementalSvm::tolerance() const { return kOptimalityTolerance + noise_; }

// The values are updated in many small steps. Each time one of them is recomputed as a check; if its error is too
// large, all are.
void IncrementalSvm::check_values(ExampleStore& store) {
  if (margin_.empty()) return;
  const std::size_t slot = margin_[++checks_ % margin_.size()];
  const double exact = value_at(store.exact_row(site(slot)));
  if (std::abs(exact - value(slot)) <= kMarginTolerance + noise_) return;
  std::ranges::fill(values_, 0.0);
  for (std::size_t i = 0; i < size(); ++i) {
    if (coefficients_[i] != 0) add_scaled(coefficients_[i], store.exact_row(site(i)), values_.data(), sites());
  }
}

// Returns whether all conditions hold.
bool IncrementalSvm::settle_once(ExampleStore& store) {
  std::size_t slot = 0;
  for (std::size_t round = 0; round < kMostRepairs; ++round) {
    correct_margin(store);
    if (worst(slot) <= tolerance()) return true;
    if (events_left_ == 0) break;
    seek(store, slot);
  }
  return worst(slot) <= kTooWrong + tolerance();
}

void IncrementalSvm::settle(ExampleStore& store) {
  check_values(store);
  if (settle_once(store)) return;
  ++fallbacks_;
  ascend(store);
  allot_events();
  settle_once(store);
}

// Coordinate ascent, largest violation first; afterwards the margin is rebuilt.
void IncrementalSvm::ascend(ExampleStore& store) {
  const std::size_t most = 1000 + 20 * size();
  for (std::size_t i = 0; i < most; ++i) {
    if (settings_.bias ? ascend_pair(store) : ascend_single(store)) break;
  }
  margin_.clear();
  inverse_.clear();
  for (std::size_t i = 0; i < size(); ++i) {
    if (!is_learned(i)) continue;
    set_place(i, Place::loose);
    if (alpha(i) == 0 || alpha(i) == boxes_[i]) {
      place_at_bound(i);
    } else {
      join(store, i);
    }
  }
}

// Returns whether nothing more can be gained.
bool IncrementalSvm::ascend_single(ExampleStore& store) {
  double most = kAscentTolerance + tolerance();
  std::size_t who = size();
  for (std::size_t i = 0; i < size(); ++i) {
    if (!is_learned(i)) continue;
    const double g = slack(i), a = alpha(i);
    const double gain = g > 0 ? (a < boxes_[i] ? g : 0) : (a > 0 ? -g : 0);
    if (gain <= most) continue;
    most = gain;
    who = i;
  }
  if (who == size()) return true;
  const double own = store.exact_row(site(who))[site(who)];
  const double goal = own > 0 ? alpha(who) + slack(who) / own : slack(who) > 0 ? boxes_[who] : 0;
  const double after = signs_[who] * std::clamp(goal, 0.0, boxes_[who]);
  change(store, who, after - coefficients_[who]);
  coefficients_[who] = after;
  return false;
}

// With a bias, one coefficient increases by as much as another decreases. At the optimum y − f is the same for all
// examples that can do both.
bool IncrementalSvm::ascend_pair(ExampleStore& store) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  double high = -kInfinite, low = kInfinite;
  std::size_t up = size(), down = size();
  for (std::size_t i = 0; i < size(); ++i) {
    if (!is_learned(i)) continue;
    const double error = signs_[i] - value(i), a = alpha(i);
    const bool can_rise = signs_[i] > 0 ? a < boxes_[i] : a > 0;
    const bool can_fall = signs_[i] > 0 ? a > 0 : a < boxes_[i];
    if (can_rise && error > high) {
      high = error;
      up = i;
    }
    if (can_fall && error < low) {
      low = error;
      down = i;
    }
  }
  if (up == size() || down == size()) {  // one class only: the bias is free on one side
    if (up != down) bias_ = up == size() ? low : high;
    return true;
  }
  bias_ = (high + low) / 2;
  if (high - low <= kAscentTolerance + tolerance()) return true;
  const double* row = store.exact_row(site(up));
  const double curvature = row[site(up)] + store.exact_row(site(down))[site(down)] - 2 * row[site(down)];
  const double top = signs_[up] > 0 ? boxes_[up] : 0, bottom = signs_[down] > 0 ? 0 : -boxes_[down];
  const double room_up = top - coefficients_[up], room_down = coefficients_[down] - bottom;
  const double by = std::min({curvature > 0 ? (high - low) / curvature : kInfinite, room_up, room_down});
  change(store, up, by);
  change(store, down, -by);
  if (by == room_up) coefficients_[up] = top;
  if (by == room_down) coefficients_[down] = bottom;
  return false;
}

}  // namespace kinglet
