#include "solver/active_problem.hpp"

#include <algorithm>
#include <cmath>
#include <Eigen/Cholesky>
#include <limits>
#include <utility>

namespace kinglet {
namespace {

// Added to the diagonal, so that a matrix with nearly equal rows can be factorised. The step still improves the
// objective.
constexpr double kRidge = 1e-9;
constexpr std::size_t kMostFree = 1000;
constexpr int kNewtonSteps = 10;  // in a row
constexpr std::size_t kMostSteps = 10'000;

}  // namespace

void ActiveProblem::take(const simd::DualVariables& whole, std::vector<std::uint32_t> slots) {
  slots_ = std::move(slots);
  padded_ = round_up(slots_.size(), 16);
  for (AlignedDoubles* array : {&values_, &signs_, &alphas_, &boxes_}) array->assign(padded_, 0.0);
  selves_.assign(padded_, 1.0);
  unit_ = whole.selves == nullptr;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::uint32_t slot = slots_[i];
    values_[i] = whole.values[slot];
    signs_[i] = whole.signs[slot];
    alphas_[i] = whole.alphas[slot];
    boxes_[i] = whole.boxes[slot];
    if (!unit_) selves_[i] = whole.selves[slot];
  }
  place_.assign(slots_.size(), kNone);
  rows_used_ = 0;
}

simd::DualVariables ActiveProblem::variables() {
  return {values_.data(), signs_.data(), alphas_.data(), boxes_.data(), unit_ ? nullptr : selves_.data(), padded_};
}

const float* ActiveProblem::row(ExampleStore& store, std::size_t i) {
  if (place_[i] == kNone) {
    const float* from = store.row(slots_[i]);
    const std::size_t room = std::max<std::size_t>(1, limit_ / (padded_ * sizeof(float)));
    if (rows_used_ == room) {
      std::ranges::fill(place_, kNone);
      rows_used_ = 0;
    }
    place_[i] = static_cast<std::uint32_t>(rows_used_++);
    if (rows_.size() < rows_used_ * padded_) {
      rows_.resize(std::max(rows_used_, std::min(2 * rows_used_, room)) * padded_);
    }
    float* to = &rows_[place_[i] * padded_];
    for (std::size_t j = 0; j < slots_.size(); ++j) to[j] = from[slots_[j]];
    std::fill(to + slots_.size(), to + padded_, 0.0F);
  }
  return &rows_[place_[i] * padded_];
}

void ActiveProblem::solve(ExampleStore& store, double tolerance, double least_gain) {
  simd::BestStep best = simd::best_step(variables());
  // Far more steps than needed, unless kernel values are so large that rounding prevents convergence.
  std::size_t left = kMostSteps + 1000 * slots_.size();
  double steps = 0;  // single steps since the last Newton step
  double wait = work_of_newton();
  while (best.violation > tolerance && best.gain > least_gain && left-- > 0) {
    if (steps >= wait) {
      // After a variable reaches a bound, continue without it.
      for (int more = kNewtonSteps; more > 0 && newton_step(store); --more) continue;
      best = simd::best_step(variables());
      steps = 0;
      wait = work_of_newton();
      continue;
    }
    ++steps;
    const std::size_t i = best.slot;
    const double target = std::clamp(alphas_[i] + gradient(i) / std::max(selves_[i], 1e-30), 0.0, boxes_[i]);
    const double delta = signs_[i] * (target - alphas_[i]);
    alphas_[i] = target;
    best = simd::add_row(variables(), row(store, i), delta);
  }
}

// With f free variables, a Newton step factorises a matrix (f³/3 multiplications) and adds f rows; a single step reads
// one row twice.
double ActiveProblem::work_of_newton() const {
  double free = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) free += is_free(i) ? 1 : 0;
  if (free > static_cast<double>(kMostFree)) return std::numeric_limits<double>::infinity();
  return 16 + free + 0.2 * free * free * free / static_cast<double>(padded_);
}

bool ActiveProblem::newton_step(ExampleStore& store) {
  free_.clear();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (is_free(i)) free_.push_back(static_cast<std::uint32_t>(i));
  }
  if (free_.empty()) return false;
  const auto count = static_cast<Eigen::Index>(free_.size());
  Eigen::MatrixXd q(count, count);
  Eigen::VectorXd step(count);
  for (Eigen::Index a = 0; a < count; ++a) {
    const std::uint32_t i = free_[static_cast<std::size_t>(a)];
    const float* k = row(store, i);
    for (Eigen::Index b = 0; b <= a; ++b) {
      const std::uint32_t j = free_[static_cast<std::size_t>(b)];
      q(a, b) = signs_[i] * signs_[j] * static_cast<double>(k[j]);
    }
    q(a, a) = selves_[i] * (1 + kRidge) + 1e-12;
    step(a) = gradient(i);
  }
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>, Eigen::Lower> factor(q);
  if (factor.info() != Eigen::Success) return false;
  factor.solveInPlace(step);
  double part = 1;
  for (Eigen::Index a = 0; a < count; ++a) {
    const std::uint32_t i = free_[static_cast<std::size_t>(a)];
    const double room = step(a) > 0 ? boxes_[i] - alphas_[i] : alphas_[i];
    if (std::abs(step(a)) > room) part = std::min(part, room / std::abs(step(a)));
  }
  for (Eigen::Index a = 0; a < count; ++a) {
    const std::uint32_t i = free_[static_cast<std::size_t>(a)];
    const double room = step(a) > 0 ? boxes_[i] - alphas_[i] : alphas_[i];
    const double delta = part * step(a);
    const double bound = step(a) > 0 ? boxes_[i] : 0.0;
    const double target = std::abs(delta) >= room * (1 - 1e-12) ? bound : alphas_[i] + delta;
    simd::add_only(values_.data(), row(store, i), signs_[i] * (target - alphas_[i]), padded_);
    alphas_[i] = target;
  }
  return part < 1;
}

}  // namespace kinglet
