#include "solver/lasvm_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "simd/dual_steps.hpp"

namespace kinglet {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr double kLeastCurvature = 1e-12;
constexpr std::size_t kMostPairSteps = 100'000;

}  // namespace

void LasvmSolver::append(double value) {
  const std::size_t slot = y_.size();
  if (slot >= values_.size()) values_.resize(round_up(std::max(slot + 1, 2 * values_.size()), 16), 0.0);
  values_[slot] = value;
  y_.push_back(0);
  a_.push_back(0);
  boxes_.push_back(0);
}

void LasvmSolver::learn(ExampleStore& store, std::size_t slot, double y, double box) {
  y_[slot] = y;
  boxes_[slot] = box;
  // The partner is the example with the most extreme gradient that can move.
  Pair pair = most_violating();
  (y > 0 ? pair.up : pair.down) = slot;
  if (pair.violation > -kNone) {
    pair.violation = gradient(pair.up) - gradient(pair.down);
    if (pair.violation > tolerance_) step(store, pair);
  }
  reprocess(store);
}

// The example with the largest gradient that can increase, and the partner with the largest gain.
void LasvmSolver::finish(ExampleStore& store) {
  Pair pair = most_violating();
  // Far more steps than needed, unless kernel values are so large that rounding prevents convergence.
  for (std::size_t left = kMostPairSteps + 100 * y_.size(); pair.violation > tolerance_ && left > 0; --left) {
    pair.down = best_partner(store, pair);
    pair.violation = gradient(pair.up) - gradient(pair.down);
    step(store, pair);
    pair = most_violating();
  }
  settle(pair);
}

// argmax of (g_up − g_j)² / (k_up,up + k_jj − 2 k_up,j), twice the gain of the step, over those that can decrease.
std::size_t LasvmSolver::best_partner(ExampleStore& store, const Pair& pair) const {
  const float* row = store.row(pair.up);
  const double highest = gradient(pair.up);
  const double own = store.self_kernel(pair.up);
  std::size_t best = pair.down;
  double most = 0;
  for (std::size_t j = 0; j < y_.size(); ++j) {
    if (y_[j] == 0 || a_[j] <= low(j)) continue;
    const double gap = highest - gradient(j);
    if (gap <= 0) continue;
    const double curvature = own + store.self_kernel(j) - 2 * static_cast<double>(row[j]);
    const double gain = gap * gap / std::max(curvature, kLeastCurvature);
    if (gain <= most) continue;
    most = gain;
    best = j;
  }
  return best;
}

LasvmSolver::Pair LasvmSolver::most_violating() const {
  Pair pair{.violation = -kNone};
  double highest = -kNone;
  double lowest = kNone;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (y_[i] == 0) continue;
    const double g = gradient(i);
    if (g > highest && a_[i] < high(i)) {
      highest = g;
      pair.up = i;
    }
    if (g < lowest && a_[i] > low(i)) {
      lowest = g;
      pair.down = i;
    }
  }
  if (highest > -kNone && lowest < kNone) pair.violation = highest - lowest;
  return pair;
}

void LasvmSolver::step(ExampleStore& store, const Pair& pair) {
  const std::size_t i = pair.up;
  const std::size_t j = pair.down;
  const float* row_i = store.row(i);
  const float* row_j = store.row(j);
  // Uses the same numbers that change the gradients, as a step could overshoot otherwise.
  const double curvature =
      static_cast<double>(row_i[i]) + static_cast<double>(row_j[j]) - 2 * static_cast<double>(row_i[j]);
  const double room_up = high(i) - a_[i];
  const double room_down = a_[j] - low(j);
  const double wanted = curvature > kLeastCurvature ? pair.violation / curvature : kNone;
  const double length = std::min({wanted, room_up, room_down});
  // Set a bound exactly, as rounding could keep the variable from ever reaching it.
  a_[i] = length == room_up ? high(i) : a_[i] + length;
  a_[j] = length == room_down ? low(j) : a_[j] - length;
  const std::size_t padded = round_up(y_.size(), 16);
  simd::add_only(values_.data(), row_i, length, padded);
  simd::add_only(values_.data(), row_j, -length, padded);
  note_change(i);
  note_change(j);
}

void LasvmSolver::reprocess(ExampleStore& store) {
  Pair pair = most_violating();
  if (pair.violation > tolerance_) {
    step(store, pair);
    pair = most_violating();
  }
  settle(pair);
}

// Computes the bias and forgets examples.
void LasvmSolver::settle(const Pair& pair) {
  if (pair.violation == -kNone) {  // one class so far
    const auto some = std::ranges::find_if(y_, [](double y) { return y != 0; });
    bias_ = some == y_.end() ? 0 : *some;
    return;
  }
  const double highest = gradient(pair.up);
  const double lowest = gradient(pair.down);
  bias_ = (highest + lowest) / 2;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (a_[i] != 0 || y_[i] == 0) continue;
    if (y_[i] > 0 ? gradient(i) <= lowest : gradient(i) >= highest) y_[i] = 0;
  }
}

void LasvmSolver::mark_needed(std::vector<char>& needed) {
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (y_[i] != 0) needed[i] = 1;
  }
}

void LasvmSolver::remove(std::size_t slot) {
  KINGLET_ASSERT(a_[slot] == 0);
  values_[slot] = values_[y_.size() - 1];
  values_[y_.size() - 1] = 0;
  for (std::vector<double>* array : {&y_, &a_, &boxes_}) {
    (*array)[slot] = array->back();
    array->pop_back();
  }
}

std::size_t LasvmSolver::memory_bytes() const {
  return (values_.capacity() + y_.capacity() + a_.capacity() + boxes_.capacity()) * sizeof(double);
}

void LasvmSolver::save(StateWriter& out) const {
  out.put_array(std::span<const double>(values_.data(), y_.size()));
  for (const std::vector<double>* array : {&y_, &a_, &boxes_}) out.put_array(*array);
  out.put(bias_);
}

void LasvmSolver::load(StateReader& in, std::size_t count) {
  const auto values = in.get_array<double>();
  values_.assign(round_up(values.size(), 16), 0.0);
  std::ranges::copy(values, values_.begin());
  for (std::vector<double>* array : {&y_, &a_, &boxes_}) *array = in.get_array<double>();
  bias_ = in.get<double>();
  StateReader::require(values.size() == count && y_.size() == count && a_.size() == count && boxes_.size() == count,
                       "a problem of the wrong size");
  StateReader::require(std::isfinite(bias_), "the bias is not a number");
  for (std::size_t i = 0; i < count; ++i) {
    StateReader::require(std::isfinite(values_[i]) && std::isfinite(boxes_[i]), "a value is not finite");
    StateReader::require(y_[i] == 1 || y_[i] == -1 || y_[i] == 0, "an invalid sign");
    StateReader::require(boxes_[i] >= 0 && a_[i] >= low(i) && a_[i] <= high(i), "a dual variable outside its box");
  }
}

}  // namespace kinglet
