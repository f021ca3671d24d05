// For tests of the papers' bounds: streams chosen against online learners, the loss that a learner suffers on them, and
// the best function in hindsight, which is the solution of an SVM. Two classes, Gaussian kernel (so that k(x, x) = 1),
// double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <Eigen/Dense>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kinglet/registry.hpp"
#include "learn/additive_learner.hpp"
#include "plain_model.hpp"
#include "random_vectors.hpp"

namespace kinglet::bound_game {

constexpr double kWidth = 0.5;  // gamma of the kernel

struct Round {
  std::vector<float> x;
  double y;  // 1 or −1
};
using Game = std::vector<Round>;

inline double hinge(double margin) { return std::max(0.0, 1 - margin); }

inline Options game_options(Options options) {
  options.set("gamma", std::to_string(kWidth));
  return complete_options(options);
}

// --- streams ---

// Two overlapping classes; one label in ten is wrong.
inline Game blobs(std::size_t rounds, std::uint64_t seed = 1) {
  Random random(seed);
  Game game;
  for (std::size_t t = 0; t < rounds; ++t) {
    const double y = random.coin(0.5) ? 1 : -1;
    std::vector<float> x = random_vector(random, 2);
    x[0] += static_cast<float>(1.5 * y);
    game.push_back({x, random.coin(0.1) ? -y : y});
  }
  return game;
}

// The classes change places four times.
inline Game turning(std::size_t rounds) {
  Game game = blobs(rounds, 2);
  for (std::size_t t = 0; t < rounds; ++t) {
    if (t * 4 / rounds % 2 == 1) game[t].y = -game[t].y;
  }
  return game;
}

// Points that have nothing in common (k(x, x′) = 0), in turn: when one comes back, a budget below `points` has
// forgotten it.
inline Game orthogonal(std::size_t rounds, std::size_t points) {
  Game game;
  for (std::size_t t = 0; t < rounds; ++t) {
    const auto place = static_cast<float>(100 * (t % points));
    game.push_back({{place, 0}, t % points % 2 == 0 ? 1.0 : -1.0});
  }
  return game;
}

// The same few points again and again; one label in twenty is wrong. Long streams of them are quick to solve in
// hindsight.
inline Game few(std::size_t rounds) {
  Random random(4);
  const Vectors points = random_vectors(random, 30, 2);
  Game game;
  for (std::size_t t = 0; t < rounds; ++t) {
    const std::vector<float>& x = points[random.below(points.size())];
    const double y = x[0] > 0 ? 1 : -1;
    game.push_back({x, random.coin(0.05) ? -y : y});
  }
  return game;
}

// Nearly the same point again and again, of the same class except one time in fifty: the easiest stream.
inline Game near(std::size_t rounds) {
  Random random(5);
  const Vectors points = random_vectors(random, 30, 2, 0.1);
  Game game;
  for (std::size_t t = 0; t < rounds; ++t) game.push_back({points[random.below(30)], random.coin(0.02) ? -1.0 : 1.0});
  return game;
}

// Twenty points, each labelled against the prediction of a learner with these options. If it draws no random numbers,
// no label could be worse for it.
inline Game against(std::size_t rounds, const Options& options) {
  AdditiveLearner learner(options, {.dimension = 2, .classes = 2});
  Random random(3);
  const Vectors points = random_vectors(random, 20, 2);
  Game game;
  for (std::size_t t = 0; t < rounds; ++t) {
    const std::vector<float>& x = points[random.below(points.size())];
    const double y = learner.predict(Features::dense(x)).score >= 0 ? -1 : 1;
    learner.learn({Features::dense(x), y > 0 ? ClassId{1} : ClassId{0}});
    game.push_back({x, y});
  }
  return game;
}

struct NamedGame {
  std::string name;
  Game rounds;
};

// --- the learner ---

struct Played {
  double loss = 0;  // Σ_t ℓ_t(f_t)
  double mistakes = 0;
  std::vector<double> losses;
  LearnerStats stats;
};

// What happened in round t: f_t, the function before the round, was `before`.
using Watch = std::function<void(std::size_t t, double loss, const Expansion& before)>;

inline Played play(const Options& options, const Game& game, const Watch& watch = {}) {
  AdditiveLearner learner(options, {.dimension = 2, .classes = 2});
  Played played;
  for (std::size_t t = 0; t < game.size(); ++t) {
    const Features x = Features::dense(game[t].x);
    const double margin = game[t].y * static_cast<double>(learner.predict(x).score);
    played.losses.push_back(hinge(margin));
    played.loss += hinge(margin);
    played.mistakes += margin <= 0 ? 1 : 0;
    if (watch) watch(t, hinge(margin), learner.expansion());
    learner.learn({x, game[t].y > 0 ? ClassId{1} : ClassId{0}});
  }
  played.stats = learner.stats();
  return played;
}

inline double squared_norm(const Expansion& f) {
  PlainModel copy(gaussian(kWidth));
  for (std::size_t j = 0; j < f.size(); ++j) {
    PlainTerm term{std::vector<float>(f.set().dimension()), {f.coefficient(j, 0)}};
    f.set().copy_to(j, term.x);
    copy.terms.push_back(term);
  }
  return copy.squared_norm();
}

// --- the best function in hindsight ---

struct Hindsight {
  double loss = 0;     // Σ_t ℓ_t(f)
  double squared = 0;  // ‖f‖²
  std::vector<double> losses;

