#include "solver/ramp_solver.hpp"

#include <algorithm>
#include <cmath>

#include "core/assert.hpp"

namespace kinglet {

void RampSolver::reserve(std::size_t count) {
  const std::size_t padded = round_up(count, 16);
  if (padded <= values_.size()) return;
  const std::size_t room = std::max(padded, 2 * values_.size());
  for (AlignedDoubles* array : {&values_, &signs_, &alphas_, &limits_}) array->resize(room, 0.0);
  selves_.resize(room, 1.0);
}

void RampSolver::append(double value) {
  reserve(size_ + 1);
  values_[size_] = value;
  boxes_.push_back(0);
  exits_.push_back(0);
  ++size_;
}

void RampSolver::learn(ExampleStore& store, std::size_t slot, double y, double box) {
  signs_[slot] = y;
  boxes_[slot] = box;
  selves_[slot] = store.self_kernel(slot);
  unit_ = unit_ && selves_[slot] == 1;
  if (plan_.offline) return;
  const double g = gradient(slot);
  if (g > kRampEnd) return;
  limits_[slot] = box;
  if (g > 0) solve(store);
}

void RampSolver::finish(ExampleStore& store) {
  if (!plan_.offline) return;
  std::copy(boxes_.begin(), boxes_.end(), limits_.begin());
  solve(store);
}

simd::DualVariables RampSolver::variables() {
  return {values_.data(),     signs_.data(), alphas_.data(), limits_.data(), unit_ ? nullptr : selves_.data(),
          round_up(size_, 16)};
}

void RampSolver::solve(ExampleStore& store) {
  do {
    optimise(store);
    if (on_round) on_round();
  } while (relocate(store));
  std::ranges::fill(exits_, 0);
}

// In rounds: solves for the variables that are likely to move, then checks all variables again.
void RampSolver::optimise(ExampleStore& store) {
  constexpr double kInside = 0.9;  // stricter than the tolerance, so that rounding does not matter in the final check
  constexpr int kMostRounds = 100;
  for (int round = 0; round < kMostRounds; ++round) {
    const simd::BestStep best = simd::best_step(variables());
    if (best.violation <= plan_.tolerance || best.gain <= plan_.least_gain) return;
    active_.take(variables(), likely_to_move());
    active_.solve(store, kInside * plan_.tolerance, plan_.least_gain);
    bool moved = false;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const std::uint32_t slot = active_.slot(i);
      if (active_.alpha(i) == alphas_[slot]) continue;
      move(store, slot, active_.alpha(i));
      moved = true;
    }
    candidates_ = active_.give_back();
    if (!moved) return;
  }
}

std::vector<std::uint32_t> RampSolver::likely_to_move() {
  constexpr double kNear = -0.1;
  candidates_.clear();
  for (std::size_t i = 0; i < size_; ++i) {
    if (limits_[i] > 0 && (alphas_[i] > 0 || gradient(i) > kNear)) candidates_.push_back(static_cast<std::uint32_t>(i));
  }
  return std::move(candidates_);
}

void RampSolver::move(ExampleStore& store, std::size_t slot, double alpha) {
  const double delta = signs_[slot] * (alpha - alphas_[slot]);
  alphas_[slot] = alpha;
  note_change(slot);
  simd::add_only(values_.data(), store.row(slot), delta, round_up(size_, 16));
}

// Returns whether V has changed.
bool RampSolver::relocate(ExampleStore& store) {
  bool any = false;
  leaving_.clear();
  for (std::size_t i = 0; i < size_; ++i) {
    const double g = gradient(i);
    if (limits_[i] > 0) {
      if (g <= kRampEnd) continue;
      leaving_.push_back(static_cast<std::uint32_t>(i));
    } else {
      if (g > kRampEnd || signs_[i] == 0 || exits_[i] >= kMostExits) continue;
      limits_[i] = boxes_[i];
      any = true;
    }
  }
  for (const std::uint32_t i : leaving_) {
    limits_[i] = 0;
    ++exits_[i];
    if (alphas_[i] > 0) move(store, i, 0);
  }
  return any || !leaving_.empty();
}

void RampSolver::mark_needed(std::vector<char>& needed) {
  candidates_.clear();
  for (std::size_t i = 0; i < size_; ++i) {
    if (alphas_[i] > 0) {
      needed[i] = 1;
    } else {
      candidates_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  const std::size_t kept = std::min(plan_.kept, candidates_.size());
  const auto end_of_kept = candidates_.begin() + static_cast<std::ptrdiff_t>(kept);
  // |1 − g| = |f|; ties go to the older example.
  const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
    const double x = std::abs(values_[a]);
    const double y = std::abs(values_[b]);
    return x < y || (x == y && a < b);
  };
  if (kept < candidates_.size()) std::nth_element(candidates_.begin(), end_of_kept, candidates_.end(), nearer);
  for (auto each = candidates_.begin(); each != end_of_kept; ++each) needed[*each] = 1;
}

void RampSolver::remove(std::size_t slot) {
  KINGLET_ASSERT(alphas_[slot] == 0);
  const std::size_t last = --size_;
  for (AlignedDoubles* array : {&values_, &signs_, &alphas_, &limits_}) {
    (*array)[slot] = (*array)[last];
    (*array)[last] = 0;
  }
  selves_[slot] = selves_[last];
  selves_[last] = 1;
  boxes_[slot] = boxes_[last];
  boxes_.pop_back();
  exits_.pop_back();
}

void RampSolver::check(const ExampleStore& store) const {
  for (std::size_t i = 0; i < size_; ++i) {
    StateReader::require(signs_[i] == 0 || selves_[i] == store.self_kernel(i), "the wrong length of an example");
  }
}

std::size_t RampSolver::memory_bytes() const {
  return (values_.capacity() + signs_.capacity() + alphas_.capacity() + limits_.capacity() + selves_.capacity() +
          boxes_.capacity()) *
             sizeof(double) +
         active_.memory_bytes();
}

void RampSolver::save(StateWriter& out) const {
  for (const AlignedDoubles* array : {&values_, &signs_, &alphas_, &limits_, &selves_}) {
    out.put_array(std::span<const double>(array->data(), size_));
  }
  out.put_array(boxes_);
}

void RampSolver::load(StateReader& in, std::size_t count) {
  size_ = count;
  reserve(count);
  const auto is_number = [](double value) { return std::isfinite(value); };
  for (AlignedDoubles* array : {&values_, &signs_, &alphas_, &limits_, &selves_}) {
    const auto values = in.get_array<double>();
    StateReader::require(values.size() == count, "a problem of the wrong size");
    StateReader::require(std::ranges::all_of(values, is_number), "a dual variable is not a number");
    std::ranges::copy(values, array->begin());
  }
  boxes_ = in.get_array<double>();
  StateReader::require(boxes_.size() == count, "a problem of the wrong size");
  for (std::size_t i = 0; i < count; ++i) {
    StateReader::require(signs_[i] == 1 || signs_[i] == -1 || signs_[i] == 0, "an invalid sign");
    StateReader::require(is_number(boxes_[i]) && boxes_[i] >= 0, "an invalid box");
    StateReader::require(limits_[i] == 0 || limits_[i] == boxes_[i], "the wrong size of a box");
    StateReader::require(alphas_[i] >= 0 && alphas_[i] <= limits_[i], "a dual variable outside its box");
    unit_ = unit_ && selves_[i] == 1;
  }
  exits_.assign(count, 0);
}

}  // namespace kinglet
