// Reference solver in double precision for the dual problem of a support vector machine:
//   max Σ α_i − ½ Σ_ij y_i y_j α_i α_j K_ij,   0 ≤ α_i ≤ C_i;   with a bias also Σ y_i α_i = 0
// It uses coordinate ascent: steps of the coordinate that violates the optimality conditions most, and steps of pairs
// of such coordinates, one up and one down. With a bias only pair steps are possible; without one they help with
// near-duplicates. After each round, Newton steps on the free coefficients make it fast if K is badly conditioned.
#pragma once

#include <algorithm>
#include <cmath>
#include <Eigen/Dense>
#include <limits>
#include <vector>

#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet {

struct ReferenceProblem {
  Eigen::MatrixXd gram;       // K
  std::vector<double> signs;  // y
  std::vector<double> boxes;  // C
  bool bias = false;
};

struct ReferenceSolution {
  std::vector<double> alphas;
  double bias = 0;
  double objective = 0;
  double violation = 0;  // upper bound of the distance from the optimum, in units of f
};

inline Eigen::MatrixXd plain_gram(const Kernel& kernel, const Vectors& vectors) {
  const auto n = static_cast<Eigen::Index>(vectors.size());
  Eigen::MatrixXd gram(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      gram(i, j) = plain_kernel(kernel, vectors[static_cast<std::size_t>(i)], vectors[static_cast<std::size_t>(j)]);
      gram(j, i) = gram(i, j);
    }
  }
  return gram;
}

class ReferenceQp {
 public:
  explicit ReferenceQp(const ReferenceProblem& problem)
      : problem_(problem),
        n_(static_cast<Eigen::Index>(problem.signs.size())),
        a_(Eigen::VectorXd::Zero(n_)),
        f_(Eigen::VectorXd::Zero(n_)) {}

  ReferenceSolution solve(double tolerance = 1e-10, int most_rounds = 100) {
    for (int round = 0; round < most_rounds && violation() > tolerance; ++round) {
      for (Eigen::Index i = 0; i < 20 * n_ && violation() > tolerance; ++i) {
        if (problem_.bias || (i % 2 == 1 && has_pair())) {
          pair_step();
        } else {
          single_step();
        }
      }
      do {
        f_ = problem_.gram * a_;
      } while (free_step());
    }
    ReferenceSolution solution;
    for (Eigen::Index i = 0; i < n_; ++i) {
      solution.alphas.push_back(sign(i) * a_(i));
      solution.objective += a_(i) * (sign(i) - f_(i) / 2);
    }
    solution.violation = violation();
    solution.bias = bias_;
    return solution;
  }

 private:
  double sign(Eigen::Index i) const { return problem_.signs[static_cast<std::size_t>(i)]; }
  double low(Eigen::Index i) const { return sign(i) > 0 ? 0 : -problem_.boxes[static_cast<std::size_t>(i)]; }
  double high(Eigen::Index i) const { return sign(i) > 0 ? problem_.boxes[static_cast<std::size_t>(i)] : 0; }

  // The larger of two violations: that of the coefficient that should increase most and that of the one that should
  // decrease most. With a bias it is their sum, because b shifts both.
  double violation() {
    double rise = -std::numeric_limits<double>::infinity(), fall = rise;
    up_ = down_ = -1;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double error = sign(i) - f_(i);
      if (a_(i) < high(i) && error > rise) {
        rise = error;
        up_ = i;
      }
      if (a_(i) > low(i) && -error > fall) {
        fall = -error;
        down_ = i;
      }
    }
    if (!problem_.bias) return std::max({0.0, rise, fall});
    if (up_ < 0 || down_ < 0) {
      bias_ = up_ >= 0 ? rise : down_ >= 0 ? -fall : 0;
      return 0;
    }
    bias_ = (rise - fall) / 2;
    return std::max(0.0, rise + fall);
  }

  bool has_pair() const { return up_ >= 0 && down_ >= 0 && sign(up_) - f_(up_) > sign(down_) - f_(down_); }

  void change(Eigen::Index i, double to) {
    f_ += (to - a_(i)) * problem_.gram.col(i);
    a_(i) = to;
  }

  void single_step() {
    const double rise = up_ < 0 ? 0 : sign(up_) - f_(up_), fall = down_ < 0 ? 0 : f_(down_) - sign(down_);
    const Eigen::Index i = rise > fall ? up_ : down_;
    const double own = problem_.gram(i, i);
    const double error = sign(i) - f_(i);
    const double goal = own > 0 ? a_(i) + error / own : error > 0 ? high(i) : low(i);
    change(i, std::clamp(goal, low(i), high(i)));
  }

  void pair_step() {
    const double curvature = problem_.gram(up_, up_) + problem_.gram(down_, down_) - 2 * problem_.gram(up_, down_);
    const double gap = sign(up_) - f_(up_) - sign(down_) + f_(down_);
    const double room_up = high(up_) - a_(up_), room_down = a_(down_) - low(down_);
    double by = std::min(room_up, room_down);
    if (curvature > 0) by = std::min(by, gap / curvature);
    change(up_, by == room_up ? high(up_) : a_(up_) + by);
    change(down_, by == room_down ? low(down_) : a_(down_) - by);
  }

  // Newton step on the coefficients strictly inside their boxes, up to the first bound that is reached. Returns whether
  // a bound was reached: another step on the remaining coefficients may then gain more.
  bool free_step() {
    std::vector<Eigen::Index> free;
    for (Eigen::Index i = 0; i < n_; ++i) {
      if (a_(i) > low(i) && a_(i) < high(i)) free.push_back(i);
    }
    if (free.empty()) return false;
    const Eigen::Index border = problem_.bias ? 1 : 0, m = static_cast<Eigen::Index>(free.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(m + border, m + border);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(m + border);
    for (Eigen::Index i = 0; i < m; ++i) {
      const Eigen::Index slot = free[static_cast<std::size_t>(i)];
      for (Eigen::Index j = 0; j < m; ++j) matrix(i, j) = problem_.gram(slot, free[static_cast<std::size_t>(j)]);
      if (border == 1) matrix(i, m) = matrix(m, i) = 1;
      right(i) = sign(slot) - f_(slot);
    }
    const Eigen::VectorXd step = matrix.completeOrthogonalDecomposition().solve(right);
    double length = 1, bound = 0;
    Eigen::Index first = -1;
    for (Eigen::Index i = 0; i < m; ++i) {
      const Eigen::Index slot = free[static_cast<std::size_t>(i)];
      const double goal = step(i) > 0 ? high(slot) : low(slot);
      if (step(i) == 0 || (goal - a_(slot)) / step(i) >= length) continue;
      length = (goal - a_(slot)) / step(i);
      first = slot;
      bound = goal;
    }
    for (Eigen::Index i = 0; i < m; ++i) {
      const Eigen::Index slot = free[static_cast<std::size_t>(i)];
      a_(slot) = std::clamp(a_(slot) + length * step(i), low(slot), high(slot));
    }
    if (first >= 0) a_(first) = bound;
    f_ = problem_.gram * a_;
    return first >= 0;
  }

  const ReferenceProblem& problem_;
  Eigen::Index n_;
  Eigen::VectorXd a_;  // y α
  Eigen::VectorXd f_;  // values of f without the bias
  double bias_ = 0;
  Eigen::Index up_ = -1, down_ = -1;
};

inline ReferenceSolution solve_reference(const ReferenceProblem& problem, double tolerance = 1e-10) {
  return ReferenceQp(problem).solve(tolerance);
}

}  // namespace kinglet