  double norm() const { return std::sqrt(squared); }
};

// The f that minimises c/2 ‖f‖² + Σ_t ℓ_t(f): coordinate descent on the dual, f = Σ α_t y_t k(x_t, ·), α_t ∈ [0, 1/c].
// A bound of the form Σ ℓ_t(f_t) ≤ c/2 ‖f‖² + Σ ℓ_t(f) + …, stated for every f, is hardest to meet for this one.
class HindsightSolver {
 public:
  explicit HindsightSolver(const Game& game) {
    std::map<std::pair<std::vector<float>, double>, Eigen::Index> known;  // equal rounds share a weight
    for (const Round& round : game) {
      const auto [place, is_new] =
          known.emplace(std::pair(round.x, round.y), static_cast<Eigen::Index>(counts_.size()));
      if (is_new) counts_.push_back(0);
      counts_[static_cast<std::size_t>(place->second)] += 1;
      of_round_.push_back(place->second);
    }
    kernel_.resize(size(), size());
    for (const auto& [a, i] : known) {
      for (const auto& [b, j] : known) {
        kernel_(i, j) = a.second * b.second * plain_kernel(gaussian(kWidth), a.first, b.first);
      }
    }
  }

  Hindsight best(double c) const {
    Eigen::VectorXd alpha = Eigen::VectorXd::Zero(size());
    Eigen::VectorXd margins = Eigen::VectorXd::Zero(size());
    for (int pass = 0; pass < 500; ++pass) {
      double largest = 0;
      for (Eigen::Index i = 0; i < size(); ++i) {
        const double most = counts_[static_cast<std::size_t>(i)] / c;
        const double step = std::clamp(alpha(i) + 1 - margins(i), 0.0, most) - alpha(i);
        if (step == 0) continue;
        alpha(i) += step;
        margins += step * kernel_.col(i);
        largest = std::max(largest, std::abs(step) / most);
      }
      if (largest < 1e-4) break;
    }
    Hindsight found{.squared = alpha.dot(margins)};
    for (const Eigen::Index i : of_round_) {
      found.losses.push_back(hinge(margins(i)));
      found.loss += found.losses.back();
    }
    return found;
  }

  // The f of the least loss with ‖f‖ ≤ radius.
  Hindsight best_inside(double radius) const {
    double inside = 1e6, outside = 1e-3;  // values of c
    Hindsight found = best(inside);
    for (int i = 0; i < 14; ++i) {
      const double c = std::sqrt(inside * outside);
      const Hindsight next = best(c);
      (next.norm() <= radius ? inside : outside) = c;
      if (next.norm() <= radius) found = next;
    }
    return found;
  }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(counts_.size()); }

  std::vector<double> counts_;          // how often each distinct (x, y) occurs
  std::vector<Eigen::Index> of_round_;  // which of them a round is
  Eigen::MatrixXd kernel_;              // y_i y_j k(x_i, x_j)
};

}  // namespace kinglet::bound_game
